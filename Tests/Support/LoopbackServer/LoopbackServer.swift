package import ProbeTLS

/// A scripted TCP server on loopback in the test's process: a port, and a closure for each connection.
///
/// Each connection has its own thread and blocking calls, so that a script reads like the sequence of events
/// on the wire. When the closure returns, the connection is closed with a FIN (in TLS preceded by a
/// close_notify alert) and further input is drained, because closing with unread bytes would send an RST. When
/// it throws, which it does if the client has gone, the connection is closed at once.
///
/// The server ends on ``stop()`` or when it is deinitialized.
package final class LoopbackServer: Sendable {
  /// The script for one connection.
  package typealias Script = @Sendable (LoopbackConnection) throws -> Void

  /// Where it listens.
  package let address: LoopbackAddress
  package let port: UInt16
  private let isTLS: Bool
  private let crew: Crew

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - address: The address to listen on.
  ///   - tls: If given, a TLS handshake is performed before the script starts.
  ///   - script: The script for each connection.
  /// - Throws: ``LoopbackError`` if it cannot listen.
  package init(
    on address: LoopbackAddress = .v4, tls: ServerContext? = nil, script: @escaping Script
  ) throws {
    let listener = try Socket.bound(to: address)
    try listener.listen(backlog: 1024)
    self.address = address
    isTLS = tls != nil
    port = listener.port
    crew = Crew(listener: listener, tls: tls, script: script)
    try crew.start()
  }

  deinit {
    crew.stop()
  }

  /// Ends all connections, waits for their threads, and closes the port.
  ///
  /// It must not be called from a script.
  package func stop() {
    crew.stop()
  }
}

extension LoopbackServer {
  /// The URL of a path on this server, with the address as its host.
  package func url(_ path: String = "/") -> String {
    "\(isTLS ? "https" : "http")://\(address.urlHost):\(port)\(path)"
  }

  /// The bytes of the requests read with ``LoopbackConnection/readRequest()``, in the order received.
  package var requests: [[UInt8]] { crew.journal.requests }

  package var requestTexts: [String] {
    requests.map { String(decoding: $0, as: UTF8.self) }
  }

  /// How many connections were accepted.
  package var connectionCount: Int { crew.journal.connections }

  /// Why TLS handshakes failed.
  package var handshakeFailures: [TLSError] { crew.journalAfterHandshakes.handshakeFailures }

  /// The server names that clients sent in TLS handshakes (SNI); nil for a client that sent none.
  package var serverNames: [String?] { crew.journalAfterHandshakes.serverNames }
}
