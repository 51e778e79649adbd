import ProbeBase

/// The positions in a pattern where a search must report its work, and the pattern with callouts there.
///
/// PCRE2's own limit counts how often a repeat or an alternative is resumed, but not the characters that a
/// repeat of one character matches: `(\[[^\]]*\])+ ok` matches all that follows at each of 65 536 brackets. A
/// callout reports the position, so between two of them everything is counted; see ``WorkMeter``. There is one
/// after each repeat and each group, before each back reference and each alternative but the first, and at the start
/// of most groups; a group of up to 16 simple characters has none inside. The rest of the work between two callouts
/// depends on the pattern alone: the number of a callout is its square root, rounded up.
///
/// Anything that is not recognized is left to PCRE2, which inserts a callout before every item: slower, with the
/// same result.
struct CalloutPlacement {
  /// How the work of a pattern is reported.
  enum Result: Equatable {
    /// It is so little at each position that it need not be reported.
    case unneeded
    /// This pattern has the callouts.
    case pattern([UInt8])
    /// PCRE2 has to insert them.
    case automatic
  }

  /// The number of a callout before a back reference, whose work is the length of the group to which it refers.
  static let backReference = 254
  /// The number that PCRE2 gives to its own callouts.
  static let automatic = 255
  /// The maximum length of a part that needs no callouts.
  private static let maximumLengthWithoutCallouts = 64

  private struct Unrecognized: Error {}

  private var rest: ArraySlice<UInt8>
  /// The parts between the callouts, with the work of each in characters.
  private var parts: [(text: [UInt8], isBackReference: Bool)] = [([], false)]
  private var work = [0]
  private var hasGroupsOrRepeats = false

  /// Inserts the callouts of a valid pattern.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - options: Its options.
  ///   - needsCalloutAtStart: Whether one must be at the start.
  /// - Returns: The way to report the work of the pattern.
  static func callouts(
    of pattern: [UInt8], _ options: PatternOptions, needsCalloutAtStart: Bool = false
  ) -> Result {
    // The work of a search for all matches is not limited as a whole.
    guard !options.contains(.allMatches) else { return .unneeded }
    guard !options.contains(.literal) else {
      return pattern.count <= maximumLengthWithoutCallouts ? .unneeded : .automatic
    }
    // A comment may contain anything.
    guard !options.contains(.extended) || !pattern.contains(UInt8(ascii: "#")) else { return .automatic }
    var placement = CalloutPlacement(rest: pattern[...])
    do { try placement.insertAll() } catch { return .automatic }
    guard placement.hasGroupsOrRepeats || pattern.count > maximumLengthWithoutCallouts || needsCalloutAtStart
    else { return .unneeded }
    return .pattern(placement.result(hasCalloutAtStart: needsCalloutAtStart))
  }

  /// The largest minimum of the counted repeats of a pattern, such as the 20 of `a{20,}`; 0 if there are none.
  ///
  /// PCRE2's own callouts do not report these repetitions.
  static func maximumRepeatMinimum(in pattern: [UInt8]) -> Int {
    pattern.indices.reduce(0) { maximum, index in
      guard pattern[index] == UInt8(ascii: "{") else { return maximum }
      // Whatever spaces it has, and even if it is text.
      return max(
        maximum, number(pattern[index...].dropFirst().drop { $0 <= 0x20 }.prefix(while: \.isASCIIDigit)))
    }
  }

  private init(rest: ArraySlice<UInt8>) {
    self.rest = rest
  }

  private func result(hasCalloutAtStart: Bool) -> [UInt8] {
    var result: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index > 0 || hasCalloutAtStart || work[0] > Self.maximumLengthWithoutCallouts {
        // The square root, because a number is at most 255, and the two greatest have meanings of their own.
        let root = Double(min(work[index], 1 << 16)).squareRoot().rounded(.up)
        let number = Int(exactly: root) ?? Self.backReference
        if part.isBackReference { result += "(?C\(Self.backReference))".utf8 }
        result += "(?C\(min(number, Self.backReference - 1)))".utf8
      }
      result += part.text
    }
    return result
  }
}

