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

  /// Repeats it.
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
