import ProbeBase

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
      Unicode.UTF8.decode(encoded).isOfReference
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
  fileprivate var isOfReference: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber:
      true
    default: self == "_"
    }
  }
}
