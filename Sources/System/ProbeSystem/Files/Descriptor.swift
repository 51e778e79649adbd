internal import CProbeSystem
internal import Glibc
internal import Synchronization

/// An open file or folder, closed with its last reference if not before.
final class Descriptor: Sendable {
  /// The flag to open a folder only as the base of relative paths, without permission to read or write it.
  static let pathOnly = probe_open_place_only()

  private let value: Atomic<Int32>

  /// The descriptor, or -1 once it is closed or released.
  var number: Int32 { value.load(ordering: .relaxed) }

  /// Opens a path, relative to a folder or else to the working directory.
  init(open path: String, in folder: Descriptor? = nil, _ flags: Int32, mode: mode_t = 0) throws(FileError) {
    let number = unsafe openat(folder?.number ?? AT_FDCWD, path, flags | O_CLOEXEC, mode)
    guard number >= 0 else { throw .ofLastCall }
    value = Atomic(number)
  }

  deinit { try? close() }

  /// Closes it, unless it is closed already.
  ///
  /// - Throws: ``FileError`` if data was not written; some file systems report that only on closing.
  func close() throws(FileError) {
    let number = release()
    guard number < 0 || Glibc.close(number) == 0 else { throw .ofLastCall }
  }

  /// Releases the descriptor to the caller, who must close it.
  func release() -> Int32 { value.exchange(-1, ordering: .relaxed) }

  var status: stat {
    get throws(FileError) {
      var status = stat()
      guard unsafe fstat(number, &status) == 0 else { throw .ofLastCall }
      return status
    }
  }

  /// The target of a symbolic link that was itself opened.
  var linkTarget: String {
    get throws(FileError) {
      var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = unsafe bytes.withUnsafeMutableBytes { room in
        unsafe room.baseAddress.map { unsafe readlinkat(number, "", $0, room.count) } ?? -1
      }
      guard count >= 0 else { throw .ofLastCall }
      return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
  }
}

/// The maximum number of descriptors of this process.
package var descriptorLimit: Int {
  var limit = rlimit()
  guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 256 }
  return Int(clamping: limit.rlim_cur)
}

/// Whether the process is so short of descriptors that a name lookup, which needs several, may have failed
/// for this reason.
///
/// - Returns: The error that opening one more causes, or soon will, or 0.
package func descriptorShortage() -> Int32 {
  let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  let descriptor = socket(AF_INET, kind, 0)
  guard descriptor >= 0 else { return errno }
  close(descriptor)
  return descriptorIsReserved(descriptor) ? EMFILE : 0
}

/// Whether a new descriptor is one of the last available to the process, which connections leave to others.
package func descriptorIsReserved(_ descriptor: Int32) -> Bool { probe_descriptor_is_reserved(descriptor) }

extension Int32 {
  /// Whether the error means that a resource was exhausted.
  package var isShortage: Bool {
    switch self {
    case EMFILE, ENFILE, ENOMEM, ENOBUFS: true
    default: false
    }
  }
}
