internal import CProbeShims
internal import Glibc
internal import Synchronization

/// An open file or folder, closed with its last owner if not before.
final class Descriptor: Sendable {
  /// Opens a place, for what is done from there, with no leave to read or write it.
  static let placeOnly = probe_open_place_only()

  private let value: Atomic<Int32>

  /// Its number, or -1 once it is closed or somebody else's.
  var number: Int32 { value.load(ordering: .relaxed) }

  /// Opens a path, from a folder or else the working directory.
  init(open path: String, in folder: Descriptor? = nil, _ flags: Int32, mode: mode_t = 0) throws(FileError) {
    let number = unsafe openat(folder?.number ?? AT_FDCWD, path, flags | O_CLOEXEC, mode)
    guard number >= 0 else { throw .ofLastCall }
    value = Atomic(number)
  }

  deinit { try? close() }

  /// Closes it, unless that is done.
  ///
  /// - Throws: ``FileError`` when something was not written; some file systems tell only now.
  func close() throws(FileError) {
    let number = release()
    guard number < 0 || Glibc.close(number) == 0 else { throw .ofLastCall }
  }

  /// Leaves it to the caller.
  func release() -> Int32 { value.exchange(-1, ordering: .relaxed) }

  /// What the system knows of it.
  var status: stat {
    get throws(FileError) {
      var status = stat()
      guard unsafe fstat(number, &status) == 0 else { throw .ofLastCall }
      return status
    }
  }

  /// Where it leads, if it is a link that was opened itself.
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
