/// A set of characters in an expression of Go, written for PCRE2.
struct GoCharacterClass {
  /// Its members, in the bracket syntax of PCRE2.
  private var members = ""
  /// The members of sets whose complements belong to this one.
  private var complements: [String] = []

  /// Adds the characters of a range.
  mutating func add(_ low: UInt32, _ high: UInt32) {
    // Text contains no surrogates, and PCRE2 refuses them.
    for range in [(low, min(high, 0xD7FF)), (max(low, 0xE000), high)] where range.0 <= range.1 {
      members += Self.code(range.0)
      if range.0 < range.1 { members += "-" + Self.code(range.1) }
    }
  }

  /// Adds a group of ASCII, such as `alpha` or `d`, or all other characters.
  mutating func add(group name: String, isNegated: Bool) {
    guard let group = Self.groups[name] else { return }
    if isNegated { complements.append(group) } else { members += group }
  }

  /// Adds the characters of a category or a script, or all other ones.
  mutating func add(_ property: GoProperty, isNegated: Bool) {
    if !isNegated {
      members += property.members
    } else if let name = property.name {
      members += "\\P{\(name)}"
    } else {
      complements.append(property.members)
    }
  }

  /// The set for PCRE2.
  func text(isNegated: Bool) -> String {
    if complements.isEmpty {
      if members.isEmpty { return isNegated ? "." : "(?!)" }
      return (isNegated ? "[^" : "[") + members + "]"
    }
    if members.isEmpty, complements.count == 1 { return (isNegated ? "[" : "[^") + complements[0] + "]" }
    let sets = (members.isEmpty ? [] : ["[\(members)]"]) + complements.map { "[^\($0)]" }
    return isNegated ? "(?:(?!\(sets.joined(separator: "|"))).)" : "(?:\(sets.joined(separator: "|")))"
  }

  /// The groups of ASCII by their names, in the bracket syntax of PCRE2.
  static let groups = [
    "d": "0-9", "s": "\\t\\n\\f\\r ", "w": "0-9A-Za-z_",
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": "\\x00-\\x7f", "blank": "\\t ",
    "cntrl": "\\x00-\\x1f\\x7f", "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~",
    "punct": "!-\\/:-@\\[-`{-~", "space": "\\t-\\r ", "upper": "A-Z", "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
  ]
}

extension GoCharacterClass {
  /// A character outside brackets.
  static func atom(_ code: UInt32) -> GoAtom {
    switch code {
    case 0xD800...0xDFFF: GoAtom("(?!)", isSingle: false)
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: GoAtom(Unicode.Scalar(code).map { String($0) } ?? "")
    case 0x20...0x7E: GoAtom("\\" + String(Unicode.Scalar(UInt8(truncatingIfNeeded: code))))
    default: GoAtom(Self.code(code))
    }
  }

  private static func code(_ value: UInt32) -> String { "\\x{\(String(value, radix: 16))}" }
}
