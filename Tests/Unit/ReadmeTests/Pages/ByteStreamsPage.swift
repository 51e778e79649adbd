import ByteStreams
import ProbeCore

/// Probes `nntps://host` URLs (RFC 3977, RFC 8143): reads the capabilities of a news server.
struct NewsTransport: ProbeTransport {
  private let connector = StreamConnector()

  var schemes: [URLScheme: Encryption] { ["nntps": .encrypted] }
  var executors: [any TaskExecutor] { connector.executors }

  func check(_ request: ProbeRequest) throws(InvalidInput) { try connector.check(request) }
  func checkFiles(of request: ProbeRequest) throws(InvalidInput) { try connector.checkFiles(of: request) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    let stream = try await connector.connect(for: request, defaultPort: 563, encryption: .encrypted)
    let greeting = try await stream.readLine()
    guard greeting.hasPrefix("20") else {
      throw stream.failure(.bodyMismatch, "the server greets with \(Excerpt(greeting))")
    }
    try await stream.write("CAPABILITIES\r\nQUIT\r\n")
    try await stream.readBody()
    return stream.response
  }
}
