/// A group that is being read, or the whole expression.
struct GoGroup {
  let start: Int
  /// The flags to restore after it.
  let flags: GoTranslation.Flags
  /// The last atom of the current branch, which a repetition may follow.
  var last: GoAtom?

  private let opening: String
  private var text = ""
  private var isBranchEmpty = true
  private var canBeEmpty = false
  private var isNumbered: Bool
  private var isLazy = false
  private var repetitions = 1
  /// Whether PCRE2 ignores case at this position.
  private var ignoresCase: Bool

  init(
    _ opening: String = "", at start: Int = 0, flags: GoTranslation.Flags = .init(), ignoresCase: Bool = false
  ) {
    (self.opening, self.start, self.flags, self.ignoresCase) = (opening, start, flags, ignoresCase)
    isNumbered = opening == "("
  }

  /// Adds an atom that matches with or without regard to case.
  mutating func add(_ atom: GoAtom, ignoresCase: Bool) {
    flush()
    if ignoresCase != self.ignoresCase {
      text += ignoresCase ? "(?i)" : "(?-i)"
      self.ignoresCase = ignoresCase
    }
    last = atom
  }

  mutating func add(_ group: GoAtom) {
    add(group, ignoresCase: ignoresCase)
  }

  /// Starts a group inside this one.
  ///
  /// - Returns: Whether PCRE2 ignores case at its start.
  mutating func openGroup() -> Bool {
    flush()
    return ignoresCase
  }

  /// Starts the next alternative.
  mutating func startBranch() {
    flush()
    text += "|"
    canBeEmpty = canBeEmpty || isBranchEmpty
    isBranchEmpty = true
  }

  mutating func finished() -> GoAtom {
    flush()
    return GoAtom(
      opening.isEmpty ? text : opening + text + ")", canBeEmpty: canBeEmpty || isBranchEmpty,
      isNumbered: isNumbered, isLazy: isLazy, repetitions: repetitions)
  }

  private mutating func flush() {
    guard let last else { return }
    text += last.text
    isBranchEmpty = isBranchEmpty && last.canBeEmpty
    isNumbered = isNumbered || last.isNumbered
    isLazy = isLazy || last.isLazy
    repetitions = max(repetitions, last.repetitions)
    self.last = nil
  }
}

/// A part of an expression to which a repetition can apply, in the syntax of PCRE2.
struct GoAtom {
  /// The text for PCRE2.
  private(set) var text: String
  /// Whether it can match the empty string.
  private(set) var canBeEmpty: Bool
  /// Whether it contains a numbered group.
  private(set) var isNumbered: Bool
  /// Whether a part of it is lazy.
  private(set) var isLazy: Bool
  /// The maximum number of repetitions of its parts, for Go's limit.
  private(set) var repetitions: Int
  /// Whether a following repetition applies to all of it.
  private var isSingle: Bool

  init(
    _ text: String, canBeEmpty: Bool = false, isNumbered: Bool = false, isLazy: Bool = false,
    repetitions: Int = 1, isSingle: Bool = true
  ) {
    (self.text, self.canBeEmpty, self.isNumbered, self.isLazy) = (text, canBeEmpty, isNumbered, isLazy)
    (self.repetitions, self.isSingle) = (repetitions, isSingle)
  }

  mutating func repeated(_ bounds: GoRepetition, lazily isLazy: Bool) {
    text = (isSingle ? text : "(?:\(text))") + bounds.text + (isLazy ? "?" : "")
    if bounds.isCounted { repetitions *= max(1, bounds.upper ?? bounds.lower) }
    canBeEmpty = canBeEmpty || bounds.lower == 0
    self.isLazy = self.isLazy || isLazy
    isSingle = false
  }
}

/// The bounds of a repetition.
struct GoRepetition {
  /// The maximum that Go accepts.
  static let maximum = 1000

  var lower: Int
  /// The maximum number; nil for no limit.
  var upper: Int?
  /// Whether it is written in braces.
  var isCounted = false

  /// The repetition in the syntax of PCRE2.
  var text: String {
    switch (lower, upper) {
    case (0, nil): "*"
    case (1, nil): "+"
    case (0, 1): "?"
    case (_, nil): "{\(lower),}"
    case (_, let upper?): lower == upper ? "{\(lower)}" : "{\(lower),\(upper)}"
    }
  }
}
