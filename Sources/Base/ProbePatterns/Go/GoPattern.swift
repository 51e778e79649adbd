package import ProbeBase

/// A regular expression in the syntax of Go (RE2), matched by PCRE2.
///
/// A subject is decoded as in Go: each byte that is not UTF-8 is one character, U+FFFD.
package struct GoPattern: Sendable {
  /// The error of a search that exceeded its limit of work or memory; whether there is a match is unknown.
  package struct GaveUp: Error, Hashable, Sendable {}

  /// A match, with the groups of the expression.
  package struct Match: Sendable {
    /// The bytes of each group by its number, the whole match first; nil for a group that did not take part.
    package let groups: [[UInt8]?]
    /// The numbers of the groups with each name.
    package let names: [String: [Int]]
  }

  /// The expression as written.
  package let text: String
  /// The possible differences from Go's matches, one line each; empty for nearly all expressions.
  package let differences: [String]
  private let pattern: Pattern
  private let names: [String: [Int]]

  /// Compiles an expression.
  ///
  /// - Parameter text: The expression.
  /// - Throws: `InvalidInput` with the position of the mistake, if Go does not accept it or it is too large.
  package init(_ text: String) throws(InvalidInput) {
    var translation = GoTranslation(text)
    try translation.translate()
    self.text = text
    (names, differences) = (translation.names, translation.differences)
    do throws(PatternError) { pattern = try Pattern(translation.result, options: .dotall) } catch {
      throw InvalidInput("\(Excerpt(text)) cannot be compiled: \(error.message)", remedy: "make it smaller")
    }
  }

  /// Whether the expression matches somewhere.
  ///
  /// - Throws: ``GaveUp`` if the search exceeded its limit.
  package func matches(_ bytes: [UInt8]) throws(GaveUp) -> Bool {
    switch pattern.firstMatch(in: DecodedText(bytes).bytes) {
    case .match: return true
    case .noMatch: return false
    case .limit: throw GaveUp()
    }
  }

  /// The first match; nil if there is none.
  ///
  /// - Throws: ``GaveUp`` if the search exceeded its limit.
  package func match(in bytes: [UInt8]) throws(GaveUp) -> Match? {
    let subject = DecodedText(bytes)
    switch pattern.groupsOfFirstMatch(in: subject.bytes) {
    case .match(let ranges):
      return Match(groups: ranges.map { $0.map { Array(bytes[subject.original($0)]) } }, names: names)
    case .noMatch: return nil
    case .limit: throw GaveUp()
    }
  }
}

extension GoPattern: Hashable {
  /// Whether two expressions are written in the same way.
  package static func == (left: GoPattern, right: GoPattern) -> Bool { left.text == right.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension GoPattern.Match {
  /// A template with its references to groups replaced.
  ///
  /// See ``expand(_:)-([UInt8])``.
  package func expand(_ template: String) -> [UInt8] { expand(Array(template.utf8)) }

  /// A template with its references to groups replaced, as Go's `Regexp.Expand` does: `$1`, `${1}`, `$name`,
  /// `${name}`, and `$$` for a dollar sign.
  ///
  /// A name is as long as possible: `$1x` is `${1x}`. A reference to a group that does not exist, or did not
  /// take part, is empty; any other dollar sign is text.
  package func expand(_ template: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = template[...]
    while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
      result += rest[..<dollar]
      rest = rest[dollar...].dropFirst()
      if rest.first == UInt8(ascii: "$") {
        result.append(UInt8(ascii: "$"))
        rest.removeFirst()
      } else if let (name, after) = Self.reference(rest) {
        result +=
          numbers(of: name).lazy.compactMap { groups.indices.contains($0) ? groups[$0] : nil }.first ?? []
        rest = after
      } else {
        result.append(UInt8(ascii: "$"))
      }
    }
    return result + rest
  }

  /// The name after a dollar sign, and the rest of the text; nil if there is no name.
  private static func reference(_ text: ArraySlice<UInt8>) -> (String, ArraySlice<UInt8>)? {
    let isInBraces = text.first == UInt8(ascii: "{")
    let start = isInBraces ? text.dropFirst() : text
    var end = start.startIndex
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = start.makeIterator()
    while case .valid(let encoded) = parser.parseScalar(from: &bytes),
      Unicode.UTF8.decode(encoded).isReferenceCharacter
    {
      end += encoded.count
    }
    let after = start[end...]
    guard end > start.startIndex, !isInBraces || after.first == UInt8(ascii: "}") else { return nil }
    return (String(decoding: start[..<end], as: UTF8.self), isInBraces ? after.dropFirst() : after)
  }

  /// The numbers of the groups to which a reference can refer: that number, if it has no leading zeros, or
  /// those of the groups with this name.
  private func numbers(of name: String) -> [Int] {
    let isNumber =
      name.utf8.allSatisfy { (0x30...0x39).contains($0) } && (name == "0" || !name.hasPrefix("0"))
    guard isNumber, name.utf8.count <= 9, let number = Int(text: name) else { return names[name] ?? [] }
    return [number]
  }
}

extension Unicode.Scalar {
  /// Whether it is valid in a reference: a letter, a decimal digit, or an underscore.
  fileprivate var isReferenceCharacter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber:
      true
    default: self == "_"
    }
  }
}

/// Bytes decoded as in Go: each byte that is not part of valid UTF-8 becomes U+FFFD.
struct DecodedText {
  /// The bytes as valid UTF-8.
  let bytes: [UInt8]
  /// The positions of the replaced bytes in ``bytes``, in order.
  private let replaced: [Int]

  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  init(_ original: [UInt8]) {
    guard (try? UTF8Span(validating: original.span)) == nil else {
      (bytes, replaced) = (original, [])
      return
    }
    var (bytes, replaced): ([UInt8], [Int]) = ([], [])
    bytes.reserveCapacity(original.count + 64)
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = original.makeIterator()
    var index = 0
    decoding: while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar):
        bytes += original[index..<(index + scalar.count)]
        index += scalar.count
      case .error(let length):
        for _ in 0..<length {
          replaced.append(bytes.count)
          bytes += Self.replacement
        }
        index += length
      case .emptyInput:
        break decoding
      }
    }
    (self.bytes, self.replaced) = (bytes, replaced)
  }

  /// The range of the original bytes for a range of ``bytes``.
  func original(_ range: Range<Int>) -> Range<Int> {
    original(range.lowerBound)..<original(range.upperBound)
  }

  private func original(_ position: Int) -> Int {
    var (low, high) = (0, replaced.count)
    while low < high {
      let middle = (low + high) / 2
      if replaced[middle] < position { low = middle + 1 } else { high = middle }
    }
    return position - low * (Self.replacement.count - 1)
  }
}
