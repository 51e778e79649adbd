import Validators
import ProbeCore
import ProbeText
import TestSupport
import Testing

@Suite
struct ValidatorTests {
  static let word: [UInt8] = [0xC2, 0xF5, 0xEE, 0xE4]  // "Вход" in windows-1251

  static func response(
    _ body: [UInt8], charset: String? = "windows-1251", isCut: Bool = false
  ) throws -> ProbeResponse {
    let fields: HeaderFields = charset.map { ["Content-Type": "text/html; charset=\($0)"] } ?? [:]
    return ProbeResponse(
      url: try ProbeURL("https://example.com/"), head: HTTPResponseHead(status: 200, fields: fields),
      body: body, bodyIsCut: isCut)
  }

  @Test func `judge the converted text`() throws {
    let page = try Self.response(Array("<b>".utf8) + Self.word + Array("</b>".utf8))
    #expect(try ContainsValidator("Вход").validate(page).isAccepted)
    #expect(try ContainsValidator("ВХОД", caseless: true).validate(page).isAccepted)
    #expect(try EqualsValidator("<b>Вход</b>").validate(page).isAccepted)
    #expect(try EqualsValidator("<b>вход</b>", caseless: true).validate(page).isAccepted)
    #expect(
      try MatchesValidator("<b>(?<word>.{4})</b>").validate(page) == .accepted(captures: ["word": "Вход"]))
  }

  @Test func `show the converted text, without a position that the body lacks`() throws {
    let page = try Self.response(Self.word)
    #expect(
      try ContainsValidator("Выход").validate(page).rejection?.description
        == "expected a body that contains \"Выход\", found \"Вход\"")
    #expect(
      try EqualsValidator("Вдох").validate(page).rejection?.description
        == "expected a body equal to \"Вдох\", found \"ход\"")
    #expect(
      try EqualsValidator("Входы").validate(page).rejection?.description
        == "expected a body equal to \"Входы\", found the end of the body")
    #expect(
      try MatchesValidator("^х").validate(page).rejection?.description
        == "expected a body that matches \"^х\", found \"Вход\"")
  }

  @Test func `the byte order mark is removed`() throws {
    for charset in ["utf-8", "windows-1251", nil] {
      let page = try Self.response([0xEF, 0xBB, 0xBF] + Array("success".utf8), charset: charset)
      #expect(try EqualsValidator("success").validate(page).isAccepted)
      #expect(try MatchesValidator("^success$", options: [.anchored]).validate(page).isAccepted)
      #expect(
        try EqualsValidator("succors").validate(page).rejection?.description
          == #"expected a body equal to "succors", found "ess" at byte 7"#)
    }
    let empty = try Self.response([0xEF, 0xBB, 0xBF])
    #expect(try EqualsValidator("x").validate(empty).rejection?.found == "an empty body")
    #expect(try ContainsValidator("x").validate(empty).rejection?.found == "an empty body")
    #expect(try EqualsValidator("").validate(empty).isAccepted)
  }

  @Test func `judge ASCII in a page that declares the wrong charset`() throws {
    for charset in Charset.all where !charset.name.hasPrefix("utf-16") {
      let page = try Self.response(
        [0xFF, 0x80, 0x20] + Array("Success".utf8) + [0xC2], charset: charset.name)
      #expect(try ContainsValidator("Success").validate(page).isAccepted, "\(charset)")
      #expect(try MatchesValidator("Succ(?=ess)").validate(page).isAccepted, "\(charset)")
    }
  }

  @Test func `judge a character truncated at the limit`() throws {
    let page = try Self.response(Array("Success".utf8) + [0x93], charset: "shift_jis", isCut: true)
    #expect(try ContainsValidator("Success").validate(page).isAccepted)
    #expect(try MatchesValidator("Success\u{FFFD}$").validate(page).isAccepted)
    #expect(
      try ContainsValidator("Failure").validate(page).rejection?.found
        == "none in the part received: the body was cut at 8 bytes; raise maxBody")
  }

  /// The time limit is generous: it only detects quadratic work.
  @Test(arguments: Charset.all)
  func `hostile bytes are decoded`(charset: Charset) throws {
    var numbers = SeededNumbers(seed: 1)
    let size = 1 << 12
    let random = (0..<(size / 8)).flatMap { _ in bytes(of: numbers.next()) }
    let body = random + [UInt8](repeating: 0xFF, count: size) + [UInt8](repeating: 0x1B, count: size)
    let page = try Self.response(body, charset: charset.name)
    let validators: [any ResponseValidator] = [
      try ContainsValidator("Success"), try EqualsValidator("Success"), try MatchesValidator("Success"),
    ]
    for validator in validators { #expect(!validator.validate(page).isAccepted) }
  }
}

private func bytes(of number: UInt64) -> [UInt8] {
  (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}
