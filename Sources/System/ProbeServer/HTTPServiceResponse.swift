internal import ProbeBase
internal import ProbeCodecs

/// The response of a service.
package struct HTTPServiceResponse: Hashable, Sendable {
  package var status: Int
  /// The media type of the body.
  package var contentType: String
  /// Additional header fields, as lines without line breaks.
  package var fields: [String]
  package var body: [UInt8]
  /// Whether the content is compressed if it is large and the client accepts that.
  ///
  /// If the content contains both a secret and text from the client, its compressed length would reveal the
  /// secret (BREACH).
  package var mayBeCompressed = false

  package init(status: Int = 200, contentType: String, fields: [String] = [], body: [UInt8]) {
    (self.status, self.contentType, self.fields, self.body) = (status, contentType, fields, body)
  }

  /// The bytes on the wire.
  ///
  /// - Parameters:
  ///   - isHEADRequest: Whether the request's method is HEAD, so that no content follows.
  ///   - closes: Whether the connection is closed afterwards.
  ///   - commonFields: Header fields of every response, as lines.
  /// - Returns: The head, and the content.
  func bytes(isHEADRequest: Bool, closes: Bool, commonFields: [String] = []) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512 + (isHEADRequest ? 0 : body.count))
    func add(_ line: String) {
      bytes += line.utf8
      bytes += "\r\n".utf8
    }
    add("HTTP/1.1 \(status) \(Self.reasons[status] ?? "")")
    add("Content-Type: \(contentType)")
    add("Content-Length: \(body.count)")
    // The content changes, and is only for this client.
    add("Cache-Control: no-store\r\nX-Content-Type-Options: nosniff")
    fields.forEach(add)
    commonFields.forEach(add)
    if closes { add("Connection: close") }
    add("")
    if !isHEADRequest { bytes += body }
    return bytes
  }

  private static let reasons = [
    200: "OK", 201: "Created", 302: "Found", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict",
    413: "Content Too Large",
    417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content",
    429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
    501: "Not Implemented",
    503: "Service Unavailable", 505: "HTTP Version Not Supported",
  ]
}

/// The reason why a service does not fulfill a request.
package struct HTTPServiceFailure: Error, Hashable, Sendable {
  package var status: Int
  package var message: String
  /// What the client can do about it, if that is known.
  package var remedy: String?
  /// Additional header fields of the response, as lines.
  package var fields: [String]

  package init(status: Int, _ message: String, remedy: String? = nil, fields: [String] = []) {
    (self.status, self.message, self.remedy, self.fields) = (status, message, remedy, fields)
  }

  /// The failure as a line of text.
  var plainResponse: HTTPServiceResponse {
    let text = message + (remedy.map { ": \($0)" } ?? "") + "\n"
    return HTTPServiceResponse(
      status: status, contentType: "text/plain; charset=utf-8", fields: fields, body: Array(text.utf8))
  }
}

/// The content codings that a client accepts (RFC 9110 §12.5.3).
struct AcceptedCodings {
  private var weights: [String: Double] = [:]

  /// The codings in the Accept-Encoding fields of a request; elements with a malformed weight are ignored.
  init(_ request: HTTPServiceRequest) {
    for field in request.fields where field.name == "accept-encoding" {
      for element in field.value.parts(between: ",") {
        let (coding, parameter) = element.divided(at: ";") ?? (element, "")
        let name = coding.withoutOuterSpace.lowercased()
        let isWeighted = coding.endIndex < element.endIndex
        guard !name.isEmpty, let weight = isWeighted ? Self.weight(parameter) : 1 else { continue }
        weights[name == "x-gzip" ? "gzip" : name] = weight
      }
    }
  }

  /// Whether the client accepts gzip, and does not prefer uncompressed content.
  var prefersGzip: Bool {
    let gzip = weights["gzip"] ?? weights["*"] ?? 0
    return gzip > 0 && gzip >= weights["identity"] ?? 0
  }

  /// The weight in `q=0.5`, from 0 to 1 with at most three decimals (RFC 9110 §12.4.2); nil if it is malformed.
  private static func weight(_ text: Substring) -> Double? {
    guard let (name, value) = text.divided(at: "="), name.withoutOuterSpace.lowercased() == "q" else {
      return nil
    }
    let digits = value.withoutOuterSpace
    guard (1...5).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
      let weight = Double(digits), weight <= 1
    else { return nil }
    return weight
  }
}

extension HTTPServiceResponse {
  /// The minimum size in bytes of a body to compress.
  private static let minimumCompressedSize = 1024

  /// The response in the form that a client prefers.
  ///
  /// It has a Vary field even if it is not compressed, so that caches know that it depends on the request
  /// (RFC 9110 §12.5.5).
  func coded(for request: HTTPServiceRequest) -> HTTPServiceResponse {
    guard mayBeCompressed, body.count >= Self.minimumCompressedSize else { return self }
    var coded = self
    coded.fields.append("Vary: Accept-Encoding")
    guard AcceptedCodings(request).prefersGzip, let packed = Deflation.gzip(body) else { return coded }
    coded.body = packed
    coded.fields.append("Content-Encoding: gzip")
    return coded
  }
}
