public import ProbeCore

/// A pattern of reason codes, such as `tls.*`; a `*` matches any number of characters, including none.
public struct ReasonPattern: Hashable, Sendable {
  private let text: String
  /// The text between the asterisks.
  private let pieces: [Substring]

  /// Parses a pattern.
  ///
  /// - Throws: `InvalidInput` if no reason code can match the text.
  public init(_ text: String) throws(InvalidInput) {
    guard !text.isEmpty, text.utf8.count <= 100, text.utf8.allSatisfy(Self.isPatternCharacter) else {
      throw InvalidInput(
        "\(Excerpt(text)) is not a pattern for reason codes",
        remedy: "write it as tls.expired, tls.* or timeout.*")
    }
    self.text = text
    pieces = text.split(separator: "*", omittingEmptySubsequences: false)
  }

  private static func isPatternCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "*"):
      true
    default: false
    }
  }

  package func matches(_ reason: ReasonCode) -> Bool {
    var rest = Substring(reason.rawValue)
    guard pieces.count > 1 else { return rest == pieces[0] }
    guard rest.hasPrefix(pieces[0]) else { return false }
    rest = rest.dropFirst(pieces[0].count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let range = rest.firstRange(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(pieces[pieces.count - 1])
  }
}

extension ReasonPattern: CustomStringConvertible {
  /// The pattern as written.
  public var description: String { text }
}
