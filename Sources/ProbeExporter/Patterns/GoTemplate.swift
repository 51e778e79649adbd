extension GoPattern.Match {
  /// A template with its references to groups replaced, as Go's `Regexp.Expand` does: `$1`, `${1}`, `$name`,
  /// `${name}`, and `$$` for a dollar sign.
  ///
  /// A name is as long as possible: `$1x` is `${1x}`. A reference to a group that does not exist, or did not
  /// take part, is empty; any other dollar sign is text.
  package func expand(_ template: String) -> [UInt8] {
    var result: [UInt8] = []
    var rest = template.unicodeScalars[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += Array(String(rest[..<dollar]).utf8)
      rest = rest[dollar...].dropFirst()
      if rest.first == "$" {
        result.append(UInt8(ascii: "$"))
        rest.removeFirst()
      } else if let (name, after) = Self.reference(rest) {
        result += number(of: name).flatMap { groups.indices.contains($0) ? groups[$0] : nil } ?? []
        rest = after
      } else {
        result.append(UInt8(ascii: "$"))
      }
    }
    return result + Array(String(rest).utf8)
  }

  /// The name after a dollar sign, and what follows it; nil if there is no name.
  private static func reference(
    _ text: Substring.UnicodeScalarView
  ) -> (String, Substring.UnicodeScalarView)? {
    let isInBraces = text.first == "{"
    let start = isInBraces ? text.dropFirst() : text
    let name = start.prefix { scalar in
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber:
        true
      default: scalar == "_"
      }
    }
    let after = start[name.endIndex...]
    guard !name.isEmpty, !isInBraces || after.first == "}" else { return nil }
    return (String(name), isInBraces ? after.dropFirst() : after)
  }

  /// The number of a group by its name or its number, which has no leading zeros.
  private func number(of name: String) -> Int? {
    let isNumber =
      name.utf8.allSatisfy { (0x30...0x39).contains($0) } && (name == "0" || !name.hasPrefix("0"))
    return isNumber && name.utf8.count < 9 ? Int(name) : names[name]
  }
}
