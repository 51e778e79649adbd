package import ProbeTLS

/// Commonly needed servers.
extension LoopbackServer {
  /// An HTTP/1.1 server: reads a request, responds, and closes the connection with a FIN.
  ///
  /// - Parameters:
  ///   - address: The address to listen on.
  ///   - tls: The TLS context of an HTTPS server, or nil.
  ///   - keepAlive: Whether to keep the connection open for more requests.
  ///   - respond: Returns the response; called on the connection's thread.
  /// - Returns: The running server.
  /// - Throws: ``LoopbackError`` if it cannot listen.
  package static func http(
    on address: LoopbackAddress = .v4, tls: ServerContext? = nil, keepAlive: Bool = false,
    respond: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse
  ) throws -> LoopbackServer {
    try LoopbackServer(on: address, tls: tls) { connection in
      repeat {
        let request = try connection.readRequest()
        if request.isEmpty { return }
        try connection.send(respond(LoopbackRequest(request)).wireBytes(closing: !keepAlive))
      } while keepAlive
    }
  }

  /// A server that responds to every request with exactly these bytes, and ends with a FIN.
  ///
  /// - Throws: ``LoopbackError`` when it cannot listen.
  package static func responding(
    on address: LoopbackAddress = .v4, tls: ServerContext? = nil, with bytes: [UInt8]
  ) throws -> LoopbackServer {
    try LoopbackServer(on: address, tls: tls) { connection in
      if try connection.readRequest().isEmpty { return }
      try connection.send(bytes)
    }
  }

  /// A server that responds to a TLS handshake with these bytes and closes the connection with a FIN.
  ///
  /// Its ``url(_:)`` begins with `http`; use `https` instead.
  ///
  /// - Throws: ``LoopbackError`` if it cannot listen.
  package static func respondingToHandshake(
    on address: LoopbackAddress = .v4, with bytes: [UInt8]
  ) throws -> LoopbackServer {
    try LoopbackServer(on: address) { connection in
      // The first record is the ClientHello, in one piece on loopback.
      if try connection.read().isEmpty { return }
      try connection.send(bytes)
    }
  }

  /// A server that responds to a TLS handshake with a fatal alert (RFC 8446 §6.2), such as 40 for
  /// handshake_failure.
  ///
  /// - Throws: ``LoopbackError`` when it cannot listen.
  package static func tlsAlert(_ alert: UInt8, on address: LoopbackAddress = .v4) throws -> LoopbackServer {
    try respondingToHandshake(on: address, with: [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, alert])
  }

  /// A server that accepts, reads, and never responds.
  ///
  /// - Throws: ``LoopbackError`` when it cannot listen.
  package static func holding(on address: LoopbackAddress = .v4) throws -> LoopbackServer {
    try LoopbackServer(on: address) { connection in
      connection.hold()
    }
  }
}
