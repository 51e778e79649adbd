import ProbeCore

@testable import ProbePipeline

/// An in-memory transport, whose responses come from a closure.
struct FakeTransport: ProbeTransport {
  let schemes: [URLScheme: Encryption]
  let executors: [any TaskExecutor]
  let answer: @Sendable (ProbeRequest) async throws -> ProbeResponse

  init(
    schemes: [URLScheme: Encryption] = [.http: .plaintext, .https: .encrypted, .tcp: .plaintext],
    executors: [any TaskExecutor] = [],
    answer: @escaping @Sendable (ProbeRequest) async throws -> ProbeResponse
  ) {
    self.schemes = schemes
    self.executors = executors
    self.answer = answer
  }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse { try await answer(request) }

  /// A registry with only this transport.
  var registry: TransportRegistry {
    get throws {
      var registry = TransportRegistry()
      try registry.register(self)
      return registry
    }
  }
}

extension ProbeRequest {
  /// The request without its references to the run, for a test to keep: the run refers to the test's transport.
  var withoutRun: ProbeRequest {
    var request = self
    (request.cookies, request.furtherReading) = (nil, nil)
    return request
  }
}
