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
struct MatchInput {
  /// The listener it came to.
  let listener: ReplayListener
  /// The head, or nil on a plain TCP connection.
  let head: RequestHead?
  /// Where the client meant to go, when the way it came tells.
  let destination: ReplayDestination?
  /// What was received on a plain TCP connection.
  var received: ArraySlice<UInt8>
  /// The host the client input for as it was written, or nil when nothing tells: found once, for any number of routes.
  let hostBytes: ArraySlice<UInt8>?

  init(
    listener: ReplayListener, head: RequestHead? = nil, destination: ReplayDestination? = nil,
    received: ArraySlice<UInt8> = []
  ) {
    (self.listener, self.head, self.destination, self.received) = (listener, head, destination, received)
    hostBytes = head?.hostBytes ?? destination.map { Array($0.host.utf8)[...] }
  }

  /// What was received on a plain TCP connection, without the end of its line.
  var line: ArraySlice<UInt8> {
    guard received.last == UInt8(ascii: "\n") else { return received }
    let line = received.dropLast()
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }

  /// The host the client input for, or nil when nothing tells.
  var host: String? { hostBytes.map { String(decoding: $0, as: UTF8.self) } }

  /// The port the client input for, or nil when nothing tells.
  var port: UInt16? {
    if let destination { return destination.port }
    guard let head else { return nil }
    return head.port ?? (listener == .https ? 443 : 80)
  }
}
