import ProbeCore

/// A transport whose responses come from a closure.
struct StubTransport: ProbeTransport {
  let answer: @Sendable (ProbeRequest) async throws -> ProbeResponse

  var schemes: [URLScheme: Encryption] { [.https: .encrypted, .http: .plaintext] }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    try await answer(request)
  }

  /// Responds with a status.
  static func status(_ code: Int) -> StubTransport {
    StubTransport { ProbeResponse(url: $0.url, head: HTTPResponseHead(status: code)) }
  }
}

extension TransportRegistry {
  /// A registry with a single transport.
  static func only(_ transport: any ProbeTransport) throws -> TransportRegistry {
    var registry = TransportRegistry()
    try registry.register(transport)
    return registry
  }
}

/// A transport with another transport's schemes and settings, whose responses come from a closure.
struct AnsweringTransport: ProbeTransport {
  private let transport: any ProbeTransport
  private let answer: @Sendable (ProbeRequest) throws -> ProbeResponse

  init(_ transport: any ProbeTransport, _ answer: @escaping @Sendable (ProbeRequest) throws -> ProbeResponse)
  {
    self.transport = transport
    self.answer = answer
  }

  var schemes: [URLScheme: Encryption] { transport.schemes }

  func requestKeys(for scheme: URLScheme) -> [RequestKey] { transport.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse { try answer(request) }
}
