internal import ProbeBase

extension GoTranslation {
  /// Reads a set of characters in brackets.
  mutating func characterClass() throws(InvalidInput) -> String {
    let start = scanner.index
    _ = scanner.take("[")
    let isNegated = scanner.take("^")
    var characters = GoCharacterClass()
    var isFirst = true
    while isFirst || !scanner.isNext("]") {
      isFirst = false
      if try takeNamedGroup(into: &characters) { continue }
      if try takeClassEscape(into: &characters) { continue }
      let rangeStart = scanner.index
      let low = try characterCode(inClassFrom: start)
      var high = low
      if scanner.isNext("-"), !scanner.isNext("-]") {
        _ = scanner.take()
        high = try characterCode(inClassFrom: start)
      }
      guard low <= high else {
        throw scanner.mistake(
          "the range \(Excerpt(scanner.text(from: rangeStart))) runs backwards", remedy: "swap its ends",
          at: rangeStart
        )
      }
      characters.add(low, high)
    }
    _ = scanner.take("]")
    return characters.text(isNegated: isNegated)
  }

  /// Reads a character in brackets, or its escape.
  private mutating func characterCode(inClassFrom start: Int) throws(InvalidInput) -> UInt32 {
    if scanner.isNext("\\") { return try escapedCode(from: scanner.index) }
    guard let scalar = scanner.take() else {
      throw scanner.mistake(
        "the brackets are not closed", remedy: "add ], or write \\[ for a bracket", at: start)
    }
    return scalar.value
  }

  /// Reads a group such as `[:alpha:]`.
  ///
  /// - Returns: Whether there was one.
  private mutating func takeNamedGroup(into characters: inout GoCharacterClass) throws(InvalidInput) -> Bool {
    let start = scanner.index
    guard scanner.take("[:") else { return false }
    guard let name = scanner.takeThrough(":]") else {
      scanner.back(to: start)
      return false
    }
    let isNegated = name.hasPrefix("^")
    let word = isNegated ? String(name.dropFirst()) : name
    guard word.count > 1, GoCharacterClass.groups[word] != nil else {
      let nearest = nearestName(
        to: word, among: GoCharacterClass.groups.keys.filter { $0.count > 1 }.sorted())
      throw scanner.mistake(
        "\(Excerpt(scanner.text(from: start))) is no group of characters",
        remedy: nearest.map { "did you mean [:\($0):]?" }, at: start)
    }
    characters.add(group: word, isNegated: isNegated)
    return true
  }
}
