package import ProbeCore

/// An in-memory transport, whose responses come from a closure.
package struct FakeTransport: ProbeTransport {
  package let schemes: [URLScheme: Encryption]
  package let executors: [any TaskExecutor]
  private let answer: @Sendable (ProbeRequest) async throws -> ProbeResponse

  /// A transport of these schemes, with the executors and the responses of a test.
  package init(
    schemes: [URLScheme: Encryption] = [.http: .plaintext, .https: .encrypted, .tcp: .plaintext],
    executors: [any TaskExecutor] = [],
    answer: @escaping @Sendable (ProbeRequest) async throws -> ProbeResponse
  ) {
    self.schemes = schemes
    self.executors = executors
    self.answer = answer
  }

  /// The response of the closure.
  package func probe(_ request: ProbeRequest) async throws -> ProbeResponse { try await answer(request) }

  /// A transport that responds with a status.
  package static func status(_ code: Int) -> FakeTransport {
    FakeTransport { ProbeResponse(url: $0.url, head: HTTPResponseHead(status: code)) }
  }

  /// A registry with only this transport.
  package var registry: TransportRegistry {
    get throws { try .only(self) }
  }
}

extension TransportRegistry {
  /// A registry with a single transport.
  package static func only(_ transport: any ProbeTransport) throws -> TransportRegistry {
    var registry = TransportRegistry()
    try registry.register(transport)
    return registry
  }
}
