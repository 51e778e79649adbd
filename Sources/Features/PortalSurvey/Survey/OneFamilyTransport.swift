import ProbeCore

/// A transport that uses addresses of one family only, whatever the request specifies.
struct OneFamilyTransport: ProbeTransport {
  let transport: any ProbeTransport
  let family: IPFamily

  var schemes: [URLScheme: Encryption] { transport.schemes }

  var executors: [any TaskExecutor] { transport.executors }

  func check(_ request: ProbeRequest) throws(InvalidInput) { try transport.check(request) }

  func checkFiles(of request: ProbeRequest) throws(InvalidInput) { try transport.checkFiles(of: request) }

  func requestKeys(for scheme: URLScheme) -> [RequestKey] { transport.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    var request = request
    request.family = family
    return try await transport.probe(request)
  }
}
