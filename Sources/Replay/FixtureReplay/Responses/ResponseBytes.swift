internal import ProbeHTTPWire
internal import ProbeCore

/// A response's bytes, split where its head ends.
struct ResponseBytes: Hashable, Sendable {
  /// From the status line to the empty line; empty on a plain TCP connection, and when the bytes have no head.
  var head: [UInt8]
  /// The bytes after the head.
  var body: [UInt8]

  /// Splits the bytes of an HTTP response; interim responses before the final one are part of its head.
  init(http bytes: [UInt8]) {
    let end = WireResponse(bytes, isToHead: false).headCount
    head = Array(bytes[..<end])
    body = Array(bytes[end...])
  }

  /// A response without a head.
  init(body: [UInt8]) {
    head = []
    self.body = body
  }

  /// Serializes a composed response.
  init(_ response: ComposedResponse) {
    let reason = response.reason ?? StatusPhrase.usual(for: response.status)
    var head = "HTTP/\(response.version) \(response.status) \(reason)\r\n"
    for line in response.headers { head += line + "\r\n" }
    let names = response.headers.map { $0.prefix { $0 != ":" }.lowercased() }
    if response.allowsContent, !names.contains("content-length"), !names.contains("transfer-encoding") {
      head += "Content-Length: \(response.body.count)\r\n"
    }
    self.head = Array((head + "\r\n").utf8)
    body = response.allowsContent ? response.body : []
  }

  /// The head followed by the body.
  var all: [UInt8] { head + body }
}

extension ResponseBytes {
  /// The values of the header fields with this lower-case name, without those of interim responses.
  func values(of name: StaticString) -> [String] {
    let wire = head.span
    return lines.fields.compactMap { line in
      guard let field = FieldPosition(line, of: wire), field.isNamed(name, in: wire) else { return nil }
      return String(decoding: head[field.value], as: UTF8.self)
    }
  }

  /// Whether the connection stays open for another request after a response with this head (RFC 9112 §9.3).
  var keepsConnection: Bool {
    let tokens = values(of: "connection").joined(separator: ",").lowercased()
    if tokens.contains("close") { return false }
    return !head.starts(with: "HTTP/1.0".utf8) || tokens.contains("keep-alive")
  }

  /// The head without the fields with these lower-case names, and with these lines appended.
  func head(without names: [StaticString] = [], adding added: [String] = []) -> [UInt8] {
    guard !head.isEmpty else { return [] }
    let (wire, lines) = (head.span, lines)
    var result = Array(head[..<lines.startLine.upperBound])
    for line in lines.fields {
      let field = FieldPosition(line, of: wire)
      if !names.contains(where: { field?.isNamed($0, in: wire) ?? false }) { result += head[line] }
    }
    // A truncated head may end inside a line, or inside its line end.
    if result.last == UInt8(ascii: "\r") { result.removeLast() }
    if result.last != UInt8(ascii: "\n") { result += Array("\r\n".utf8) }
    for line in added { result += Array("\(line)\r\n".utf8) }
    return result + Array("\r\n".utf8)
  }

  /// The lines of the head, without those of interim responses.
  private var lines: HeadLines {
    let wire = head.span
    var lines = HeadLines(wire)
    while lines.end < head.count { lines = HeadLines(wire, from: lines.end) }
    return lines
  }
}

extension ReplayResponse {
  /// The same response with one more header field.
  func adding(_ line: String) -> ReplayResponse {
    switch self {
    case .send(let bytes):
      let parts = ResponseBytes(http: bytes)
      return parts.head.isEmpty ? self : .send(parts.head(adding: [line]) + parts.body)
    case .respond(var response):
      response.headers.append(line)
      return .respond(response)
    }
  }
}

extension ComposedResponse {
  /// Whether the status allows content (RFC 9110 §6.4.1).
  var allowsContent: Bool { status >= 200 && status != 204 && status != 304 }
}

/// The usual reason phrases (RFC 9110 §15, RFC 6585).
enum StatusPhrase {
  private static let phrases: [Int: String] = [
    100: "Continue", 101: "Switching Protocols", 103: "Early Hints",
    200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
    205: "Reset Content", 206: "Partial Content",
    300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect",
    400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
    408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed",
    413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
    416: "Range Not Satisfiable",
    417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content",
    426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
    431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout", 505: "HTTP Version Not Supported", 511: "Network Authentication Required",
  ]

  /// The usual phrase for a status, or an empty string if there is none.
  static func usual(for status: Int) -> String {
    phrases[status] ?? ""
  }
}
