/// The reason why bytes are not a valid HTTP/1 message.
package struct WireFault: Error, Hashable, Sendable {
  /// The status of a server's response to it, such as 400.
  package let status: Int
  /// The fault, in words that follow "the client sent" or "the server sent".
  package let reason: String

  /// The bytes do not start with a status line.
  package static let noStatusLine = WireFault("no status line")
  /// The lengths of the content contradict each other.
  package static let differentLengths = WireFault("two Content-Length fields that differ")

  /// Creates a fault.
  package init(_ reason: String, status: Int = 400) {
    self.reason = reason
    self.status = status
  }
}