extension CalloutPlacement {
  private mutating func insertAll() throws(Unrecognized) {
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "("): try openGroup()
      case UInt8(ascii: ")"):
        take(1)
        try takeRepeat()
        insertCallout()
      case UInt8(ascii: "|"):
        take(1)
        insertCallout()
      case UInt8(ascii: "["):
        try takeClass()
        try endItem()
      case UInt8(ascii: "\\"):
        try takeEscape()
        try endItem()
      case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"): throw Unrecognized()
      default:
        take(1)
        // The bytes of one character stay together.
        while let next = rest.first, next & 0xC0 == 0x80 { take(1) }
        try endItem()
      }
    }
  }

  private mutating func take(_ count: Int) {
    parts[parts.count - 1].text += rest.prefix(count)
    work[work.count - 1] += count
    rest = rest.dropFirst(count)
  }

  /// Takes a name or a number, such as `word`, `-1`, `R&word` or `Script=Greek`, and what ends it.
  private mutating func takeName(through end: Character) throws(Unrecognized) {
    let name = rest.prefix { $0.isASCIILetter || $0.isASCIIDigit || "_&+-^=".utf8.contains($0) }
    guard let byte = end.asciiValue, rest.dropFirst(name.count).first == byte else { throw Unrecognized() }
    take(name.count + 1)
  }

  private mutating func insertCallout(beforeBackReference: Bool = false) {
    parts.append(([], beforeBackReference))
    work.append(0)
  }

  /// Takes the repeat of an item, and reports its work.
  private mutating func endItem() throws(Unrecognized) {
    guard try takeRepeat() else { return }
    hasGroupsOrRepeats = true
    insertCallout()
  }

  @discardableResult
  private mutating func takeRepeat() throws(Unrecognized) -> Bool {
    switch rest.first {
    case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"): take(1)
    case UInt8(ascii: "{"):
      // Some versions of PCRE2 take `{,2}` and `{ 2 }` as repeats, and others as text.
      guard let next = rest.dropFirst().first, next.isASCIIDigit || " \t,".utf8.contains(next) else {
        return false
      }
      guard let (length, minimum) = countedRepeat else { throw Unrecognized() }
      take(length)
      // Until then the item is repeated without a report.
      work[work.count - 1] += minimum
    default: return false
    }
    if let next = rest.first, next == UInt8(ascii: "+") || next == UInt8(ascii: "?") { take(1) }
    return true
  }

  /// The length and the minimum of a repeat such as `{2}`, `{2,}` or `{2,3}`; nil for any other text.
  private var countedRepeat: (length: Int, minimum: Int)? {
    let digits = rest.dropFirst().prefix(while: \.isASCIIDigit)
    guard !digits.isEmpty else { return nil }
    var end = rest[digits.endIndex...]
    if end.first == UInt8(ascii: ",") { end = end.dropFirst().drop(while: \.isASCIIDigit) }
    guard end.first == UInt8(ascii: "}") else { return nil }
    return (end.startIndex + 1 - rest.startIndex, Self.number(digits))
  }

  /// A number in decimal digits; one that no repeat may have becomes a greater one.
  private static func number(_ digits: some Sequence<UInt8>) -> Int {
    digits.reduce(0) { min(1 << 16, 10 * $0 + Int(widening: $1 & 15)) }
  }
}

extension CalloutPlacement {
  private func starts(with text: String) -> Bool { rest.starts(with: text.utf8) }

  private mutating func openGroup() throws(Unrecognized) {
    hasGroupsOrRepeats = true
    guard starts(with: "(?") else {
      guard !starts(with: "(*") else { throw Unrecognized() }
      take(1)
      return beginGroup()
    }
    let content = rest.dropFirst(2)
    guard let kind = content.first else { throw Unrecognized() }
    switch kind {
    case UInt8(ascii: ":"), UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "!"):
      take(3)
    case UInt8(ascii: "<"):
      let second = content.dropFirst().first
      let isLookbehind = second == UInt8(ascii: "=") || second == UInt8(ascii: "!")
      take(isLookbehind ? 4 : 3)
      if !isLookbehind { try takeName(through: ">") }
    case UInt8(ascii: "P") where content.dropFirst().first == UInt8(ascii: "<"):
      take(4)
      try takeName(through: ">")
    case UInt8(ascii: "'"):
      take(3)
      try takeName(through: "'")
    case UInt8(ascii: "("):
      take(2)
      // An assertion is a group; a name may have brackets or quotes.
      if starts(with: "(?") { return }
      take(1)
      let quote = rest.first.map { "<'".utf8.contains($0) } == true ? rest.first : nil
      if quote != nil {
        take(1)
        try takeName(through: quote == UInt8(ascii: "<") ? ">" : "'")
      }
      return try takeName(through: ")")
    case UInt8(ascii: "P") where content.dropFirst().first == UInt8(ascii: "="):
      insertCallout(beforeBackReference: true)
      take(4)
      try takeName(through: ")")
      return try endItem()
    case UInt8(ascii: "P") where content.dropFirst().first == UInt8(ascii: ">"):
      take(4)
      try takeName(through: ")")
      return try endItem()
    case UInt8(ascii: "&"), UInt8(ascii: "R"), UInt8(ascii: "+"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-") where kind != UInt8(ascii: "-") || content.dropFirst().first?.isASCIIDigit == true:
      take(2)
      try takeName(through: ")")
      return try endItem()
    case UInt8(ascii: "#"):
      take((content.firstIndex(of: UInt8(ascii: ")")) ?? content.endIndex - 1) + 1 - rest.startIndex)
      // A repeat is one of the item before.
      guard let next = rest.first, "*+?{".utf8.contains(next) else { return }
      throw Unrecognized()
    default: return try takeSettings(content)
    }
    beginGroup()
  }

