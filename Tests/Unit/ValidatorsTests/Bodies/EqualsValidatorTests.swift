import FoundationEssentials
import ProbeCore
import Validators
import Testing

@Suite
struct EqualsValidatorTests {
  struct Case: Sendable {
    let options: EqualsValidator.Options
    let body: [UInt8]
    /// The rejection as a sentence, or nil for an acceptance.
    let rejection: String?

    init(_ text: String, trim: Bool = true, caseless: Bool = false, body: String, _ rejection: String? = nil)
    {
      self.init(text, trim: trim, caseless: caseless, bytes: Array(body.utf8), rejection)
    }

    init(
      _ text: String, trim: Bool = true, caseless: Bool = false, bytes: [UInt8], _ rejection: String? = nil
    ) {
      options = EqualsValidator.Options(text: text, trim: trim, caseless: caseless)
      body = bytes
      self.rejection = rejection
    }
  }

  @Test(arguments: [
    Case("success", body: "success"),
    Case("success", body: "\r\n success \t\u{B}\u{C}\r\n"),
    // The reference framework trims only the body, so this can never match there.
    Case("success\n", body: "success\n"),
    Case("success\n", body: "success"),
    Case("", body: " \r\n"),
    Case("", body: ""),
    Case("a  b", body: "a  b"),
    Case("👋\r\n👍", body: "👋\r\n👍\r\n"),
    Case("a\0b", bytes: [0x61, 0, 0x62]),
    // Unicode white space is not trimmed.
    Case("a", body: "a\u{A0}", "expected a body equal to \"a\", found \"\u{A0}\" at byte 1"),
    // The first difference, as an offset in the body as received.
    Case("success", body: "successful", #"expected a body equal to "success", found "ful" at byte 7"#),
    Case("success", body: "\n\nsux", #"expected a body equal to "success", found "x" at byte 4"#),
    Case(
      "success", body: "succ\n", #"expected a body equal to "success", found the end of the body at byte 4"#),
    Case("success", body: "", #"expected a body equal to "success", found an empty body"#),
    Case("success", body: "Success", #"expected a body equal to "success", found "Success" at byte 0"#),
    Case(
      "0123456789abcdefX", body: "0123456789abcdefY",
      #"expected a body equal to "0123456789abcdefX", found "Y" at byte 16"#),
    Case(
      "success", bytes: [0x73, 0xFF], "expected a body equal to \"success\", found \"\u{FFFD}\" at byte 1"),
    // Without trimming every byte counts.
    Case("success", trim: false, body: "success"),
    Case("success\n", trim: false, body: "success\n"),
    Case(
      "success", trim: false, body: "success\n", #"expected a body equal to "success", found "\n" at byte 7"#),
    Case(" a", trim: false, body: "a", #"expected a body equal to " a", found "a" at byte 0"#),
    // Without case.
    Case("Success", caseless: true, body: "SUCCESS\n"),
    Case("ärger", caseless: true, body: "ÄRGER"),
    Case("k", caseless: true, body: "\u{212A}"),
    Case(
      "a.b", caseless: true, body: "axb", #"expected a body equal to "a.b" in any case, found "xb" at byte 1"#
    ),
    Case(
      "ab", caseless: true, body: "ABC", #"expected a body equal to "ab" in any case, found "C" at byte 2"#),
    Case(
      "abc", caseless: true, body: " AB",
      #"expected a body equal to "abc" in any case, found the end of the body at byte 3"#),
    Case(
      "é1", caseless: true, body: "É2", #"expected a body equal to "é1" in any case, found "2" at byte 2"#),
  ])
  func judges(_ test: Case) throws {
    let validation = try EqualsValidator(options: test.options).validate(try response(test.body))
    #expect(validation.rejection?.description == test.rejection)
    #expect(validation.rejection.map { $0.reason == .bodyMismatch } ?? true)
  }

  @Test(arguments: [
    // The received part is correct, and more was sent.
    ("success", "succ", ReasonCode.bodyTooLarge),
    ("success", "success", .bodyTooLarge),
    ("success", "success\n\n\n", .bodyTooLarge),
    ("success", "\n\n\n", .bodyTooLarge),
    // The received part already differs.
    ("success", "<html>", .bodyMismatch),
    ("success", "successful", .bodyMismatch),
  ])
  func `a truncated body is judged up to its end`(text: String, body: String, reason: ReasonCode) throws {
    for caseless in [false, true] {
      let validator = try EqualsValidator(text, caseless: caseless)
      #expect(validator.validate(try response(Array(body.utf8), isCut: true)).rejection?.reason == reason)
    }
  }

  @Test(arguments: 0...40)
  func `every position of a difference is found`(offset: Int) throws {
    let text = Array("0123456789012345678901234567890123456789".utf8)
    var body = text
    if offset < text.count { body[offset] = UInt8(ascii: "x") } else { body.append(UInt8(ascii: "x")) }
    let validator = try EqualsValidator(String(decoding: text, as: UTF8.self))
    #expect(validator.validate(try response(body)).rejection?.offset == offset)
    #expect(validator.validate(try response(text)).isAccepted)
  }

  @Test(arguments: [
    (#""x""#, EqualsValidator.Options(text: "x")),
    (#"{"text":"x"}"#, EqualsValidator.Options(text: "x")),
    (#"{"text":"x","trim":false}"#, EqualsValidator.Options(text: "x", trim: false)),
    (#"{"text":"x","caseless":true}"#, EqualsValidator.Options(text: "x", caseless: true)),
  ])
  func `options round trip`(json: String, options: EqualsValidator.Options) throws {
    #expect(try JSONDecoder().decode(EqualsValidator.Options.self, from: Data(json.utf8)) == options)
    let encoded = try JSONEncoder().encode(options)
    #expect(try JSONDecoder().decode(EqualsValidator.Options.self, from: encoded) == options)
  }

  @Test(arguments: ["17", #"{"trim":true}"#, #"{"text":"x","trim":"no"}"#])
  func `other forms are refused`(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(EqualsValidator.Options.self, from: Data(json.utf8))
    }
  }
}
