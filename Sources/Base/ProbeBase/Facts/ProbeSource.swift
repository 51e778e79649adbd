/// The local source of a probe: a network interface, or an address of this machine.
public struct ProbeSource: Hashable, Sendable {
  /// The maximum length of an interface name, one byte less than its field in the kernel's structures.
  private static let maximumNameLength = 15

  /// An interface or an address.
  public enum Kind: Hashable, Sendable {
    /// An interface by its name, such as `eth0`.
    case interface(String)
    /// An address of this machine.
    case address(IPAddress)
  }

  /// The interface or the address.
  public let kind: Kind

  /// Parses an interface or an address; any text that is not an address is the name of an interface.
  ///
  /// - Throws: ``InvalidInput`` if the text is neither.
  public init(_ text: String) throws(InvalidInput) {
    if let address = IPAddress(text) {
      kind = .address(address)
      return
    }
    let isName =
      (1...Self.maximumNameLength).contains(text.utf8.count) && ![".", ".."].contains(text)
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
    guard isName else {
      throw InvalidInput(
        "\(Excerpt(text)) is not an address or interface name",
        remedy: "write it as 192.0.2.7 or eth0")
    }
    kind = .interface(text)
  }

  /// Creates a source from an address of this machine.
  public init(_ address: IPAddress) {
    kind = .address(address)
  }

  /// The address family that the source requires, or nil for either.
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
