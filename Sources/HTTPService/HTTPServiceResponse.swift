/// The response of a service.
package struct HTTPServiceResponse: Hashable, Sendable {
  /// The status code.
  package var status: Int
  /// The media type of the body.
  package var contentType: String
  /// Further header fields, as lines without line ends.
  package var fields: [String]
  /// The content.
  package var body: [UInt8]
  /// Whether the content is compressed if it is large and the client accepts that.
  ///
  /// Where the content has a secret beside text of the client, its length would reveal the secret (BREACH).
  package var mayBeCompressed = false

  /// A response.
  package init(status: Int = 200, contentType: String, fields: [String] = [], body: [UInt8]) {
    (self.status, self.contentType, self.fields, self.body) = (status, contentType, fields, body)
  }

  /// The bytes on the wire.
  ///
  /// - Parameters:
  ///   - isToHead: Whether the request's method is HEAD, so that no content follows.
  ///   - closes: Whether the connection is closed afterwards.
  ///   - others: Header fields of every response, as lines.
  /// - Returns: The head, and the content.
  func bytes(isToHead: Bool, closes: Bool, others: [String] = []) -> [UInt8] {
    var head = "HTTP/1.1 \(status) \(Self.reasons[status] ?? "")\r\n"
    head += "Content-Type: \(contentType)\r\nContent-Length: \(body.count)\r\n"
    // What it shows changes, and only for its client.
    head += "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
    for field in fields { head += "\(field)\r\n" }
    for field in others { head += "\(field)\r\n" }
    if closes { head += "Connection: close\r\n" }
    return Array((head + "\r\n").utf8) + (isToHead ? [] : body)
  }

  private static let reasons = [
    200: "OK", 201: "Created", 302: "Found", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found",
    405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 413: "Content Too Large",
    417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content",
    429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
    501: "Not Implemented",
    503: "Service Unavailable", 505: "HTTP Version Not Supported",
  ]
}

/// Why a service does not do what a client requests.
package struct HTTPServiceFault: Error, Hashable, Sendable {
  /// The status of the response.
  package var status: Int
  /// What is wrong.
  package var message: String
  /// How to correct it, or nil.
  package var fix: String?
  /// Further header fields of the response, as lines.
  package var fields: [String]

  /// A fault.
  package init(status: Int, _ message: String, fix: String? = nil, fields: [String] = []) {
    (self.status, self.message, self.fix, self.fields) = (status, message, fix, fields)
  }

  /// The fault as a line of text.
  package var plainResponse: HTTPServiceResponse {
    let text = message + (fix.map { ": \($0)" } ?? "") + "\n"
    return HTTPServiceResponse(
      status: status, contentType: "text/plain; charset=utf-8", fields: fields, body: Array(text.utf8))
  }
}
