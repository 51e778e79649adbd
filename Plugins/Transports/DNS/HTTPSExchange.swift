internal import ProbeCore
internal import ProbeStreams

/// A query over HTTPS (RFC 8484), by another transport: POST with the message as the content.
struct HTTPSExchange {
  /// The media type of messages (RFC 8484 §6).
  static let mediaType = "application/dns-message"
  /// The maximum size of a message in bytes (RFC 8484 §6).
  static let maximumMessageSize = 65_535
  /// The ID of every message, so that caches can store responses (RFC 8484 §4.1).
  static let id: UInt16 = 0

  let query: DNSQuery
  let http: any ProbeTransport

  /// The HTTP request for a message.
  ///
  /// It has the settings for connections and TLS of the request, and none of its other ones.
  ///
  /// - Throws: `InvalidInput` if the path cannot be part of a URL.
  static func request(for request: ProbeRequest, message: [UInt8]) throws(InvalidInput) -> ProbeRequest {
    var onward = request
    onward.url = try url(for: request)
    onward.maxBody = maximumMessageSize
    onward.redirects = 0
    onward.expectation = nil
    (onward.furtherReading, onward.bodyKeeping) = (nil, nil)
    (onward.keepsCookies, onward.cookies) = (false, nil)
    var http = HTTPRequestOptions()
    http.method = "POST"
    http.headers = ["Content-Type": mediaType, "Accept": mediaType]
    http.contentCodings = []
    http.body = message
    // Some servers accept nothing else.
    http.offersHTTP2 = true
    onward.http = http
    return onward
  }

  private static func url(for request: ProbeRequest) throws(InvalidInput) -> ProbeURL {
    let url = request.url
    if let path = try QuestionElements(of: url).path { return try Self.url(of: url, path) }
    do throws(InvalidInput) {
      return try Self.url(of: url, request.dnsQuery.path)
    } catch {
      throw error.about("path")
    }
  }

  private static func url(of url: ProbeURL, _ path: String) throws(InvalidInput) -> ProbeURL {
    guard !path.contains("{") else {
      throw InvalidInput(
        "the path \(Excerpt(path)) is a template (RFC 8484 §4.1), whose variable is for GET",
        remedy: "write it without {?dns}, as in /dns-query")
    }
    guard path.first == "/", !path.contains("#") else {
      throw InvalidInput(
        "the path \(Excerpt(path)) is not that of a server for queries over HTTPS",
        remedy: "write one such as /dns-query")
    }
    return try ProbeURL("https://\(url.host.bracketedHost)\(url.explicitPort.map { ":\($0)" } ?? "")\(path)")
  }

  /// Sends the query, and receives the response.
  ///
  /// - Throws: `ProbeFailure` with the reason and everything learned so far.
  func response(to request: ProbeRequest, message: [UInt8]) async throws -> ProbeResponse {
    let onward: ProbeRequest
    do throws(InvalidInput) { onward = try Self.request(for: request, message: message) } catch {
      throw ProbeFailure(.invalidRequest, error.description)
    }
    do {
      let response = try await http.probe(onward)
      return try self.response(to: request, in: response)
    } catch let failure as ProbeFailure {
      var partial = failure.partial
      partial?.url = request.url
      throw ProbeFailure(failure.reason, failure.detail, partial: partial)
    }
  }

  private func response(
    to request: ProbeRequest, in received: ProbeResponse
  ) throws(ProbeFailure) -> ProbeResponse {
    guard let head = received.head, head.status == 200 else {
      let found = received.head?.statusForDisplay ?? "none"
      throw ProbeFailure(
        .httpStatus, "a DNS response over HTTPS has status 200, and the server sent \(found)",
        partial: received)
    }
    let type = head.fields["Content-Type"] ?? ""
    guard Self.isMessage(type) else {
      let found = type.isEmpty ? "no Content-Type" : "\(Excerpt(type))"
      throw ProbeFailure(
        .dnsFailure, "the response is not a DNS message: it has \(found), not \(Self.mediaType)",
        partial: received)
    }
    guard !received.bodyIsCut else {
      throw ProbeFailure(
        .dnsFailure, "the response is longer than a DNS message can be: \(Self.maximumMessageSize) bytes",
        partial: received)
    }
    do throws(LDNSError) {
      let dns = try DNSResponse(received.body, to: query, id: Self.id)
      var response = received
      response.url = request.url
      (response.head, response.retryAfter, response.deviations) = (nil, nil, [])
      return response.with(dns, maxBody: request.maxBody)
    } catch {
      throw ProbeFailure(.dnsFailure, "the response is not valid: \(error.words)", partial: received)
    }
  }

  /// Whether a Content-Type is that of a message, with any parameters.
  private static func isMessage(_ type: String) -> Bool {
    let name = type.prefix { $0 != ";" && !$0.isWhitespace }
    return name.lowercased() == mediaType
  }
}
