import SourceDocuments
import Testing

/// Escapes of JSON for characters beyond U+FFFF (RFC 8259 §7).
@Suite struct SurrogatePairTests {
  static let texts: [(text: String, value: String)] = [
    (#"["\ud83d\ude00"]"#, "[\"😀\"]"),
    (#"["a\uD834\uDD1Eb\ud83d\ude00\n"]"#, "[\"a𝄞b😀\n\"]"),
    (#"{"\ud83d\ude00": "\u00e9"}"#, "{😀=\"é\"}"),
    // The file's own private-use characters, literal and escaped, are unchanged.
    (
      "[\"\u{E03D}\\ud83d\\ude00\\ue03d\\uE600\u{E600}\\U0000e03d\"]",
      "[\"\u{E03D}😀\u{E03D}\u{E600}\u{E600}\u{E03D}\"]"
    ),
    // Not an escape: the backslash itself is escaped, or the text has no escapes.
    (#"["\\ud83d\\ude00"]"#, #"["\ud83d\ude00"]"#),
    (#"["\\\ud83d\ude00"]"#, #"["\😀"]"#),
    (#"['\ud83d\ude00']"#, #"["\ud83d\ude00"]"#),
    (#"['\ue03d\ud83d\ude00\uE600']"#, #"["\ue03d\ud83d\ude00\uE600"]"#),
    ("a: \\ud83d\\ude00 # \\ud83d\\ude00\nb: \"\\ud83d\\ude00\"", "{a=\\ud83d\\ude00 b=\"😀\"}"),
    ("a: | # \\ud83d\\ude00\n  \\ue03d \\uD83D\\uDE00\n", "{a=\"\\ue03d \\uD83D\\uDE00\n\"}"),
  ]

  @Test(arguments: texts)
  func escapedPairsAreJoined(_ text: String, value: String) {
    let reading = Reading(text)
    #expect(reading.value == value)
    #expect(reading.messages == [])
  }

  @Test(arguments: [
    #"["\ud83d"]"#, #"["\ud83dx"]"#, #"["\ude00"]"#, #"["\ude00\ud83d"]"#, #"["\ud83d\ud83d\ude00"]"#,
    #"["\ud83d\u0041"]"#,
  ])
  func unpairedSurrogatesAreErrors(_ text: String) {
    #expect(Reading(text).messages == ["1:3 half of a surrogate pair"])
  }

  @Test func locationsAreUnaffected() {
    let reading = Reading("{\"\\ud83d\\ude00\": 1,\n \"\\ud83d\\ude00\": 2, \"x\": 3, \"x\": 4}")
    #expect(reading.messages == ["2:2 the key \"😀\" occurs twice", "2:29 the key \"x\" occurs twice"])
  }
}
