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
    case ".": add(GoAtom(flags.dotMatchesNewlines ? "." : "[^\\n]"))
    case "^": add(assertion: flags.isMultiline ? "(?<![^\\n])" : "\\A")
    case "$": add(assertion: flags.isMultiline ? "(?![^\\n])" : "\\z")
    default: add(literal: scalar)
    }
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
