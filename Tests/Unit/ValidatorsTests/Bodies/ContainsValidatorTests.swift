import FoundationEssentials
import ProbeCore
import Validators
import Testing

@Suite
struct ContainsValidatorTests {
  struct Case: Sendable {
    let text: String
    var caseless = false
    let body: [UInt8]
    let isAccepted: Bool

    init(_ text: String, caseless: Bool = false, in body: String, _ isAccepted: Bool) {
      self.init(text, caseless: caseless, bytes: Array(body.utf8), isAccepted)
    }

    init(_ text: String, caseless: Bool = false, bytes: [UInt8], _ isAccepted: Bool) {
      self.text = text
      self.caseless = caseless
      body = bytes
      self.isAccepted = isAccepted
    }
  }

  @Test(arguments: [
    // The reference framework's own oracles.
    Case("test", in: "a test", true),
    Case("test", in: "est", false),
    Case("Success", in: "Successful", true),
    Case("Success", in: "success", false),
    Case("Success", in: "", false),
    Case("Success", in: "Succes", false),
    // Unicode case folding, and no special characters.
    Case("success", caseless: true, in: "<BODY>SUCCESS</BODY>", true),
    Case("ÄRGER", caseless: true, in: "kein ärger", true),
    Case("a.c*", caseless: true, in: "A.C*", true),
    Case("a.c*", caseless: true, in: "abc", false),
    Case("success", caseless: true, in: "", false),
    // Bytes: CRLF, four-byte characters, NUL, and invalid UTF-8.
    Case("\r\n👍", in: "👋\r\n👍\r\n", true),
    Case("👍", caseless: true, in: "👋\r\n👍\r\n", true),
    Case("Success", bytes: [0, 0xFF] + Array("Success".utf8) + [0xC3, 0], true),
    Case("success", caseless: true, bytes: [0, 0xFF] + Array("Success".utf8) + [0xC3, 0], true),
    Case("a\0b", bytes: [0x61, 0, 0x62], true),
    // Equal characters in different forms are different bytes.
    Case("e\u{301}", in: "\u{E9}", false),
  ])
  func judges(_ test: Case) throws {
    let validator = try ContainsValidator(test.text, caseless: test.caseless)
    #expect(validator.validate(try response(test.body)).isAccepted == test.isAccepted)
    #expect(validator.judges == .content)
  }

  @Test func `reports the expected and the actual value`() throws {
    let validation = try ContainsValidator("Success").validate(try response(Array("<html>\u{1B}login".utf8)))
    #expect(validation.rejection?.reason == .bodyMismatch)
    #expect(
      validation.rejection?.description
        == #"expected a body that contains "Success", found "<html>\x1blogin""#)
  }

  @Test func `an empty body is reported as such`() throws {
    let validation = try ContainsValidator("Success", caseless: true).validate(try response([]))
    #expect(
      validation.rejection?.description
        == #"expected a body that contains "Success" in any case, found an empty body"#)
  }

  @Test func `in a truncated body the text may follow`() throws {
    let validator = try ContainsValidator("Success")
    let cut = validator.validate(try response(Array("Succ".utf8), isCut: true))
    #expect(cut.rejection?.reason == .bodyTooLarge)
    #expect(
      cut.rejection?.found == "none in the part received: the body was cut at 4 bytes; raise maxBody")
    #expect(validator.validate(try response(Array("Success…".utf8), isCut: true)).isAccepted)
  }

  @Test func `an empty text is refused`() throws {
    let error = try #require(throws: InvalidInput.self) { try ContainsValidator("") }
    #expect(error.description == "the text is empty: every body contains it; give the text to look for")
  }

  @Test func `a caseless text has a length limit`() throws {
    let text = String(repeating: "x", count: 20_000)
    let error = try #require(throws: InvalidInput.self) { try ContainsValidator(text, caseless: true) }
    #expect(
      error.description
        == "the text cannot be compared without case: 20000 bytes are too long, the limit is 16384")
    _ = try ContainsValidator(text)
  }

  @Test(arguments: [
    (#""Success""#, ContainsValidator.Options(text: "Success")),
    (#"{"text":"Success"}"#, ContainsValidator.Options(text: "Success")),
    (#"{"text":"x","caseless":true}"#, ContainsValidator.Options(text: "x", caseless: true)),
  ])
  func `options round trip`(json: String, options: ContainsValidator.Options) throws {
    #expect(try JSONDecoder().decode(ContainsValidator.Options.self, from: Data(json.utf8)) == options)
    let encoded = try JSONEncoder().encode(options)
    #expect(try JSONDecoder().decode(ContainsValidator.Options.self, from: encoded) == options)
  }

  @Test func `the short form is written where it suffices`() throws {
    let encoded = try JSONEncoder().encode(ContainsValidator.Options(text: "Success"))
    #expect(String(decoding: encoded, as: UTF8.self) == #""Success""#)
  }

  @Test(arguments: ["17", #"{"caseless":true}"#, #"{"text":"x","caseless":"yes"}"#, "[]"])
  func `other forms are refused`(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ContainsValidator.Options.self, from: Data(json.utf8))
    }
  }

  @Test func `one validator serves a thousand tasks at once`() async throws {
    let validator = try ContainsValidator("success", caseless: true)
    let page = try response(Array(repeating: UInt8(ascii: "x"), count: 5000) + Array("SUCCESS".utf8))
    let accepted = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<1000 { group.addTask { validator.validate(page).isAccepted } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(accepted == 1000)
  }
}

func response(_ body: [UInt8], isCut: Bool = false) throws -> ProbeResponse {
  ProbeResponse(
    url: try ProbeURL("https://example.com/"), head: HTTPResponseHead(status: 200), body: body,
    bodyIsCut: isCut)
}
