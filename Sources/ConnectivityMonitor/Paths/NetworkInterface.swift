public import ProbeCore

/// An interface of this machine, as it was at one moment.
public struct NetworkInterface: Hashable, Sendable {
  /// The kernel's number for it.
  public var index: Int
  /// Its name, such as `wlan0`.
  public var name: String
  /// What kind of link it is.
  public var kind: InterfaceKind
  /// Whether it was switched on (IFF_UP).
  public var isUp: Bool
  /// Whether its link stands: a cable with somebody at the other end, a radio that is associated (IFF_LOWER_UP).
  public var hasCarrier: Bool
  /// Whether traffic can pass (IFF_RUNNING, RFC 2863's operational state).
  public var isRunning: Bool
  /// Whether it leads to one peer only, as tunnels and modems do (IFF_POINTOPOINT).
  public var isPointToPoint: Bool
  /// Whether traffic costs money by volume, or nil where nothing tells.
  public var isMetered: Bool?
  /// Its addresses.
  public var addresses: [InterfaceAddress]

  /// An interface.
  public init(
    index: Int, name: String, kind: InterfaceKind, isUp: Bool = true, hasCarrier: Bool = true,
    isRunning: Bool = true, isPointToPoint: Bool = false, isMetered: Bool? = nil,
    addresses: [InterfaceAddress] = []
  ) {
    self.index = index
    self.name = name
    self.kind = kind
    self.isUp = isUp
    self.hasCarrier = hasCarrier
    self.isRunning = isRunning
    self.isPointToPoint = isPointToPoint
    self.isMetered = isMetered
    self.addresses = addresses
  }
}

/// An address of an interface, with the network it is in.
public struct InterfaceAddress: Hashable, Sendable {
  /// The address.
  public var address: IPAddress
  /// How many leading bits name the network.
  public var prefixLength: Int
  /// Whether it can be used: neither still being checked for duplicates nor one (RFC 4862 §5.4).
  public var isUsable: Bool

  /// An address.
  public init(_ address: IPAddress, prefixLength: Int, isUsable: Bool = true) {
    self.address = address
    self.prefixLength = prefixLength
    self.isUsable = isUsable
  }
}
