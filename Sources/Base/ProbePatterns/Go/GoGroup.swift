/// A group that is being read, or the whole expression.
struct GoGroup {
  /// The start position.
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

  /// Adds a finished group.
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
