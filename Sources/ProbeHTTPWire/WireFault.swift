/// Why bytes are no HTTP/1 message that can be read.
package struct WireFault: Error, Hashable, Sendable {
  /// The status a server answers it with, such as 400.
  package let status: Int
  /// What is wrong, in words that follow "the client sent" or "the server sent".
  package let reason: String

  /// A fault.
  package init(_ reason: String, status: Int = 400) {
    self.reason = reason
    self.status = status
  }
}
