import ProbeCore

/// A transport with another transport's schemes and settings, whose responses come from a closure.
struct RespondingTransport: ProbeTransport {
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
