/// A port that refuses connections; it is reserved as long as this object exists.
package final class RefusedPort: Sendable {
  package let port: UInt16
  private let socket: Socket

  /// Binds a free port and does not listen on it.
  ///
  /// - Throws: ``LoopbackError`` if there is none.
  package init(on address: LoopbackAddress = .v4) throws {
    socket = try Socket.bound(to: address)
    port = socket.port
  }

  deinit {
    socket.close()
  }
}

extension LoopbackServer {
  private static let refused = Result { try RefusedPort() }

  /// A port of 127.0.0.1 that refuses connections as long as this process runs.
  ///
  /// It stays bound without listening: a port that was merely closed could be used by a server of a
  /// concurrent test.
  ///
  /// - Throws: ``LoopbackError`` if there is no free port.
  package static func refusedPort() throws -> UInt16 {
    try refused.get().port
  }
}

/// A port that neither accepts nor refuses connections, as behind a firewall that drops packets.
///
/// It listens with a queue for one connection, which is full: the system drops every further attempt.
package final class BlackholePort: Sendable {
  package let port: UInt16
  private let listener: Socket
  private let filler: Socket

  /// Binds a free port and fills its queue.
  ///
  /// - Throws: ``LoopbackError`` if there is none.
  package init(on address: LoopbackAddress = .v4) throws {
    listener = try Socket.bound(to: address)
    try listener.listen(backlog: 0)
    port = listener.port
    filler = try Socket.connected(to: address, port: port)
    // From here on the filler is in the queue.
    listener.waitUntilReadable()
  }

  deinit {
    filler.close()
    listener.close()
  }
}

/// A port that accepts connections but never reads from them; its buffers are small.
package final class UnreadPort: Sendable {
  package let port: UInt16
  private let listener: Socket

  /// Listens on a free port.
  ///
  /// - Throws: ``LoopbackError`` if there is none.
  package init(on address: LoopbackAddress = .v4) throws {
    listener = try Socket.bound(to: address)
    listener.keepBuffersSmall()
    try listener.listen(backlog: 16)
    port = listener.port
  }

  deinit {
    listener.close()
  }
}
