public import ProbeCore

/// Accepts a response from one of the given addresses; `address` in a pipeline file.
///
/// If the address is not known, for example in a replayed network without DNS records, neither this validator
/// nor its negation accepts.
public struct AddressValidator: ConfigurableValidator {
  /// The addresses to accept: in a file `address: 192.0.2.1`, `address: 2001:db8::/32` or a list of these.
  public struct Options: Hashable, Sendable {
    /// The addresses and blocks of addresses, as written.
    public var addresses: [String]

    /// Creates options.
    public init(addresses: [String]) {
      self.addresses = addresses
    }
  }

  /// The key in a pipeline file.
  public static let name = "address"
  /// A summary of the accepted responses.
  public static let summary: String? = "the response comes from one of these IP addresses or blocks"

  private let blocks: [AddressBlock]

  /// Creates a validator for these addresses.
  public init(_ blocks: [AddressBlock]) {
    self.blocks = blocks
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if a text is not an address or a block, or if the list is empty.
  public init(options: Options) throws(InvalidInput) {
    guard !options.addresses.isEmpty else {
      throw InvalidInput(
        "the list of addresses is empty", remedy: "give at least one, such as 192.0.2.1 or 192.0.2.0/24")
    }
    self.init(try options.addresses.mapItems { text throws(InvalidInput) in try AddressBlock(text) })
  }

  /// None: it judges the connection.
  public var judges: ResponseParts { [] }

  /// Judges the address.
  public func validate(_ response: ProbeResponse) -> Validation {
    let expected = "a response from \(blocks.map(\.description).joined(separator: " or "))"
    guard let address = response.remoteAddress?.address else {
      return .rejected(.noAddress, expected: expected, found: "one whose address is not known")
    }
    if blocks.contains(where: { $0.contains(address) }) { return .accepted }
    return .rejected(.addressMismatch, expected: expected, found: "one from \(address)")
  }

  /// Judges the address to which the failed probe tried to connect.
  public func findings(in failure: ProbeFailure) -> [Validation.Rejection] {
    guard let partial = failure.partial, partial.remoteAddress != nil else { return [] }
    return validate(partial).rejection.map { [$0] } ?? []
  }
}

extension AddressValidator.Options: DeclaredOptions {
  /// One address, or a list of them.
  public static let declaration = OptionsDeclaration(
    Self(addresses: []),
    short: .value(
      \.addresses.oneOrMore,
      .oneOrMore(
        of: .text(
          pattern: "^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$", canBeNumber: false, canBeBoolean: false,
          examples: ["192.0.2.1", "2001:db8::/32"]))))
}

extension AddressValidator {
  /// A single address, and a list with a block.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(
        Options(addresses: ["192.0.2.1"]), accepts: .example(from: IPAddress(v4: 0xC000_0201)),
        rejects: .example(from: IPAddress(v4: 0xC000_0202))),
      ValidatorExample(
        Options(addresses: ["192.0.2.1", "2001:db8::/32"]),
        accepts: .example(from: IPAddress(v6: 0x2001_0DB8 << 96 + 1)),
        rejects: .example(from: IPAddress(v6: 0x2001_0DB9 << 96 + 1))),
    ]
  }
}

extension ProbeResponse {
  fileprivate static func example(from address: IPAddress) -> ProbeResponse {
    var response = example()
    response.remoteAddress = SocketAddress(address, port: 443)
    return response
  }
}
