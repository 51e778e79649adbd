internal import ProbeBase

/// Translates an expression of Go into an equivalent one for PCRE2 with the option DOTALL.
///
/// The grammar is that of Go's package `regexp/syntax` with its flags `Perl`. Parts that PCRE2 would
/// interpret differently are replaced: `$` by `\z`, `.` by `[^\n]`, named groups by numbered ones, and so on.
struct GoTranslation {
  /// The flags of a part of the expression.
  struct Flags {
    var ignoresCase = false
    var isMultiline = false
    var dotMatchesNewlines = false
    var isLazy = false
  }

  /// The expression for PCRE2.
  private(set) var result = ""
  /// The numbers of the groups with each name.
  var names: [String: [Int]] = [:]
  /// The possible differences in matches, one line each.
  private(set) var differences: [String] = []

  var scanner: PatternScanner
  var flags = Flags()
  /// The open groups, outermost first; the first one is the whole expression.
  var parts = [GoGroup()]
  /// The number of numbered groups so far.
  var groups = 0

  init(_ text: String) {
    scanner = PatternScanner(text)
  }

  /// Translates the whole expression.
  ///
  /// - Throws: `InvalidInput` with the position, if Go does not accept it.
  mutating func translate() throws(InvalidInput) {
    // The repetition just read; another one cannot follow directly.
    var repetition: Int?
    while let next = scanner.next {
      let start = scanner.index
      var isRepetition = false
      switch next {
      case "(": try open()
      case ")": try close()
      case "|":
        _ = scanner.take()
        parts[parts.count - 1].startBranch()
      case "*", "+", "?", "{":
        if let bounds = try repetitionBounds() {
          try repeatLast(bounds, from: start, after: repetition)
          isRepetition = true
        } else {
          add(literal: "{")
        }
      case "[": try add(GoAtom(characterClass()))
      case "\\": try escape()
      default:
        _ = scanner.take()
        add(characterOrAssertion: next)
      }
      repetition = isRepetition ? repetition ?? start : nil
    }
    guard parts.count == 1 else {
      throw scanner.mistake(
        "the group is not closed", remedy: "add a closing parenthesis", at: parts[parts.count - 1].start)
    }
    result = parts[0].finished().text
  }

  /// Records a possible difference in matches.
  mutating func differ(_ words: String) {
    if !differences.contains(words) { differences.append(words) }
  }

  /// Adds an atom to the current branch.
  mutating func add(_ atom: GoAtom) {
    parts[parts.count - 1].add(atom, ignoresCase: flags.ignoresCase)
  }

  mutating func add(literal scalar: Unicode.Scalar) {
    add(GoCharacterClass.atom(scalar.value))
  }

  /// Adds an assertion, which matches no character.
  mutating func add(assertion: String) {
    add(GoAtom(assertion, canBeEmpty: true, isSingle: false))
  }

  private mutating func add(characterOrAssertion scalar: Unicode.Scalar) {
    switch scalar {
    case ".": add(GoAtom(flags.dotMatchesNewlines ? "." : "[^\\n]"))
    case "^": add(assertion: flags.isMultiline ? "(?<![^\\n])" : "\\A")
    case "$": add(assertion: flags.isMultiline ? "(?![^\\n])" : "\\z")
    default: add(literal: scalar)
    }
  }
}

extension GoTranslation {
  private mutating func repeatLast(
    _ bounds: GoRepetition, from start: Int, after earlier: Int?
  ) throws(InvalidInput) {
    let isMarkedLazy = scanner.take("?")
    if let earlier {
      throw scanner.mistake(
        "\(Excerpt(scanner.text(from: earlier))) repeats a repetition",
        remedy: "write a group around the first one; Go has no possessive repetitions", at: earlier)
    }
    let index = parts.count - 1
    guard var atom = parts[index].last else {
      throw scanner.mistake(
        "\(Excerpt(scanner.text(from: start))) has nothing to repeat",
        remedy: "write \\\(scanner.text(from: start, to: start + 1)) for the character", at: start)
    }
    if atom.canBeEmpty, atom.isNumbered || atom.isLazy, bounds.upper.map({ $0 > 1 }) ?? true {
      differ("a repetition of a group that can match nothing may end elsewhere than in Go")
    }
    atom.repeated(bounds, lazily: isMarkedLazy != flags.isLazy)
    guard atom.repetitions <= GoRepetition.maximum else {
      throw scanner.mistake(
        "the repetitions inside each other are more than \(GoRepetition.maximum)", remedy: "repeat less",
        at: start)
    }
    parts[index].last = atom
  }
}

