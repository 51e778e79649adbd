internal import ProbeBase

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
        name.unicodeScalars.allSatisfy({ $0.isOfName })
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

  fileprivate var isOfName: Bool { isASCIIAlphanumeric || self == "_" }
}
