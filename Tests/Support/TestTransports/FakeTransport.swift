package import ProbeCore

/// An in-memory transport, whose responses come from a closure.
package struct FakeTransport: ProbeTransport {
  package let schemes: [URLScheme: Encryption]
  package let executors: [any TaskExecutor]
  private let respond: @Sendable (ProbeRequest) async throws -> ProbeResponse

  /// A transport of these schemes, with the executors and the responses of a test.
  package init(
    schemes: [URLScheme: Encryption] = [.http: .plaintext, .https: .encrypted, .tcp: .plaintext],
    executors: [any TaskExecutor] = [],
    respond: @escaping @Sendable (ProbeRequest) async throws -> ProbeResponse
  ) {
    self.schemes = schemes
    self.executors = executors
    self.respond = respond
  }

  /// The response of the closure.
  package func probe(_ request: ProbeRequest) async throws -> ProbeResponse { try await respond(request) }

  package static func status(_ code: Int) -> FakeTransport {
    FakeTransport { ProbeResponse(url: $0.url, head: HTTPResponseHead(status: code)) }
  }

  package var registry: TransportRegistry {
    get throws { try .only(self) }
  }
}

extension TransportRegistry {
  package static func only(_ transport: any ProbeTransport) throws -> TransportRegistry {
    var registry = TransportRegistry()
    try registry.register(transport)
    return registry
  }
}
