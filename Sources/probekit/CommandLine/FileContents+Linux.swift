import Glibc
import ProbeCore

/// Reading a file that the command line names.
enum FileContents {
  /// All bytes of a file.
  ///
  /// - Throws: ``InvalidInput`` when it cannot be read, with the system's words, or has more bytes than the limit.
  static func read(_ path: String, limit: Int = 1 << 20) throws(InvalidInput) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(errno) }
    defer { close(descriptor) }
    var contents: [UInt8] = []
    while true {
      var count = 0
      contents += unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, initialized in
        count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        initialized = max(count, 0)
      }
      if count == 0 { return contents }
      if count < 0, errno != EINTR { throw unreadable(errno) }
      guard contents.count <= limit else {
        throw InvalidInput("the file has more than \(limit >> 10) KiB", remedy: "is it the right one?")
      }
    }
  }

  private static func unreadable(_ error: Int32) -> InvalidInput {
    InvalidInput("cannot be read: \(unsafe String(cString: strerror(error)))")
  }
}