extension GoTranslation {
  /// Reads the start of a group, or flags.
  mutating func open() throws(InvalidInput) {
    let start = scanner.index
    _ = scanner.take("(")
    if scanner.isNext("*") {
      throw scanner.mistake(
        "Go's regular expressions have no verbs such as (*UTF)", remedy: "write \\* for a star", at: start)
    }
    guard scanner.isNext("?") else { return openGroup(at: start, isNumbered: true) }
    if let (word, marks) = Self.unknownGroups.first(where: { scanner.isNext($0.marks) }) {
      throw scanner.mistake("Go's regular expressions have no \(word) (\(marks)", at: start)
    }
    if scanner.take("?P<") || scanner.take("?<") {
      let nameStart = scanner.index
      guard let name = scanner.takeThrough(">"), !name.isEmpty,
        name.unicodeScalars.allSatisfy({ $0.isNameCharacter })
      else {
        throw scanner.mistake(
          "the name of the group is not valid", remedy: "write (?P<name>…) with letters, digits and _",
          at: nameStart)
      }
      names[name, default: []].append(groups + 1)
      return openGroup(at: start, isNumbered: true)
    }
    _ = scanner.take("?")
    try takeFlags(from: start)
  }

  /// The kinds of groups that exist only in other regular expression dialects.
  private static let unknownGroups = [
    (word: "lookahead", marks: "?="), (word: "negative lookahead", marks: "?!"),
    (word: "lookbehind", marks: "?<="), (word: "negative lookbehind", marks: "?<!"),
    (word: "atomic group", marks: "?>"), (word: "branch reset", marks: "?|"),
    (word: "comment", marks: "?#"), (word: "callout", marks: "?C"), (word: "condition", marks: "?("),
    (word: "recursion", marks: "?R"), (word: "recursion", marks: "?&"), (word: "recursion", marks: "?P>"),
    (word: "backreference", marks: "?P="),
  ]

  private mutating func openGroup(at start: Int, isNumbered: Bool, flags inner: Flags? = nil) {
    if isNumbered { groups += 1 }
    let ignoresCase = parts[parts.count - 1].openGroup()
    parts.append(GoGroup(isNumbered ? "(" : "(?:", at: start, flags: flags, ignoresCase: ignoresCase))
    if let inner { flags = inner }
  }

  /// Reads the end of a group.
  mutating func close() throws(InvalidInput) {
    let start = scanner.index
    _ = scanner.take()
    guard parts.count > 1, var group = parts.popLast() else {
      throw scanner.mistake("there is no group to close", remedy: "write \\) for a parenthesis", at: start)
    }
    flags = group.flags
    parts[parts.count - 1].add(group.finished())
  }

  /// Reads flags up to `)`, or up to `:` and opens their group.
  private mutating func takeFlags(from start: Int) throws(InvalidInput) {
    var changed = flags
    var isOn = true
    var hasFlag = false
    while let letter = scanner.take() {
      switch letter {
      case "i": changed.ignoresCase = isOn
      case "m": changed.isMultiline = isOn
      case "s": changed.dotMatchesNewlines = isOn
      case "U": changed.isLazy = isOn
      case "-" where isOn:
        (isOn, hasFlag) = (false, false)
        continue
      case ":" where isOn || hasFlag:
        return openGroup(at: start, isNumbered: false, flags: changed)
      case ")" where isOn || hasFlag:
        flags = changed
        return
      default:
        throw scanner.mistake(
          "Go's regular expressions have no group \(Excerpt(scanner.text(from: start)))",
          remedy: "the flags are i, m, s and U", at: start)
      }
      hasFlag = true
    }
    throw scanner.mistake("the group is not closed", remedy: "add a closing parenthesis", at: start)
  }
}

extension Unicode.Scalar {
  /// Whether it is an ASCII letter or digit.
  package var isASCIIAlphanumeric: Bool {
    ("0"..."9").contains(self) || ("A"..."Z").contains(self) || ("a"..."z").contains(self)
  }

  fileprivate var isNameCharacter: Bool { isASCIIAlphanumeric || self == "_" }
}

/// Reads an expression character by character.
struct PatternScanner {
  private let scalars: [Unicode.Scalar]
  /// The index of the next character.
  private(set) var index = 0

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// The next character, or nil at the end.
  var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  /// Takes the next character.
  mutating func take() -> Unicode.Scalar? {
    guard let next else { return nil }
    index += 1
    return next
  }

  /// Takes a text if it is next.
  ///
  /// - Returns: Whether it did.
  mutating func take(_ text: String) -> Bool {
    guard isNext(text) else { return false }
    index += text.unicodeScalars.count
    return true
  }

  func isNext(_ text: String) -> Bool { scalars[index...].starts(with: text.unicodeScalars) }

  /// Takes everything up to and including the first occurrence of a text; nil if there is none.
  mutating func takeThrough(_ end: String) -> String? {
    var other = self
    while other.index <= scalars.count {
      if other.isNext(end) {
        let taken = text(from: index, to: other.index)
        index = other.index + end.unicodeScalars.count
        return taken
      }
      other.index += 1
    }
    return nil
  }

  /// Moves back to an earlier position.
  mutating func back(to index: Int) { self.index = index }

  /// The text from one position to another, by default the current one.
  func text(from start: Int, to end: Int? = nil) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[start..<(end ?? index)])
    return String(view)
  }

  /// An error at a position.
  func mistake(_ message: String, remedy: String? = nil, at start: Int) -> InvalidInput {
    InvalidInput(message, remedy: remedy, offset: text(from: 0, to: start).utf8.count)
  }
}
