internal import ProbeCore

/// Translates an expression of Go into one that PCRE2 reads in the same way with its option DOTALL.
///
/// The grammar is that of Go's package `regexp/syntax` with its flags `Perl`. What PCRE2 would read differently
/// is written in another way: `$` as `\z`, `.` as `[^\n]`, named groups as numbered ones, and so on.
struct GoTranslation {
  /// The flags of a part of the expression.
  struct Flags {
    var folds = false
    var isMultiline = false
    var dotIsAny = false
    var isLazy = false
  }

  /// The expression for PCRE2.
  private(set) var result = ""
  /// The numbers of the groups with each name.
  private(set) var names: [String: [Int]] = [:]
  /// What may match differently, one line each.
  private(set) var differences: [String] = []

  var scanner: PatternScanner
  private(set) var flags = Flags()
  private var parts = [GoGroup()]
  private var groups = 0

  init(_ text: String) {
    scanner = PatternScanner(text)
  }

  /// Translates the whole expression.
  ///
  /// - Throws: `InvalidInput` with the place, if Go does not accept it.
  mutating func translate() throws(InvalidInput) {
    // The repetition that has just been read; another one cannot follow directly.
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

  /// Notes what may match differently.
  mutating func differ(_ words: String) {
    if !differences.contains(words) { differences.append(words) }
  }

  /// Adds an atom to the current branch.
  mutating func add(_ atom: GoAtom) {
    parts[parts.count - 1].add(atom, folds: flags.folds)
  }

  /// Adds a literal character.
  mutating func add(literal scalar: Unicode.Scalar) {
    add(GoCharacterClass.atom(scalar.value))
  }

  /// Adds an assertion, which matches no character.
  mutating func add(assertion: String) {
    add(GoAtom(assertion, canBeEmpty: true, isSingle: false))
  }

  private mutating func add(characterOrAssertion scalar: Unicode.Scalar) {
    switch scalar {
    case ".": add(GoAtom(flags.dotIsAny ? "." : "[^\\n]"))
    case "^": add(assertion: flags.isMultiline ? "(?<![^\\n])" : "\\A")
    case "$": add(assertion: flags.isMultiline ? "(?![^\\n])" : "\\z")
    default: add(literal: scalar)
    }
  }
}

extension GoTranslation {
  private mutating func open() throws(InvalidInput) {
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
      let place = scanner.index
      guard let name = scanner.takeThrough(">"), !name.isEmpty,
        name.unicodeScalars.allSatisfy({ $0.isOfName })
      else {
        throw scanner.mistake(
          "the name of the group is not valid", remedy: "write (?P<name>…) with letters, digits and _",
          at: place)
      }
      names[name, default: []].append(groups + 1)
      return openGroup(at: start, isNumbered: true)
    }
    _ = scanner.take("?")
    try takeFlags(from: start)
  }

  /// Kinds of groups that other languages have.
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
    let folds = parts[parts.count - 1].openGroup()
    parts.append(GoGroup(isNumbered ? "(" : "(?:", at: start, flags: flags, folds: folds))
    if let inner { flags = inner }
  }

  private mutating func close() throws(InvalidInput) {
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
      case "i": changed.folds = isOn
      case "m": changed.isMultiline = isOn
      case "s": changed.dotIsAny = isOn
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

extension GoTranslation {
  /// Repeats the last atom.
  private mutating func repeatLast(
    _ bounds: GoRepetition, from start: Int, after earlier: Int?
  ) throws(InvalidInput) {
    let isMarkedLazy = scanner.take("?")
    if let earlier {
      throw scanner.mistake(
        "\(Excerpt(scanner.text(from: earlier))) repeats a repetition",
        remedy: "write a group around the first one; Go has no possessive repetitions", at: earlier)
    }
    let place = parts.count - 1
    guard var atom = parts[place].last else {
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
    parts[place].last = atom
  }
}

extension Unicode.Scalar {
  /// Whether it is a letter or a digit of ASCII.
  var isASCIIAlphanumeric: Bool {
    ("0"..."9").contains(self) || ("A"..."Z").contains(self) || ("a"..."z").contains(self)
  }

  fileprivate var isOfName: Bool { isASCIIAlphanumeric || self == "_" }
}
