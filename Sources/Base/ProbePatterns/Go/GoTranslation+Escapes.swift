internal import ProbeBase

extension GoTranslation {
  /// Reads an escape outside brackets.
  mutating func escape() throws(InvalidInput) {
    let start = scanner.index
    if scanner.take("\\Q") {
      while scanner.next != nil, !scanner.take("\\E") {
        if let scalar = scanner.take() { add(literal: scalar) }
      }
      return
    }
    if scanner.take("\\A") { return add(assertion: "\\A") }
    if scanner.take("\\z") { return add(assertion: "\\z") }
    if scanner.take("\\b") { return add(assertion: "\\b") }
    if scanner.take("\\B") { return add(assertion: "\\B") }
    var characters = GoCharacterClass()
    if try takeClassEscape(into: &characters) {
      return add(GoAtom(characters.text(isNegated: false)))
    }
    add(GoCharacterClass.atom(try escapedCode(from: start)))
  }

  /// Reads the escape of a class, such as `\d` or `\pL`, inside or outside brackets.
  ///
  /// - Returns: Whether there was one.
  mutating func takeClassEscape(into characters: inout GoCharacterClass) throws(InvalidInput) -> Bool {
    let start = scanner.index
    for letter in ["d", "s", "w"] {
      if scanner.take("\\" + letter) {
        characters.add(group: letter, isNegated: false)
        return true
      }
      if scanner.take("\\" + letter.uppercased()) {
        characters.add(group: letter, isNegated: true)
        return true
      }
    }
    guard scanner.isNext("\\p") || scanner.isNext("\\P") else { return false }
    var isNegated = scanner.isNext("\\P")
    _ = (scanner.take(), scanner.take())
    var name = scanner.take("{") ? scanner.takeThrough("}") : scanner.take().map { String($0) }
    if let text = name, text.hasPrefix("^") {
      isNegated.toggle()
      name = String(text.dropFirst())
    }
    guard let property = name.flatMap({ GoProperty(name: $0, ignoresCase: flags.ignoresCase) }) else {
      throw scanner.mistake(
        "\(Excerpt(name ?? scanner.text(from: start))) is no category or script of Unicode",
        remedy: "write it as \\pL or \\p{Greek}", at: start)
    }
    if property.isApproximate {
      differ("\(scanner.text(from: start)) without case may match other letters than in Go")
    }
    characters.add(property, isNegated: isNegated)
    return true
  }

  /// Reads the escape of one character: its code, its letter or punctuation.
  mutating func escapedCode(from start: Int) throws(InvalidInput) -> UInt32 {
    _ = scanner.take()
    guard let letter = scanner.take() else {
      throw scanner.mistake(
        "there is nothing after the backslash", remedy: "write \\\\ for a backslash", at: start)
    }
    switch letter {
    case "1"..."7" where !(scanner.next.map { ("0"..."7").contains($0) } ?? false):
      throw scanner.mistake("Go's regular expressions have no backreferences such as \\\(letter)", at: start)
    case "0"..."7":
      var code = letter.value - 0x30
      for _ in 0..<2 {
        guard let digit = scanner.next, ("0"..."7").contains(digit) else { break }
        code = code * 8 + digit.value - 0x30
        _ = scanner.take()
      }
      return code
    case "x":
      if let code = takeHexadecimal() { return code }
      throw scanner.mistake(
        "\(Excerpt(scanner.text(from: start))) is not the code of a character",
        remedy: "write it as \\x7F or \\x{10FFFF}", at: start)
    case "a": return 7
    case "f": return 12
    case "n": return 10
    case "r": return 13
    case "t": return 9
    case "v": return 11
    default:
      if letter.isASCII, !letter.isASCIIAlphanumeric { return letter.value }
      let escape = "\\\(String(letter).escapedForDisplay)"
      throw scanner.mistake(
        "Go's regular expressions have no \(escape)", remedy: Self.remedies[letter], at: start)
    }
  }

  private static let remedies: [Unicode.Scalar: String] = [
    "Z": "write \\z for the end of the text, or (?m:$) for that of a line",
    "K": "put what you need into a group", "R": "write \\r?\\n", "h": "write [ \\t]", "H": "write [^ \\t]",
    "V": "write [^\\n\\v\\f\\r]", "N": "write [^\\n]", "C": "write (?s:.)", "X": "write \\PM\\pM*",
    "e": "write \\x1B", "G": "write \\A, if the whole text is meant", "E": "it needs a \\Q before it",
    "u": "write \\x{…}", "U": "write \\x{…}",
  ]

  private mutating func takeHexadecimal() -> UInt32? {
    guard scanner.take("{") else {
      guard let high = takeDigit(), let low = takeDigit() else { return nil }
      return high * 16 + low
    }
    var code: UInt32?
    while let digit = takeDigit() {
      let longer = (code ?? 0) * 16 + digit
      guard longer <= 0x10FFFF else { return nil }
      code = longer
    }
    return scanner.take("}") ? code : nil
  }

  private mutating func takeDigit() -> UInt32? {
    guard let digit = scanner.next, let value = UInt8(exactly: digit.value)?.hexDigitValue else { return nil }
    _ = scanner.take()
    return UInt32(widening: value)
  }

  /// Reads `*`, `+`, `?` or `{n,m}`.
  ///
  /// - Returns: nil for a brace that does not start a repetition; only the brace has then been read.
  mutating func repetitionBounds() throws(InvalidInput) -> GoRepetition? {
    let start = scanner.index
    if scanner.take("*") { return GoRepetition(lower: 0) }
    if scanner.take("+") { return GoRepetition(lower: 1) }
    if scanner.take("?") { return GoRepetition(lower: 0, upper: 1) }
    _ = scanner.take("{")
    guard let lower = takeNumber() else {
      scanner.back(to: start + 1)
      return nil
    }
    var upper: Int? = lower
    if scanner.take(",") { upper = scanner.isNext("}") ? nil : takeNumber() ?? -1 }
    guard upper != -1, scanner.take("}") else {
      scanner.back(to: start + 1)
      return nil
    }
    let maximum = GoRepetition.maximum
    guard lower <= maximum, upper.map({ $0 <= maximum && $0 >= lower }) ?? true else {
      throw scanner.mistake(
        "\(Excerpt(scanner.text(from: start))) is not a valid number of repetitions",
        remedy: "use at most \(maximum), and the smaller number first", at: start)
    }
    return GoRepetition(lower: lower, upper: upper, isCounted: true)
  }

  /// Reads a number without leading zeros; one that is too large is replaced by an invalid one.
  private mutating func takeNumber() -> Int? {
    let start = scanner.index
    while let digit = scanner.next, ("0"..."9").contains(digit) { _ = scanner.take() }
    let digits = scanner.text(from: start)
    guard !digits.isEmpty, digits == "0" || !digits.hasPrefix("0") else { return nil }
    return Int(text: digits) ?? .max
  }
}
