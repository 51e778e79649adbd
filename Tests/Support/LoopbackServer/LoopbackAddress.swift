/// An address of this machine that no packet leaves from.
package enum LoopbackAddress: Sendable {
  /// 127.0.0.1.
  case v4
  /// ::1.
  case v6

  package var host: String { self == .v6 ? "::1" : "127.0.0.1" }

  /// The address in the form of a URL.
  package var urlHost: String { self == .v6 ? "[::1]" : host }
}

/// An error of a loopback server or one of its connections.
package struct LoopbackError: Error, Sendable, CustomStringConvertible {
  /// What failed and why.
  package let description: String
  /// The system's error number, or nil when the cause is another.
  package let systemCode: Int32?

  init(_ description: String, systemCode: Int32? = nil) {
    self.description = description
    self.systemCode = systemCode
  }
}