  /// Takes settings, such as `(?i)` or `(?i:`.
  private mutating func takeSettings(_ content: ArraySlice<UInt8>) throws(Unrecognized) {
    let settings = content.prefix { "imnsxJU^-".utf8.contains($0) }
    let end = content.dropFirst(settings.count).first
    guard let end, !settings.isEmpty, ":)".utf8.contains(end) else { throw Unrecognized() }
    // A comment may contain anything.
    if settings.contains(UInt8(ascii: "x")), content.contains(UInt8(ascii: "#")) { throw Unrecognized() }
    take(settings.count + 3)
    if end == UInt8(ascii: ":") { beginGroup() }
  }

  /// Reports each repetition of a group; a few characters without repeats are taken together.
  private mutating func beginGroup() {
    let content = rest.prefix { !")([*+?{".utf8.contains($0) }
    guard content.count <= 16, content.last != UInt8(ascii: "\\"),
      rest.dropFirst(content.count).first == UInt8(ascii: ")"), !Self.hasCostlyEscape(content)
    else { return insertCallout() }
    take(content.count)
  }

  /// Whether a text may have an escape that takes more than one character's work, such as a back reference.
  private static func hasCostlyEscape(_ text: ArraySlice<UInt8>) -> Bool {
    zip(text, text.dropFirst()).contains { first, second in
      first == UInt8(ascii: "\\") && !"nrtfedDsSwWhHvVbBAzZ.\\/|^$-".utf8.contains(second)
    }
  }

  private mutating func takeEscape() throws(Unrecognized) {
    guard let kind = rest.dropFirst().first else { throw Unrecognized() }
    switch kind {
    case UInt8(ascii: "Q"):
      let quoted = rest.dropFirst(2)
      guard !quoted.isEmpty, !starts(with: "\\Q\\E") else { throw Unrecognized() }
      // Without an end, it extends to that of the pattern.
      let end = zip(quoted.indices, zip(quoted, quoted.dropFirst())).first {
        $0.1 == (UInt8(ascii: "\\"), UInt8(ascii: "E"))
      }
      take((end?.0 ?? quoted.endIndex - 2) + 2 - rest.startIndex)
    // A control character, and a cluster of characters without a maximum length.
    case UInt8(ascii: "E"), UInt8(ascii: "c"), UInt8(ascii: "X"): throw Unrecognized()
    case UInt8(ascii: "g"), UInt8(ascii: "k"):
      insertCallout(beforeBackReference: true)
      hasGroupsOrRepeats = true
      take(2)
      for (start, end) in [("{", "}"), ("<", ">"), ("'", "'")] as [(String, Character)]
      where starts(with: start) {
        take(1)
        return try takeName(through: end)
      }
      // A number, to its end: a repeat of the number would be one of its last digit.
      while let next = rest.first, "+-0123456789".utf8.contains(next) { take(1) }
    case UInt8(ascii: "1")...UInt8(ascii: "9"):
      insertCallout(beforeBackReference: true)
      hasGroupsOrRepeats = true
      take(2)
      while let next = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= next { take(1) }
    case UInt8(ascii: "x"), UInt8(ascii: "o"), UInt8(ascii: "N"), UInt8(ascii: "p"), UInt8(ascii: "P"):
      take(2)
      if starts(with: "{"), kind != UInt8(ascii: "N") || starts(with: "{U") {
        take(1)
        try takeName(through: "}")
      }
    case 0x80...: throw Unrecognized()
    default: take(2)
    }
  }

  private mutating func takeClass() throws(Unrecognized) {
    take(1)
    if rest.first == UInt8(ascii: "^") { take(1) }
    if rest.first == UInt8(ascii: "]") { take(1) }
    while let byte = rest.first, byte != UInt8(ascii: "]") {
      switch byte {
      case UInt8(ascii: "\\"):
        guard let kind = rest.dropFirst().first, !"QEc".utf8.contains(kind) else { throw Unrecognized() }
        take(2)
      case UInt8(ascii: "["):
        guard starts(with: "[:") || starts(with: "[.") || starts(with: "[=") else {
          take(1)
          continue
        }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let name = rest.dropFirst(2).prefix { letters.contains($0) || $0 == UInt8(ascii: "^") }
        guard starts(with: "[:"), rest[name.endIndex...].starts(with: ":]".utf8) else { throw Unrecognized() }
        take(name.count + 4)
      default: take(1)
      }
    }
    guard !rest.isEmpty else { throw Unrecognized() }
    take(1)
  }
}
