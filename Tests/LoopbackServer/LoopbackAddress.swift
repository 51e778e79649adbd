/// An address of this machine that no packet leaves from.
public enum LoopbackAddress: Sendable {
  /// 127.0.0.1.
  case v4
  /// ::1.
  case v6

  /// The address as text.
  public var host: String { self == .v6 ? "::1" : "127.0.0.1" }

  /// The address as it stands in a URL.
  public var urlHost: String { self == .v6 ? "[::1]" : host }
}

/// What a loopback server or one of its connections could not do.
public struct LoopbackError: Error, Sendable, CustomStringConvertible {
  /// What failed and why.
  public let description: String
  /// The system's error number, or nil when the cause is another.
  public let systemCode: Int32?

  init(_ description: String, systemCode: Int32? = nil) {
    self.description = description
    self.systemCode = systemCode
  }
}
