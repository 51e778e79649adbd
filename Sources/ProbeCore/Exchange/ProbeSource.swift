/// What a probe leaves this machine by: a network interface, or an address of its own.
public struct ProbeSource: Hashable, Sendable {
  /// What the name of an interface may have, a byte less than its field in the kernel's structures.
  private static let longestName = 15

  /// One of the two.
  public enum Kind: Hashable, Sendable {
    /// An interface by its name, such as `eth0`.
    case interface(String)
    /// An address of this machine.
    case address(IPAddress)
  }

  /// Which one.
  public let kind: Kind

  /// By an interface or an address as written: what is no address is the name of an interface.
  ///
  /// - Throws: ``InvalidInput`` for what is neither.
  public init(_ text: String) throws(InvalidInput) {
    if let address = IPAddress(text) {
      kind = .address(address)
      return
    }
    let isName =
      (1...Self.longestName).contains(text.utf8.count) && ![".", ".."].contains(text)
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
    guard isName else {
      throw InvalidInput(
        "\(Excerpt(text)) is not an address or interface name",
        remedy: "write it as 192.0.2.7 or eth0")
    }
    kind = .interface(text)
  }

  /// By an address of this machine.
  public init(_ address: IPAddress) {
    kind = .address(address)
  }

  /// The address family it keeps the probe to, or nil for either.
  public var family: IPFamily? {
    if case .address(let address) = kind { address.family } else { nil }
  }
}

extension ProbeSource: CustomStringConvertible {
  /// The interface or the address.
  public var description: String {
    switch kind {
    case .interface(let name): name
    case .address(let address): address.description
    }
  }
}
