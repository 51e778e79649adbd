import ByteStreams
import ProbeCore

/// Probes `finger://host/user` URLs (RFC 1288): sends the user's name and reads until the server closes the connection.
struct FingerTransport: ProbeTransport {
  private let connector = StreamConnector()

  var schemes: [URLScheme: Encryption] { ["finger": .plaintext] }
  var executors: [any TaskExecutor] { connector.executors }

  func check(_ request: ProbeRequest) throws(InvalidInput) { try connector.check(request) }

  func requestKeys(for scheme: URLScheme) -> [RequestKey] { RequestKey.common + RequestKey.connection }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    let stream = try await connector.connect(for: request, defaultPort: 79)
    try await stream.write("\(request.url.path.dropFirst())\r\n")
    try await stream.readBody()
    return stream.response
  }
}
