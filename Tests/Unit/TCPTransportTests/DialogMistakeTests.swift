import Foundation
import ProbeCore
import Transports
import Testing

/// All errors in a dialog are reported before anything is sent, with the step and how to fix it.
@Suite struct DialogMistakeTests {
  static let mistakes: [(json: String, error: String)] = [
    ("[]", "the dialog has no steps: add at least one, or omit it"),
    (
      #"["starttls"]"#,
      #"step 1: a step must be one key with its value: write it as { send: "QUIT\r\n" } or { starttls: true }"#
    ),
    ("[{}]", "step 1: the step is empty: use one of send, sendHex, expect, reject, starttls"),
    (
      #"[{"startTLS": true}]"#, #"step 1: unknown key "startTLS": did you mean starttls?"#
    ),
    (#"[{"starttls": false}]"#, "step 1: starttls: neither true nor empty: write it as { starttls: true }"),
    (#"[{"starttls": "now"}]"#, "step 1: starttls: neither true nor empty: write it as { starttls: true }"),
    (
      #"[{"expect": "a"}, {"starttls": true}, {"starttls": null}]"#,
      "step 3: starttls: an earlier step has started TLS already: remove one of them"
    ),
    (
      #"[{"sned": "x"}]"#, #"step 1: unknown key "sned": did you mean send?"#
    ),
    (#"[{"sendhex": "00"}]"#, #"step 1: unknown key "sendhex": did you mean sendHex?"#),
    (
      #"[{"send": "a"}, {"expect": "x", "send": "y"}]"#,
      "step 2: a step has both expect and send: write a step for each, in order"
    ),
    (#"[{"send": 7}]"#, #"step 1: send: not a text: write it as "QUIT\r\n""#),
    (#"[{"sendHex": {}}]"#, #"step 1: sendHex: not a text: write it as "16 03 01""#),
    (#"[{"send": ""}]"#, "step 1: send: the text is empty: write a text, or remove the step"),
    (
      #"[{"send": "a\\qb"}]"#,
      #"step 1: send: unknown escape at byte 1: use \r, \n, \t, \0, \xNN or \u{…}, or \\ for a backslash"#
    ),
    (
      #"[{"send": "a\\x4"}]"#,
      #"step 1: send: \x is not followed by two hexadecimal digits at byte 1: write it as \x0d"#
    ),
    (
      #"[{"send": "\\u{d800}"}]"#,
      #"step 1: send: \u is not followed by the number of a character at byte 0: write it as \u{e9}, up to \u{10ffff}"#
    ),
    (
      #"[{"send": "5 $ a"}]"#,
      "step 1: send: a dollar sign without a name at byte 2: write ${name} for a capture, or $$ for a dollar sign"
    ),
    (
      #"[{"send": "end\\"}]"#,
      #"step 1: send: unknown escape at byte 3: use \r, \n, \t, \0, \xNN or \u{…}, or \\ for a backslash"#
    ),
    (
      #"[{"sendHex": "16 0"}]"#,
      "step 1: sendHex: a byte with only one digit at byte 3: write two digits for each byte, as in 0a"
    ),
    (
      #"[{"sendHex": "16 xy"}]"#,
      "step 1: sendHex: not a hexadecimal digit at byte 3: write two of 0-9 and a-f for each byte, as in 16 03 01"
    ),
    (
      #"[{"expect": ""}]"#,
      "step 1: expect: the searched data is empty: give the expected data, or remove the step"
    ),
    (
      #"[{"expect": 220}]"#,
      #"step 1: expect: neither a text nor an object: write it as "220 " or { matches: "^220" }"#
    ),
    (#"[{"expect": {}}]"#, "step 1: expect: no text, hex or matches: use one of text, hex and matches"),
    (
      #"[{"expect": {"text": "a", "hex": "61"}}]"#,
      "step 1: expect: more than one of text, hex and matches: use one of text, hex and matches"
    ),
    (
      #"[{"expect": {"text": "a", "wait": "2s"}}]"#,
      #"step 1: expect: unknown key "wait": use one of text, hex, matches, caseless, timeout, maxBytes"#
    ),
    (
      #"[{"expect": {"text": "a", "maxbytes": 2}}]"#,
      #"step 1: expect: unknown key "maxbytes": did you mean maxBytes?"#
    ),
    (#"[{"expect": {"text": 1}}]"#, "step 1: expect.text: not a text: put it into quotation marks"),
    (
      #"[{"expect": {"hex": "6"}}]"#,
      "step 1: expect.hex: a byte with only one digit at byte 0: write two digits for each byte, as in 0a"
    ),
    (
      #"[{"expect": {"matches": "ab(c"}}]"#,
      #"step 1: expect.matches: pattern: missing closing parenthesis at byte 4: close the group with ), or write \( for the character itself"#
    ),
    (
      #"[{"expect": {"matches": {"pattern": "a", "options": ["casless"]}}}]"#,
      #"step 1: expect.matches: unknown option "casless": did you mean caseless? The options are anchored, caseless, dotall, extended, multiline"#
    ),
    (
      #"[{"expect": {"matches": {"pattern": "a", "flags": []}}}]"#,
      #"step 1: expect.matches: unknown key "flags": use one of pattern, options"#
    ),
    (
      #"[{"expect": {"matches": 1}}]"#,
      #"step 1: expect.matches: not a pattern: write it as "^220 " or { pattern: "^220 ", options: [multiline] }"#
    ),
    (
      #"[{"expect": {"text": "a", "caseless": "yes"}}]"#,
      "step 1: expect.caseless: neither true nor false: write true, or omit it"
    ),
    (
      #"[{"expect": {"matches": "a", "caseless": true}}]"#,
      "step 1: expect.caseless: only a text can be caseless: write it as matches: { pattern: …, options: [caseless] }"
    ),
    (
      #"[{"expect": {"text": "a", "timeout": "soon"}}]"#,
      #"step 1: expect.timeout: "soon" is not a time: write it as 5s, 800ms or 1m"#
    ),
    (
      #"[{"expect": {"text": "a", "timeout": "0s"}}]"#,
      "step 1: expect.timeout: the time \"0s\" is out of bounds: use one from 1ms to 1h"
    ),
    (
      #"[{"expect": {"text": "a", "timeout": 5}}]"#,
      #"step 1: expect.timeout: not a time: write it as "2s" or "800ms""#
    ),
    (
      #"[{"expect": {"text": "a", "maxBytes": 0}}]"#,
      "step 1: expect.maxBytes: the size is out of range: use one from 1 to 1GiB"
    ),
    (
      #"[{"expect": {"text": "a", "maxBytes": "4 cups"}}]"#,
      #"step 1: expect.maxBytes: the size "4 cups" has an unknown unit: use B, kB, MB, GB, KiB, MiB or GiB"#
    ),
    (
      #"[{"reject": {"text": "a", "timeout": "1s"}}, {"expect": "b"}]"#,
      "step 1: reject.timeout: a reject does not wait: move it to the expect that follows"
    ),
    (
      #"[{"reject": {"matches": "x*"}}, {"expect": "b"}]"#,
      "step 1: reject.matches: the pattern matches empty data, so it would reject everything: require at least one character"
    ),
    (
      #"[{"expect": "a"}, {"reject": "b"}, {"send": "c"}]"#,
      "step 2: reject: no expect follows, so it has no effect: move it before an expect"
    ),
    (
      #"[{"expect": {"matches": "(?<b>x)(?<a>y)"}}, {"send": "é${c}"}]"#,
      #"step 2: send: no earlier expect captures "c" at byte 2: use a, b"#
    ),
    (
      #"[{"send": "${c}"}, {"expect": {"matches": "(?<c>x)"}}]"#,
      #"step 1: send: no earlier expect captures "c" at byte 0: name the group in an earlier expect, as in matches: "(?<c>…)""#
    ),
    (
      #"[{"reject": {"matches": "(?<c>x)"}}, {"expect": "a"}, {"send": "${c}"}]"#,
      #"step 3: send: no earlier expect captures "c" at byte 0: name the group in an earlier expect, as in matches: "(?<c>…)""#
    ),
  ]

  private func decode(_ json: String) throws -> Dialog {
    try JSONDecoder().decode(Dialog.self, from: Data(json.utf8))
  }

  @Test(arguments: mistakes)
  func errorsAreReportedWithTheirStep(_ json: String, error: String) throws {
    let mistake = #expect(throws: InvalidDialog.self) { try decode(json) }
    #expect(mistake?.description == error)
  }

  @Test func allErrorsAreReportedTogether() throws {
    let json = #"""
      [{"send": "\\q"}, {"expect": {"matches": "("}}, {"send": "${a} is not known where an expect is broken"},
       {"reject": "x"}, {"sendHex": "1"}]
      """#
    let mistake = #expect(throws: InvalidDialog.self) { try decode(json) }
    #expect(mistake?.problems.map(\.step) == [1, 2, 4, 5])
    #expect(mistake?.problems.map(\.key) == ["send", "expect.matches", "reject", "sendHex"])
  }

  @Test func anUnreadableStepHidesNoOtherErrors() throws {
    let json = #"""
      [{"snd": 1}, {"expect": {"txt": "", "text": ""}}, {"send": "${may be defined}"}, 5, {"send": "$"},
       {"reject": {"matches": "["}}, {"expect": "a", "reject": "b"}]
      """#
    let mistake = #expect(throws: InvalidDialog.self) { try decode(json) }
    #expect(mistake?.problems.map(\.step) == [1, 2, 2, 4, 5, 6, 7])
    let twice = #expect(throws: InvalidDialog.self) { try decode(#"[{"send": "${a}"}, {"send": "$"}]"#) }
    #expect(twice?.problems.map(\.step) == [1, 2])
  }

  @Test func theErrorPositionIsMarkedInItsValue() throws {
    let mistake = #expect(throws: InvalidDialog.self) { try decode(#"[{"expect": {"matches": "ab(c"}}]"#) }
    let problem = try #require(mistake?.problems.first)
    #expect(try problem.input.caretLines(in: #require(problem.value)) == "ab(c\n    ^")
  }

  @Test func errorsAreReportedForDialogsInCodeToo() throws {
    let mistake = #expect(throws: InvalidDialog.self) {
      try Dialog([.expect("x", timeout: .zero, maxBytes: 1 << 40), .send("$"), .reject("y")])
    }
    #expect(mistake?.problems.map(\.step) == [1, 1, 2, 3])
  }

  @Test func conflictsWithTheRequestAreReported() throws {
    let transport = TCPTransport()
    var request = ProbeRequest(try ProbeURL("tcp://h.test:1"))
    request.maxBody = 3
    request[Dialog.self] = try Dialog([.expect("abc"), .expect("abcd")])
    #expect(
      throws: InvalidInput(
        #"step 2: expect: "abcd" does not fit into 3 bytes"#,
        remedy: "increase maxBody, or add maxBytes to the step"
      ).about("dialog", "maxBody")
    ) { try transport.check(request) }
    request.maxBody = 0
    request[Dialog.self] = try Dialog([.expect(.matches("a"), maxBytes: 1), .expect("abcd", maxBytes: 4)])
    try transport.check(request)
    request[Dialog.self] = try Dialog([.expect(.matches("a"))])
    #expect(throws: InvalidInput.self) { try transport.check(request) }
  }

  static let forms = [
    #"[{"send":"EHLO \\x41$$\r\n"},{"sendHex":"16 03 01"},{"expect":"220 "},{"expect":{"matches":"^a"}}]"#,
    #"[{"reject":{"matches":{"options":["caseless"],"pattern":"x"}}},{"expect":{"hex":"00ff","maxBytes":4096}}]"#,
    #"[{"expect":"220 "},{"starttls":true},{"send":"EHLO"}]"#,
    #"[{"reject":"no"},{"expect":{"caseless":true,"text":"Ok","timeout":"1500ms"}}]"#,
  ]

  @Test(arguments: forms)
  func decodedDialogsAreEncodedUnchanged(_ json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(decode(json)), as: UTF8.self) == json)
  }

  @Test func longFormsAreDecoded() throws {
    let long =
      #"[{"expect": {"text": "a", "timeout": "2s", "maxBytes": "4KiB"}}, {"reject": {"text": "b"}}, {"expect": "c"}]"#
    let steps: [Dialog.Step] = [
      .expect("a", timeout: .seconds(2), maxBytes: 4096), .reject("b"), .expect("c"),
    ]
    #expect(try decode(long) == Dialog(steps))
    #expect(try decode(long).hashValue == Dialog(steps).hashValue)
  }
}
