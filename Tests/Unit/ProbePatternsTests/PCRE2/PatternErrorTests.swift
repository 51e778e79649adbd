import Testing

@testable import ProbePatterns

@Suite
struct PatternErrorTests {
  struct Case: Sendable {
    let pattern: String
    let code: PatternError.Code
    let message: String
    let offset: Int
  }

  @Test(arguments: [
    Case(pattern: "(a", code: .missingParenthesis, message: "missing closing parenthesis", offset: 2),
    Case(pattern: "é)", code: .extraParenthesis, message: "unmatched closing parenthesis", offset: 2),
    Case(
      pattern: "[a", code: .missingBracket, message: "missing terminating ] for character class", offset: 2),
    Case(
      pattern: "a|*", code: .nothingToRepeat, message: "quantifier does not follow a repeatable item",
      offset: 2),
    Case(pattern: "a\\", code: .endsInBackslash, message: "\\ at end of pattern", offset: 2),
    Case(
      pattern: "[z-a]", code: .rangeOutOfOrder, message: "range out of order in character class", offset: 3),
    Case(
      pattern: String(repeating: "a", count: Pattern.maximumLength + 1), code: .tooLong,
      message: "16385 bytes are too long, the limit is 16384", offset: 16384),
    Case(
      pattern: #"(?i)[\x{80}-\x{10ffff}][\x{100}-\x{ffff}][\x{80}-\x{10ffff}]"#, code: .tooLarge,
      message: "its ranges have too many characters to be read without case", offset: 48),
    Case(
      pattern: "(?-s:(?x-mi)[é - \u{10ffff}é-\\Q\u{10ffff}\\Eé-\\o{4177777}])", code: .tooLarge,
      message: "its ranges have too many characters to be read without case", offset: 35),
  ])
  func areReportedWithTheirOffset(_ test: Case) throws {
    let error = try #require(throws: PatternError.self) { try Pattern(test.pattern) }
    #expect(error.code == test.code)
    #expect(error.message == test.message)
    #expect(error.offset == test.offset)
    #expect(error.description == "\(test.message) at byte \(test.offset)")
  }

  @Test func `a byte that would split characters is refused`() {
    #expect(throws: PatternError.self) { try Pattern(#"a\Cb"#) }
  }

  @Test(
    arguments: [
      (#"[^\x{0}-\x{10ffff}]é-\x{10ffff}-\x{10ffff}-\x{10ffff}"#, PatternOptions()),
      ("é-\u{10ffff}-\u{10ffff}-\u{10ffff}", [.literal, .caseless]),
      (#"(?i)[一-龥]+[\x{80}-\x{10ffff}][a-z]-[à-ÿ]-\x{ff}"#, []),
    ] as [(String, PatternOptions)])
  func `ranges of low cost are accepted`(_ pattern: String, _ options: PatternOptions) throws {
    #expect(try Pattern(pattern, options: options).compiledSize > 0)
  }

  @Test func `a pattern of the maximum length compiles`() throws {
    _ = try Pattern(String(repeating: "a", count: Pattern.maximumLength), options: .literal)
  }
}
