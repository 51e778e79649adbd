internal import Glibc
package import ProbeBase

/// A listening socket that another program opened, such as systemd; it is closed when deinitialized.
package final class InheritedListeningSocket: AcceptingSocket {
  package let descriptor: Int32
  /// The address it is bound to; nil for a Unix socket.
  package let address: SocketAddress?

  /// Takes ownership of a socket.
  ///
  /// The socket becomes nonblocking, and is not inherited by child processes.
  ///
  /// - Throws: `InvalidInput` if the descriptor is not that of a listening stream socket.
  package init(_ descriptor: Int32) throws(InvalidInput) {
    let isListening =
      Self.option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue)
      && Self.option(SO_ACCEPTCONN, of: descriptor) == 1
    let flags = fcntl(descriptor, F_GETFL)
    guard isListening, flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    else {
      throw InvalidInput(
        "descriptor \(descriptor) is not a socket that listens",
        remedy: "use ListenStream= in the socket unit, with Accept=no")
    }
    self.descriptor = descriptor
    address = SocketAddress(of: descriptor)
    // Accepted connections inherit this option: each part of a response is sent at once.
    if address != nil { StreamSocket(descriptor: descriptor).sendAtOnce() }
  }

  deinit {
    close(descriptor)
  }

  private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
  }
}

/// The sockets that systemd passes to a service when it starts it (sd_listen_fds(3)).
package enum SocketActivation {
  /// The first descriptor that is passed.
  private static let first: Int32 = 3
  /// The maximum number of descriptors.
  private static let maximumCount: Int32 = 64

  /// The descriptors that were passed, in the order of the socket units.
  ///
  /// - Parameters:
  ///   - environment: The variables of the process, as at its start.
  ///   - process: The process ID.
  /// - Returns: The descriptors; none if the variables are for another process, or there are none.
  /// - Throws: `InvalidInput` if a variable is not a number, or there are too many sockets.
  package static func descriptors(
    environment: [String: String], process: Int32 = getpid()
  ) throws(InvalidInput) -> [Int32] {
    guard let owner = environment["LISTEN_PID"], let count = environment["LISTEN_FDS"] else { return [] }
    guard let owner = Int32(text: owner), let count = Int32(text: count), count >= 0 else {
      throw InvalidInput(
        "LISTEN_PID and LISTEN_FDS are not numbers", remedy: "unset both, or let systemd set them")
    }
    // A program started by a service may have inherited its variables.
    guard owner == process else { return [] }
    guard count <= maximumCount else {
      throw InvalidInput("LISTEN_FDS is \(count), more than \(maximumCount)", remedy: "use fewer sockets")
    }
    return Array(first..<first + count)
  }
}
