import ProbeCore

/// A transport that answers from a closure.
struct StubTransport: ProbeTransport {
  let answer: @Sendable (ProbeRequest) async throws -> ProbeResponse

  var schemes: [URLScheme: Encryption] { [.https: .encrypted, .http: .plaintext] }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    try await answer(request)
  }

  /// Answers with a status.
  static func status(_ code: Int) -> StubTransport {
    StubTransport { ProbeResponse(url: $0.url, head: HTTPResponseHead(status: code)) }
  }
}

extension TransportRegistry {
  /// A registry with one transport alone.
  static func only(_ transport: any ProbeTransport) throws -> TransportRegistry {
    var registry = TransportRegistry()
    try registry.register(transport)
    return registry
  }
}
