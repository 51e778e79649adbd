/// Why bytes of a client are no request that can be answered, and with which status it is told so.
public struct MalformedRequest: Error, Hashable, Sendable {
  /// The status of the answer, such as 400.
  public var status: Int
  /// What is wrong, in words.
  public var reason: String

  /// A request that cannot be answered.
  public init(_ reason: String, status: Int = 400) {
    self.status = status
    self.reason = reason
  }
}

/// How much of a request is read.
public struct RequestLimits: Hashable, Sendable {
  /// The longest head in bytes; a longer one is answered 431 (RFC 6585 §5).
  public var head = 64 * 1024
  /// The largest content in bytes; a larger one is answered 413 (RFC 9110 §15.5.14).
  public var body = 16 * 1024 * 1024

  /// The default limits.
  public init() {}
}
