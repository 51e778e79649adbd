/// A port that refuses connections, kept as long as this object lives, so that nobody else is given it.
package final class RefusedPort: Sendable {
  /// The port.
  package let port: UInt16
  private let socket: Socket

  /// Takes a free port and does not listen on it.
  ///
  /// - Throws: ``LoopbackError`` when there is none.
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

  /// A port of 127.0.0.1 where connections are refused as long as this process runs.
  ///
  /// It stays bound without listening: a port that was merely closed may belong to a parallel test's server a
  /// moment later.
  ///
  /// - Throws: ``LoopbackError`` when there is no free port.
  package static func refusedPort() throws -> UInt16 {
    try refused.get().port
  }
}

/// A port that neither accepts nor refuses, as behind a firewall that drops packets.
///
/// It listens without a backlog, and the one place there is filled: the system drops every further attempt.
package final class BlackholePort: Sendable {
  /// The port.
  package let port: UInt16
  private let listener: Socket
  private let filler: Socket

  /// Takes a free port and fills its queue.
  ///
  /// - Throws: ``LoopbackError`` when there is none.
  package init(on address: LoopbackAddress = .v4) throws {
    listener = try Socket.bound(to: address)
    try listener.listen(backlog: 0)
    port = listener.port
    filler = try Socket.connected(to: address, port: port)
    // From here on the filler stands in the queue, not on its way there.
    listener.waitUntilReadable()
  }

  deinit {
    filler.close()
    listener.close()
  }
}

/// A port where connections stand, and nothing that is sent on them is ever read; little of it can be on its way.
package final class UnreadPort: Sendable {
  /// The port.
  package let port: UInt16
  private let listener: Socket

  /// Takes a free port and listens on it.
  ///
  /// - Throws: ``LoopbackError`` when there is none.
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
