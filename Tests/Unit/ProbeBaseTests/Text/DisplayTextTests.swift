import ProbeBase
import ProbeCore
import Testing

@Suite struct DisplayTextTests {
  static let texts: [(text: String, escaped: String)] = [
    ("", ""), ("plain", "plain"), ("back\\slash \"quotes\"", "back\\slash \"quotes\""),
    ("grüße 世界 🙂", "grüße 世界 🙂"), ("\u{0}", "\\x00"), ("\u{1B}[31m", "\\x1b[31m"), ("\u{7F}", "\\x7f"),
    ("a\r\nb\tc", "a\\r\\nb\\tc"), ("\u{85}\u{9B}", "\\u{0085}\\u{009b}"),
    ("\u{202E}x\u{2066}", "\\u{202e}x\\u{2066}"),
    ("\u{200B}\u{FEFF}\u{AD}", "\\u{200b}\\u{feff}\\u{00ad}"), ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
    ("\u{E0041}", "\\u{e0041}"), ("\u{61C}\u{200E}", "\\u{061c}\\u{200e}"),
  ]

  @Test(arguments: texts)
  func escapes(_ text: String, escaped: String) {
    #expect(text.escapedForDisplay == escaped)
    #expect(escaped.escapedForDisplay == escaped, "escaping twice changes nothing")
  }

  @Test func noControlSurvives() {
    for value in (UInt32(0)...0x9F).filter({ !(0x20..<0x7F).contains($0) }) + [
      0x200E, 0x202A, 0x202E, 0x2066, 0x2069,
      // Invisible characters.
      0x034F, 0x115F, 0x1160, 0x17B4, 0x180B, 0x2800, 0x3164, 0xFE0F, 0xFFA0, 0xE0100, 0x1D159,
    ] {
      let scalar = Unicode.Scalar(value).map(String.init) ?? ""
      let escaped = "a\(scalar)b".escapedForDisplay
      #expect(escaped.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) }, "U+\(value)")
    }
  }

  @Test func escapedJSONStaysEquivalent() {
    let json = "{\n  \"a\" : \"ü\u{202E}\u{3164}\u{1D159}\"\n}"
    let shown = String(jsonForDisplay: Array(json.utf8))
    #expect(shown == "{\n  \"a\" : \"ü\\u202e\\u3164\\ud834\\udd59\"\n}")
    #expect(String(jsonForDisplay: Array(shown.utf8)) == shown)
  }

  @Test func wireBytes() {
    #expect(String(wireBytes: Array("ü".utf8)) == "ü")
    #expect(String(wireBytes: [0xFC]) == "ü")
    #expect(String(wireBytes: [0x9B, 0x41]) == "\u{9B}A")
    #expect(String(wireBytes: []) == "")
  }

  static let excerpts: [(text: String, limit: Int, quoted: String)] = [
    ("", 60, "\"\""), ("short", 60, "\"short\""), ("12345", 5, "\"12345\""), ("123456", 5, "\"12345…\""),
    ("a\\x1b\"\u{1B}", 60, "\"a\\\\x1b\\\"\\x1b\""), ("a\u{1B}b", 60, "\"a\\x1bb\""),
    ("aüb", 2, "\"a\u{FFFD}…\""),
  ]

  @Test(arguments: excerpts)
  func quotes(_ text: String, limit: Int, quoted: String) {
    #expect(Excerpt(text, limit: limit).description == quoted)
    #expect(Excerpt(text.utf8, limit: limit).description == quoted)
  }

  @Test func quotesBytesThatAreNotText() {
    #expect(Excerpt([0x41, 0xFF, 0x00]).description == "\"A\u{FFFD}\\x00\"")
    #expect(Excerpt(#"<a href="x">"#).description == #""<a href=\"x\">""#)
  }

  @Test func invalidInputIsOneLine() {
    #expect(InvalidInput("wrong").description == "wrong")
    #expect(InvalidInput("wrong", remedy: "mend it").description == "wrong: mend it")
  }

  @Test func failuresAreSafeToPrint() {
    #expect(ProbeFailure(.bodyShort, "\u{1B}x\n").description == "body.short: \\x1bx\\n")
    let rejection = Validation.rejected(expected: "\u{9B}", found: "\u{202E}", offset: 3).rejection
    #expect(rejection?.description == "expected \\u{009b}, found \\u{202e} at byte 3")
  }
}

@Suite struct RedactionTests {
  static let texts: [(text: String, redacted: String)] = [
    ("", ""), ("https://example.com/", "https://example.com/"),
    ("https://user:pass@example.com/", "https://<redacted>@example.com/"),
    ("https://user@example.com/", "https://<redacted>@example.com/"),
    ("https://user:p@ss/w://x@example.com/", "https://<redacted>@example.com/"),
    ("user:pass@example.com", "<redacted>@example.com"), ("@", "<redacted>@"),
  ]

  @Test(arguments: texts)
  func redacts(_ text: String, redacted: String) {
    #expect(text.withoutCredentials == redacted)
  }
}
