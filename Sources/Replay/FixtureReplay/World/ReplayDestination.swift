/// The destination that a client intended to reach, identified by the port it connected to.
public struct ReplayDestination: Hashable, Sendable {
  /// The host name or address.
  public var host: String
  /// The port.
  public var port: UInt16

  /// Creates a destination.
  public init(host: String, port: UInt16) {
    self.host = host.lowercased()
    self.port = port
  }
}
