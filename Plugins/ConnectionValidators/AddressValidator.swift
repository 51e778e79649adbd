public import ProbeCore

/// Accepts a response that came from one of the addresses given; `address` in a pipeline file.
///
/// When the address is not known, such as in a replayed network that says nothing of names, nothing can be said: then
/// neither this nor its negation accepts.
public struct AddressValidator: ConfigurableValidator {
  /// Where answers may come from: in a file `address: 192.0.2.1`, `address: 2001:db8::/32` or a list of these.
  public struct Options: Hashable, Sendable {
    /// The addresses and blocks of addresses, as written.
    public var addresses: [String]

    /// Options with the addresses as written.
    public init(addresses: [String]) {
      self.addresses = addresses
    }
  }

  /// The key in a pipeline file.
  public static let name = "address"
  /// What it accepts.
  public static let summary: String? = "the response comes from one of these IP addresses or blocks"

  private let blocks: [AddressBlock]

  /// Accepts these addresses.
  public init(_ blocks: [AddressBlock]) {
    self.blocks = blocks
  }

  /// Accepts addresses as the options say.
  ///
  /// - Throws: `InvalidInput` for what is no address, and for none at all.
  public init(options: Options) throws(InvalidInput) {
    var blocks: [AddressBlock] = []
    for (index, text) in options.addresses.enumerated() {
      blocks.append(
        try InvalidInput.at("\(index)") { () throws(InvalidInput) in try AddressBlock(text) })
    }
    guard !blocks.isEmpty else {
      throw InvalidInput(
        "the list of addresses is empty", remedy: "give at least one, such as 192.0.2.1 or 192.0.2.0/24")
    }
    self.init(blocks)
  }

  /// This one judges the connection.
  public var judges: AnswerParts { [] }

  /// Looks at the address.
  public func validate(_ response: ProbeResponse) -> Validation {
    let expected = "an answer from \(blocks.map(\.description).joined(separator: " or "))"
    guard let address = response.remoteAddress?.address else {
      return .rejected(.noAddress, expected: expected, found: "one whose address is not known")
    }
    if blocks.contains(where: { $0.contains(address) }) { return .accepted }
    return .rejected(.addressMismatch, expected: expected, found: "one from \(address)")
  }

  /// Looks at where the connection was tried to before the probe failed.
  public func findings(in failure: ProbeFailure) -> [Validation.Rejection] {
    guard let partial = failure.partial, partial.remoteAddress != nil else { return [] }
    return validate(partial).rejection.map { [$0] } ?? []
  }
}

extension AddressValidator.Options: SchemaProviding {
  /// One address, or a list of them.
  public static let schema = ValueSchema.oneOrMore(
    of: .text(
      pattern: "^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$", canBeNumber: false, canBeBoolean: false,
      examples: ["192.0.2.1", "2001:db8::/32"]))
}

extension AddressValidator.Options: Codable {
  /// Decodes one address, or a list of them.
  public init(from decoder: any Decoder) throws {
    guard var list = try? decoder.unkeyedContainer() else {
      self.init(addresses: [try decoder.singleValueContainer().decode(String.self)])
      return
    }
    var addresses: [String] = []
    while !list.isAtEnd { addresses.append(try list.decode(String.self)) }
    self.init(addresses: addresses)
  }

  /// Encodes one address as it is, several as a list.
  public func encode(to encoder: any Encoder) throws {
    if let only = addresses.first, addresses.count == 1 {
      try only.encode(to: encoder)
    } else {
      try addresses.encode(to: encoder)
    }
  }
}
