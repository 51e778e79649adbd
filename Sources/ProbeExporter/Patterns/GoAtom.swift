/// A part of an expression that a repetition can apply to, as PCRE2 reads it.
struct GoAtom {
  /// The text for PCRE2.
  private(set) var text: String
  /// Whether it can match the empty string.
  private(set) var canBeEmpty: Bool
  /// Whether it contains a group with a number.
  private(set) var isNumbered: Bool
  /// Whether a part of it prefers to match less.
  private(set) var isLazy: Bool
  /// How often its parts are repeated at most, for Go's limit.
  private(set) var repetitions: Int
  /// Whether a repetition that follows applies to all of it.
  private var isSingle: Bool

  init(
    _ text: String, canBeEmpty: Bool = false, isNumbered: Bool = false, isLazy: Bool = false,
    repetitions: Int = 1, isSingle: Bool = true
  ) {
    (self.text, self.canBeEmpty, self.isNumbered, self.isLazy) = (text, canBeEmpty, isNumbered, isLazy)
    (self.repetitions, self.isSingle) = (repetitions, isSingle)
  }

  /// Repeats it.
  mutating func repeated(_ bounds: GoRepetition, lazily isLazy: Bool) {
    text = (isSingle ? text : "(?:\(text))") + bounds.text + (isLazy ? "?" : "")
    if bounds.isCounted { repetitions *= max(1, bounds.upper ?? bounds.lower) }
    canBeEmpty = canBeEmpty || bounds.lower == 0
    self.isLazy = self.isLazy || isLazy
    isSingle = false
  }
}

/// How often something is repeated.
struct GoRepetition {
  /// The most that Go accepts.
  static let maximum = 1000

  var lower: Int
  /// The most times; nil for any number.
  var upper: Int?
  /// Whether it is written in braces.
  var isCounted = false

  /// How PCRE2 writes it.
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

/// A group that is being read, or the whole expression.
struct GoGroup {
  /// Where it starts.
  let start: Int
  /// The flags that hold again after it.
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
  /// Whether PCRE2 ignores case at this place.
  private var folds: Bool

  init(_ opening: String = "", at start: Int = 0, flags: GoTranslation.Flags = .init(), folds: Bool = false) {
    (self.opening, self.start, self.flags, self.folds) = (opening, start, flags, folds)
    isNumbered = opening == "("
  }

  /// Adds an atom that is to be read with or without case.
  mutating func add(_ atom: GoAtom, folds: Bool) {
    flush()
    if folds != self.folds {
      text += folds ? "(?i)" : "(?-i)"
      self.folds = folds
    }
    last = atom
  }

  /// Adds a finished group.
  mutating func add(_ group: GoAtom) {
    add(group, folds: folds)
  }

  /// Starts a group inside of this one.
  ///
  /// - Returns: Whether PCRE2 ignores case at its start.
  mutating func openGroup() -> Bool {
    flush()
    return folds
  }

  /// Starts the next alternative.
  mutating func startBranch() {
    flush()
    text += "|"
    canBeEmpty = canBeEmpty || isBranchEmpty
    isBranchEmpty = true
  }

  /// The group as an atom.
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
