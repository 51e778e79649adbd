/// Where a client meant to go, as the way it came tells.
public struct ReplayDestination: Hashable, Sendable {
  /// The host name or address.
  public var host: String
  /// The port.
  public var port: UInt16

  /// A destination.
  public init(host: String, port: UInt16) {
    self.host = host.lowercased()
    self.port = port
  }
}

/// Everything about a request that a route's condition can ask for.
struct AskedFor {
  /// The listener it came to.
  var listener: ReplayListener
  /// The head, or nil on a plain TCP connection.
  var head: RequestHead?
  /// Where the client meant to go, when the way it came tells.
  var destination: ReplayDestination?
  /// What was received on a plain TCP connection.
  var received: ArraySlice<UInt8> = []

  /// What was received on a plain TCP connection, without the end of its line.
  var line: ArraySlice<UInt8> {
    guard received.last == UInt8(ascii: "\n") else { return received }
    let line = received.dropLast()
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }

  /// The host the client asked for, or nil when nothing tells.
  var host: String? { head?.host ?? destination?.host }

  /// The port the client asked for, or nil when nothing tells.
  var port: UInt16? {
    if let destination { return destination.port }
    guard let head else { return nil }
    return head.port ?? (listener == .https ? 443 : 80)
  }
}
