internal import CProbeSystem
internal import Glibc
package import ProbeBase

/// A listening Unix socket that only accepts its own user; its file is removed when it is deinitialized.
package final class LocalListeningSocket: AcceptingSocket {
  package let descriptor: Int32
  private let path: String
  private let device: dev_t
  private let inode: ino_t

  /// Creates the socket's file with mode 600, replacing a socket on which no process listens.
  ///
  /// - Throws: `InvalidInput` if a process listens on it, another kind of file exists there, or the system
  ///   refuses.
  package init(path: String) throws(InvalidInput) {
    let descriptor = probe_open_socket(AF_UNIX, probe_stream, 0)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    do throws(InvalidInput) {
      try Self.bind(descriptor, to: path)
      // Set before listening, because no connection is accepted until then.
      var status = stat()
      guard unsafe chmod(path, 0o600) == 0, listen(descriptor, 64) == 0, unsafe lstat(path, &status) == 0
      else {
        throw Self.failure(path, errno)
      }
      (device, inode) = (status.st_dev, status.st_ino)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    close(descriptor)
    var status = stat()
    // Not the file of another process that has replaced it.
    if unsafe lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode {
      unsafe unlink(path)
    }
  }

  private static func bind(_ descriptor: Int32, to path: String) throws(InvalidInput) {
    if try unsafe withAddress(path, { unsafe Glibc.bind(descriptor, $0, $1) }) == 0 { return }
    guard errno == EADDRINUSE else { throw failure(path, errno) }
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw failure(path, errno) }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw InvalidInput("\(path.escapedForDisplay) exists and is not a socket", remedy: "use another path")
    }
    guard try !isLive(path) else {
      throw InvalidInput("another process listens at \(path.escapedForDisplay)", remedy: "use another path")
    }
    guard unsafe unlink(path) == 0 else { throw failure(path, errno) }
    guard try unsafe withAddress(path, { unsafe Glibc.bind(descriptor, $0, $1) }) == 0 else {
      throw failure(path, errno)
    }
  }

  /// Whether a process listens on a socket's file.
  private static func isLive(_ path: String) throws(InvalidInput) -> Bool {
    let client = probe_open_socket(AF_UNIX, probe_stream, 0)
    guard client >= 0 else { throw failure(path, errno) }
    defer { close(client) }
    // Only a socket without a listener refuses; the error for a full queue is EAGAIN.
    return try unsafe withAddress(path) { unsafe connect(client, $0, $1) } == 0 || errno != ECONNREFUSED
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(InvalidInput) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard !path.isEmpty, path.utf8.count <= limit, !path.utf8.contains(0) else {
      throw InvalidInput(
        "\(Excerpt(path)) is not the path of a socket", remedy: "use a path of 1 to \(limit) bytes")
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      unsafe bytes.copyBytes(from: path.utf8)
    }
    return unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  private static func failure(_ path: String, _ code: Int32) -> InvalidInput {
    InvalidInput("cannot listen at \(path.escapedForDisplay): \(unsafe String(cString: strerror(code)))")
  }
}
