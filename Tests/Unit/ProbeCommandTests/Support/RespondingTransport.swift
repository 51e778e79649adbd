import ProbeCore

/// A transport with another transport's schemes and settings, whose responses come from a closure.
struct RespondingTransport: ProbeTransport {
  private let transport: any ProbeTransport
  private let respond: @Sendable (ProbeRequest) throws -> ProbeResponse

  init(_ transport: any ProbeTransport, _ respond: @escaping @Sendable (ProbeRequest) throws -> ProbeResponse)
  {
    self.transport = transport
    self.respond = respond
  }

  var schemes: [URLScheme: Encryption] { transport.schemes }

  func requestKeys(for scheme: URLScheme) -> [RequestKey] { transport.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse { try respond(request) }
}
