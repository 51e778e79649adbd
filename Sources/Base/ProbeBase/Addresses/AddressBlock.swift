/// A block of addresses that share their first bits, such as `10.0.0.0/8`; a single address is a block too.
public struct AddressBlock: Hashable, Sendable {
  /// An address of the block, as written.
  public let address: IPAddress
  /// The number of leading bits that its addresses share.
  public let prefixLength: Int

  /// Creates a block.
  ///
  /// - Parameters:
  ///   - address: An address of the block; the bits after the prefix do not matter.
  ///   - prefixLength: The number of leading bits that its addresses share; at most 32 for IPv4, 128 for
  ///     IPv6.
  package init(_ address: IPAddress, prefixLength: Int) {
    self.address = address
    self.prefixLength = prefixLength
  }

  /// Parses a block (RFC 4632 §3.1, RFC 4291 §2.3): an address, optionally followed by `/` and the prefix
  /// length.
  ///
  /// - Throws: ``InvalidInput`` for anything else, and for an address with nonzero bits after the prefix,
  ///   because the text is then ambiguous.
  public init(_ text: String) throws(InvalidInput) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(parts[0]) else {
      throw InvalidInput(
        "\(Excerpt(text)) is no address", remedy: "write it as 192.0.2.1, 2001:db8::1 or 192.0.2.0/24")
    }
    let width = address.family == .v4 ? 32 : 128
    guard parts.count > 1 else {
      self.init(address, prefixLength: width)
      return
    }
    guard parts[1].utf8.allSatisfy({ $0.isASCIIDigit }), let length = Int(text: parts[1]), length <= width
    else {
      throw InvalidInput(
        "\(Excerpt(String(parts[1]))) is no length of a prefix", remedy: "use a number from 0 to \(width)")
    }
    self.init(address, prefixLength: length)
    guard address == first else {
      throw InvalidInput(
        "the address of \(Excerpt(text)) does not end with its prefix",
        remedy: "write \(first)/\(length), or \(address) for that address alone")
    }
  }

  /// Whether the block contains an address.
  public func contains(_ other: IPAddress) -> Bool {
    other.family == address.family && other.bits >> freeBits == address.bits >> freeBits
  }

  private var freeBits: Int { (address.family == .v4 ? 32 : 128) - prefixLength }

  private var first: IPAddress {
    let bits = freeBits == 128 ? 0 : (address.bits >> freeBits) << freeBits
    return address.family == .v4
      ? IPAddress(v4: UInt32(truncatingIfNeeded: bits)) : IPAddress(v6: bits)
  }
}

extension AddressBlock: CustomStringConvertible {
  /// The address, followed by the prefix length if the block has several addresses.
  public var description: String { freeBits == 0 ? "\(address)" : "\(address)/\(prefixLength)" }
}
