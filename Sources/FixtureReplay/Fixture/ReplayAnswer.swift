/// What is answered.
public enum ReplayAnswer: Hashable, Sendable {
  /// These bytes as they are.
  case send([UInt8])
  /// A response put together from its parts.
  case respond(ComposedResponse)
}

/// An HTTP response given by its parts: exactly these header fields, and Content-Length when neither it nor
/// Transfer-Encoding is among them and the status allows content (RFC 9110 §8.6).
public struct ComposedResponse: Hashable, Sendable {
  /// The status code.
  public var status: Int
  /// The reason phrase, or nil for the usual one.
  public var reason: String?
  /// The version of HTTP in the status line, such as `1.1`.
  public var version: String
  /// The lines of the header, such as `Content-Type: text/html`, without their ends.
  public var headers: [String]
  /// The content.
  public var body: [UInt8]

  /// A response.
  public init(
    status: Int = 200, reason: String? = nil, version: String = "1.1", headers: [String] = [],
    body: [UInt8] = []
  ) {
    self.status = status
    self.reason = reason
    self.version = version
    self.headers = headers
    self.body = body
  }
}

/// What happens to a connection after an answer.
public enum AnswerEnd: String, Hashable, Sendable, CaseIterable {
  /// It is ended with a FIN, behind all bytes of the answer.
  case fin
  /// It stays for the next request, unless the client or its version of HTTP wants it ended.
  case keep
  /// It is reset, once the client has acknowledged the answer.
  case rst
  /// It stays, and nothing more is ever sent.
  case hold
}
