import ProbeCore
import ProbeBase

/// A transport in memory, which responds from a closure and records the requests.
final class RecordingTransport: ProbeTransport {
  let schemes: [URLScheme: Encryption]
  private let requests = Guarded<[ProbeRequest]>([])
  private let respond: @Sendable (ProbeRequest) async throws -> ProbeResponse

  init(
    _ schemes: [URLScheme: Encryption] = [.http: .plaintext, .https: .encrypted],
    respond: @escaping @Sendable (ProbeRequest) async throws -> ProbeResponse
  ) {
    self.schemes = schemes
    self.respond = respond
  }

  /// A transport that redirects according to a table of URLs, and responds with 200 at the end.
  convenience init(redirects: [String: String], status: Int = 302, taking time: Duration? = nil) {
    self.init { request in
      let location = redirects[request.url.string]
      return ProbeResponse(
        url: request.url,
        head: HTTPResponseHead(
          status: location == nil ? 200 : status,
          fields: HeaderFields(location.map { [(name: "Location", value: $0)] } ?? [])),
        timings: ProbeTimings(total: time))
    }
  }

  var seen: [ProbeRequest] { requests.withLock { $0 } }
  var urls: [String] { seen.map(\.url.string) }

  func check(_ request: ProbeRequest) throws(InvalidInput) {
    if request.maxBody < 0 { throw InvalidInput("a body cannot be that short") }
  }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    requests.withLock { $0.append(request) }
    return try await respond(request)
  }

  /// Probes with only this transport.
  func probe(
    _ url: String, policy: ProbePolicy = .plaintextAllowed, change: (inout ProbeRequest) -> Void = { _ in }
  ) async throws -> ProbeResponse {
    var transports = TransportRegistry()
    try transports.register(self)
    var request = ProbeRequest(try ProbeURL(url))
    change(&request)
    return try await Prober(transports, policy: policy).probe(request)
  }

  /// The failure of a probe that must fail.
  func failure(
    _ url: String, policy: ProbePolicy = .plaintextAllowed, change: (inout ProbeRequest) -> Void = { _ in }
  ) async throws -> ProbeFailure? {
    do {
      _ = try await probe(url, policy: policy, change: change)
      return nil
    } catch let failure as ProbeFailure {
      return failure
    }
  }
}
