internal import ProbeBase

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

extension GoTranslation {
  /// Reads a set of characters in brackets.
  mutating func characterClass() throws(InvalidInput) -> String {
    let start = scanner.index
    _ = scanner.take("[")
    let isNegated = scanner.take("^")
    var characters = GoCharacterClass()
    var isFirst = true
    while isFirst || !scanner.isNext("]") {
      isFirst = false
      if try takeNamedGroup(into: &characters) { continue }
      if try takeClassEscape(into: &characters) { continue }
      let rangeStart = scanner.index
      let low = try characterCode(inClassFrom: start)
      var high = low
      if scanner.isNext("-"), !scanner.isNext("-]") {
        _ = scanner.take()
        high = try characterCode(inClassFrom: start)
      }
      guard low <= high else {
        throw scanner.mistake(
          "the range \(Excerpt(scanner.text(from: rangeStart))) runs backwards", remedy: "swap its ends",
          at: rangeStart
        )
      }
      characters.add(low, high)
    }
    _ = scanner.take("]")
    return characters.text(isNegated: isNegated)
  }

  /// Reads a character in brackets, or its escape.
  private mutating func characterCode(inClassFrom start: Int) throws(InvalidInput) -> UInt32 {
    if scanner.isNext("\\") { return try escapedCode(from: scanner.index) }
    guard let scalar = scanner.take() else {
      throw scanner.mistake(
        "the brackets are not closed", remedy: "add ], or write \\[ for a bracket", at: start)
    }
    return scalar.value
  }

  /// Reads a group such as `[:alpha:]`.
  ///
  /// - Returns: Whether there was one.
  private mutating func takeNamedGroup(into characters: inout GoCharacterClass) throws(InvalidInput) -> Bool {
    let start = scanner.index
    guard scanner.take("[:") else { return false }
    guard let name = scanner.takeThrough(":]") else {
      scanner.back(to: start)
      return false
    }
    let isNegated = name.hasPrefix("^")
    let word = isNegated ? String(name.dropFirst()) : name
    guard word.count > 1, GoCharacterClass.groups[word] != nil else {
      let nearest = nearestName(
        to: word, among: GoCharacterClass.groups.keys.filter { $0.count > 1 }.sorted())
      throw scanner.mistake(
        "\(Excerpt(scanner.text(from: start))) is no group of characters",
        remedy: nearest.map { "did you mean [:\($0):]?" }, at: start)
    }
    characters.add(group: word, isNegated: isNegated)
    return true
  }
}

/// A Unicode category or script that Go 1.25 supports.
struct GoProperty {
  /// Its name for PCRE2; nil for a set that has none.
  let name: String?
  /// Its characters, in the bracket syntax of PCRE2.
  let members: String
  /// Whether PCRE2's set is only similar.
  let isApproximate: Bool

  /// Finds a property; nil if there is none.
  ///
  /// Case, spaces, hyphens and underscores in a name are ignored (UTS #18, RL1.2).
  ///
  /// - Parameters:
  ///   - name: The name, such as `L`, `Letter` or `Greek`.
  ///   - ignoresCase: Whether case is ignored, which adds the other cases of all letters.
  init?(name: String, ignoresCase: Bool) {
    let word = name.lowercased().filter { !" -_".contains($0) }
    if word == "ascii" {
      self.init(nil, members: "\\x00-\\x7f")
    } else if word == "assigned" {
      self.init(nil, members: "\\P{Cn}")
    } else if word == "any" {
      self.init("Any")
    } else if let category = Self.categories[word] {
      self.init(category: category, ignoresCase: ignoresCase)
    } else {
      // Four-letter names are mostly script codes, which Go does not support.
      guard word.utf8.count != 4 || Self.shortScripts.contains(word), !word.hasPrefix("qaa"),
        word.utf8.allSatisfy({ (0x61...0x7A).contains($0) }),
        (try? Pattern("\\p{sc:\(word)}")) != nil
      else { return nil }
      let added = ignoresCase ? Self.otherCases[word] : nil
      self.init(added == nil ? "sc:" + word : nil, members: "\\p{sc:\(word)}" + (added ?? ""))
    }
  }

  private init(category: String, ignoresCase: Bool) {
    let added = ignoresCase ? Self.otherCases[category.lowercased()] : nil
    if ignoresCase, ["Lu", "Ll", "Lt"].contains(category) {
      self.init("L&", isApproximate: true)
    } else {
      self.init(added == nil ? category : nil, members: "\\p{\(category)}" + (added ?? ""))
    }
  }

  private init(_ name: String?, members: String? = nil, isApproximate: Bool = false) {
    (self.name, self.isApproximate) = (name, isApproximate)
    self.members = members ?? "\\p{\(name ?? "")}"
  }

  /// The characters whose other case is in a set (Go's `unicode.FoldCategory` and `FoldScript`).
  private static let otherCases = [
    "l": "\\x{345}", "m": "\\x{399}\\x{3b9}\\x{1fbe}", "mn": "\\x{399}\\x{3b9}\\x{1fbe}",
    "common": "\\x{39c}\\x{3bc}", "greek": "\\x{b5}\\x{345}", "inherited": "\\x{399}\\x{3b9}\\x{1fbe}",
  ]

  /// The scripts whose names have four letters.
  private static let shortScripts: Set<String> = [
    "ahom", "cham", "kawi", "lisu", "miao", "modi", "newa", "thai", "toto",
  ]

  /// The categories by their names and by their aliases (UCD, PropertyValueAliases.txt).
  private static let categories: [String: String] = {
    let names = [
      "C": "other", "Cc": "control cntrl", "Cf": "format", "Cn": "unassigned", "Co": "privateuse",
      "Cs": "surrogate", "L": "letter", "L&": "lc casedletter", "Ll": "lowercaseletter",
      "Lm": "modifierletter", "Lo": "otherletter", "Lt": "titlecaseletter", "Lu": "uppercaseletter",
      "M": "mark combiningmark", "Mc": "spacingmark", "Me": "enclosingmark", "Mn": "nonspacingmark",
      "N": "number", "Nd": "decimalnumber digit", "Nl": "letternumber", "No": "othernumber",
      "P": "punctuation punct", "Pc": "connectorpunctuation", "Pd": "dashpunctuation",
      "Pe": "closepunctuation", "Pf": "finalpunctuation", "Pi": "initialpunctuation",
      "Po": "otherpunctuation", "Ps": "openpunctuation", "S": "symbol", "Sc": "currencysymbol",
      "Sk": "modifiersymbol", "Sm": "mathsymbol", "So": "othersymbol", "Z": "separator",
      "Zl": "lineseparator", "Zp": "paragraphseparator", "Zs": "spaceseparator",
    ]
    var all: [String: String] = [:]
    for (category, aliases) in names {
      for alias in [category.lowercased()] + aliases.split(separator: " ").map(String.init) {
        all[alias] = category
      }
    }
    all["l&"] = nil
    return all
  }()
}
