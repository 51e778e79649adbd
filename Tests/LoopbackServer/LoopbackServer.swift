package import ProbeOpenSSL

/// A scripted TCP server on loopback, inside the test's own process: a port, and a closure for each connection.
///
/// Each connection has a thread of its own and blocking calls, so that a script reads like what happens on the wire.
/// When the closure returns, the connection ends with a FIN (in TLS a close notification before it) and what the
/// client still sends is drained, because closing with unread bytes would send a RST. When it throws, as it does
/// when the client has gone, the connection is closed.
///
/// ``stop()`` ends everything, and so does the end of the server's life.
package final class LoopbackServer: Sendable {
  /// What is done with one connection.
  package typealias Script = @Sendable (LoopbackConnection) throws -> Void

  /// Where it listens.
  package let address: LoopbackAddress
  /// The port it listens on.
  package let port: UInt16
  private let isTLS: Bool
  private let crew: Crew

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - address: Where to listen.
  ///   - tls: When given, a TLS handshake is done before the script starts.
  ///   - script: What to do with each connection.
  /// - Throws: ``LoopbackError`` when it cannot listen.
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

  /// The requests that scripts read with ``LoopbackConnection/readRequest()``, byte by byte, in the order they came.
  package var requests: [[UInt8]] { crew.journal.requests }

  /// The requests as text.
  package var requestTexts: [String] {
    requests.map { String(decoding: $0, as: UTF8.self) }
  }

  /// How many connections were accepted.
  package var connectionCount: Int { crew.journal.connections }

  /// Why TLS handshakes failed.
  package var handshakeFailures: [TLSError] { crew.journal.handshakeFailures }

  /// The host names that clients asked for in TLS handshakes (SNI); nil where a client named none.
  package var serverNames: [String?] { crew.journal.serverNames }
}
