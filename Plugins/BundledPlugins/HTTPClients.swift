internal import CurlTransport
internal import Transports
internal import ProbeCore
internal import ProbeSystem

/// HTTP and HTTPS with two clients.
///
/// Each request uses the client that it names. Otherwise it uses ProbeKit's own client if that supports
/// everything the request needs, or else libcurl.
struct HTTPClients: ProbeTransport {
  private let own: HTTPTransport
  private let curl: LibcurlTransport

  /// Creates clients that share event loops with other transports.
  init(loops: EventLoops) {
    own = HTTPTransport(loops: loops)
    curl = LibcurlTransport(loops: loops)
  }

  private func client(for request: ProbeRequest) -> any CheckedTransport {
    switch request.http.client {
    case .own: own
    case .curl: curl
    default: needsCurl(request) ? curl : own
    }
  }

  private func needsCurl(_ request: ProbeRequest) -> Bool {
    if request.http.version == .v2 || request.proxy?.kind == .https { return true }
    // Only ProbeKit's own client observes certificates.
    return request.http.offersHTTP2 && request.url.scheme == .https
      && !request.tls.checks.observesCertificates
  }

  var schemes: [URLScheme: Encryption] { own.schemes }

  var executors: [any TaskExecutor] { own.executors }

  func check(_ request: ProbeRequest) throws(InvalidInput) {
    guard HTTPClient.all.contains(request.http.client) else {
      throw InvalidInput(
        "\(Excerpt(request.http.client.rawValue)) is not an HTTP client", remedy: "use own or curl"
      ).about("client")
    }
    do throws(InvalidInput) { try client(for: request).check(request) } catch {
      guard request.http.client == .automatic, error.settings.contains("client") else { throw error }
      // The client is libcurl because of these.
      let reasons = [
        request.http.version == .v2 ? "httpVersion" : nil, request.proxy?.kind == .https ? "proxy" : nil,
      ]
      throw error.about(error.settings + reasons.compactMap(\.self))
    }
  }

  func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    try client(for: request).checkFiles(of: request)
  }

  func requestKeys(for scheme: URLScheme) -> [RequestKey] { own.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    try await client(for: request).probe(request)
  }
}

extension HTTPClients: CheckedTransport {
  func probe(checked request: ProbeRequest) async throws -> ProbeResponse {
    try await client(for: request).probe(checked: request)
  }
}

extension HTTPClients: AddressFinding {
  // This also applies to libcurl, which then looks up the name again.
  func addresses(for request: ProbeRequest) async throws(ProbeFailure) -> FoundAddresses? {
    try await own.addresses(for: request)
  }
}

extension HTTPClients: RecordingTransport {
  func probe(
    _ request: ProbeRequest, recordingTo record: @escaping @Sendable (WireRecord) -> Void
  ) async throws -> ProbeResponse {
    guard request.http.client != .curl else {
      throw ProbeFailure(.invalidRequest, "exchanges of the client curl cannot be recorded")
    }
    return try await own.probe(request, recordingTo: record)
  }
}
