import ProbeCore
import Testing

@testable import Transports

/// The result of a dialog on a stream, however it is segmented.
@Suite struct ConversationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var steps: [Dialog.Step]
    var stream: String
    var sent: [String] = []
    var captures: [String: String] = [:]
    var reason: ReasonCode?
    var step: Int?
    var testDescription: String { "\(stream.debugDescription) → \(reason.map(\.rawValue) ?? "met")" }
  }

  static let cases: [Case] = [
    Case(steps: [.expect("220 ")], stream: "220 x"),
    Case(steps: [.expect("220 ")], stream: "xx2220 "),
    Case(steps: [.expect("220 ")], stream: "221 x", reason: .bodyMismatch, step: 1),
    Case(steps: [.expect("220 ")], stream: "", reason: .bodyMismatch, step: 1),
    // Several lines in one read, and lines over several.
    Case(
      steps: [.expect("a\r\n"), .send("1"), .expect("b\r\n"), .send("2"), .expect("c")],
      stream: "a\r\nb\r\nc\r\n", sent: ["1", "2"]),
    // The match of an expect is consumed, with everything before it.
    Case(steps: [.expect("b"), .expect("a")], stream: "ab", reason: .bodyMismatch, step: 2),
    Case(steps: [.expect("a"), .expect("a")], stream: "aa"),
    Case(steps: [.expect("aa"), .expect("a")], stream: "aa", reason: .bodyMismatch, step: 2),
    Case(steps: [.expect("a"), .expect(.matches("^b"))], stream: "ab"),
    // Captures are inserted into later sends, even if they are not text.
    Case(
      steps: [.expect(.matches("PING :(?<token>[^\r\n]+)\r\n")), .send("PONG ${token}\\r\\n")],
      stream: "x\r\nPING :é1\r\n", sent: ["PONG é1\r\n"], captures: ["token": "é1"]),
    Case(
      steps: [.expect(.matches("(?<n>a)")), .send("${n}"), .expect(.matches("(?<n>x)?b")), .send("[${n}]")],
      stream: "ab", sent: ["a", "[]"]),
    // A match that reaches the end waits for more, and then accepts what there is.
    Case(steps: [.expect(.matches("(?<all>a+)"))], stream: "aaa", captures: ["all": "aaa"]),
    Case(steps: [.expect(.matches("(?<all>a+)")), .expect("b")], stream: "xaab", captures: ["all": "aa"]),
    Case(steps: [.expect(.matches("end$"))], stream: "the end"),
    Case(steps: [.expect(.matches(#"(?<c>caf.)"#))], stream: "a café", captures: ["c": "café"]),
    Case(steps: [.expect(.text("CAFÉ", caseless: true))], stream: "a café"),
    Case(steps: [.expect(.hex("00 c3"))], stream: "a\0é"),
    // A reject is in effect from its position on.
    Case(steps: [.reject("5"), .expect("2")], stream: "52", reason: .dialogRejected, step: 1),
    Case(steps: [.reject("5"), .expect("2")], stream: "25"),
    Case(steps: [.reject("5"), .expect("2"), .expect("3")], stream: "253", reason: .dialogRejected, step: 1),
    Case(steps: [.expect("2"), .reject("5"), .expect("3")], stream: "523"),
    Case(
      steps: [.reject("no"), .reject("n"), .expect("y")], stream: "xno", reason: .dialogRejected, step: 1),
    Case(steps: [.reject("5"), .expect("2")], stream: "x5", reason: .dialogRejected, step: 1),
    // The match that starts first decides, not the one that is complete first; at the same position, the
    // reject.
    Case(steps: [.reject("b"), .expect("abc")], stream: "xabc"),
    Case(steps: [.reject("abc"), .expect("b")], stream: "xabc", reason: .dialogRejected, step: 1),
    Case(steps: [.reject("abc"), .expect("b")], stream: "xabd"),
    Case(steps: [.reject("abc"), .expect("a")], stream: "xabc", reason: .dialogRejected, step: 1),
    Case(steps: [.reject("abc"), .expect("a")], stream: "xab"),
    Case(steps: [.reject(.matches("a.*z")), .expect("b")], stream: "ab\n"),
    Case(steps: [.reject("b"), .expect("abc")], stream: "xabd", reason: .dialogRejected, step: 1),
    // The maximum number of bytes.
    Case(steps: [.expect("c", maxBytes: 3)], stream: "abc"),
    Case(steps: [.expect("d", maxBytes: 3)], stream: "abcd", reason: .bodyMismatch, step: 1),
    Case(steps: [.expect(.matches("(?<x>.+)"), maxBytes: 3)], stream: "abcd", captures: ["x": "abc"]),
    Case(steps: [.expect("c", maxBytes: 3), .expect("f", maxBytes: 3)], stream: "abcdef"),
    Case(steps: [.expect("a"), .expect("d", maxBytes: 2)], stream: "abcd", reason: .bodyMismatch, step: 2),
    Case(steps: [.send("bye")], stream: "", sent: ["bye"]),
  ]

  @Test(arguments: cases)
  func theResultDoesNotDependOnSegmentation(_ test: Case) throws {
    var expected = Played()
    expected.sent = test.sent.map { Array($0.utf8) }
    expected.captures = test.captures
    for (ending, pieces) in Played.Ending.allCases.flatMap({ end in
      Array(test.stream.utf8).cuts.map { (end, $0) }
    }) {
      let played = try Played(try Dialog(test.steps), pieces, ending)
      // Only the end of an unsuccessful wait differs.
      let silent = test.reason == .bodyMismatch && ending == .staysSilent && played.reason != .bodyMismatch
      expected.reason = silent ? .responseTimeout : test.reason
      expected.step = played.step
      #expect(played == expected, "\(pieces) \(ending)")
      #expect(played.step?.hasPrefix("step \(test.step ?? 0) (") ?? (test.step == nil), "\(pieces)")
    }
  }

  static let details: [(stream: String, ending: Played.Ending, steps: [Dialog.Step], detail: String)] = [
    (
      "", .ends, [.expect("a")],
      #"step 1 (expect "a"): the peer closed the connection first; nothing was received"#
    ),
    (
      "a", .ends, [.expect("a"), .expect("b")],
      #"step 2 (expect "b"): the peer closed the connection first; nothing more was received"#
    ),
    (
      "x\u{1B}", .ends, [.expect(.hex("00ff"))],
      #"step 1 (expect hex 00 ff): the peer closed the connection first; found "x\x1b""#
    ),
    (
      "xyz", .ends, [.expect(.matches("a+"), maxBytes: 2)],
      #"step 1 (expect pattern "a+"): not in the first 2 bytes; found "xy""#
    ),
    (
      "", .staysSilent, [.send("secret"), .expect("a", timeout: .milliseconds(1500))],
      #"step 2 (expect "a"): not received within 1500ms; nothing was received"#
    ),
    (
      "b", .staysSilent, [.expect(.text("a", caseless: true))],
      #"step 1 (expect "a" in any case): not received within the probe's 5s; found "b""#
    ),
    (
      "x554 no", .ends, [.reject(.matches("5..")), .expect("250")],
      #"step 1 (reject pattern "5.."): the peer sent "554 no""#
    ),
    (
      String(repeating: "a", count: 40) + "cb", .ends, [.reject(.matches("(a+)+b")), .expect("z")],
      #"step 1 (reject pattern "(a+)+b"): the pattern exceeds its limits on these 42 bytes"#
    ),
    (
      String(repeating: "a", count: 20_000) + "b", .ends, [.expect(.matches("(?<x>a+)")), .send("${x}")],
      "step 2 (send): the captures to send have more than 16384 bytes"
    ),
  ]

  @Test(arguments: details)
  func aFailureHasTheExpectedAndTheActualValue(
    _ test: (stream: String, ending: Played.Ending, steps: [Dialog.Step], detail: String)
  ) throws {
    var detail: String?
    _ = try Played(try Dialog(test.steps), [Array(test.stream.utf8)], test.ending, maxBody: 65_536) {
      failure, _ in
      detail = failure.detail
    }
    #expect(detail == test.detail)
  }

  @Test func anExceededMatchLimitIsReported() throws {
    let bytes = Array((String(repeating: "a", count: 40) + "cb").utf8)
    for pieces in [[bytes], [Array(bytes[..<39]), Array(bytes[39...])]] {
      let played = try Played(try Dialog([.expect(.matches("(a+)+b"))]), pieces)
      #expect(played.reason == .matchLimit)
    }
  }

  @Test func eachStepHasItsTimeout() throws {
    let dialog = try Dialog([
      .expect(.matches("a+"), timeout: .seconds(2)), .expect("b", timeout: .seconds(1)),
    ])
    var end: Duration?
    let played = try Played(dialog, [Array("a".utf8)], .staysSilent) { end = $1 }
    #expect(played.step == #"step 2 (expect "b")"#)
    #expect(end == .seconds(3))
    let longer = try Dialog([.expect("b", timeout: .seconds(60))])
    _ = try Played(longer, [], .staysSilent) { end = $1 }
    #expect(end == .seconds(5))
  }

  @Test func timelyBytesCountEvenIfReadLate() throws {
    let limits = Conversation.Limits(timeout: .seconds(5), maxBody: 100)
    let response = ProbeResponse(url: try ProbeURL("tcp://h.test:1"))
    let dialog = try Dialog([.expect("ab", timeout: .seconds(1)), .expect("c")])
    var conversation = Conversation(dialog.script, limits, response: response)
    #expect(try conversation.next(at: .zero) == .receive(upTo: 100, until: .seconds(1)))
    conversation.receive(Array("a".utf8), at: .seconds(6))
    #expect(try conversation.next(at: .seconds(6)) == .receive(upTo: 99, until: .seconds(1)))
    conversation.receive(Array("b".utf8), at: .seconds(6))
    #expect(try conversation.next(at: .seconds(6)) == .receive(upTo: 100, until: .seconds(5)))
    // Only once: a peer that always has another byte must not keep a step going.
    conversation.receive(Array("x".utf8), at: .seconds(6))
    #expect(throws: ProbeFailure.self) { try conversation.next(at: .seconds(6)) }
  }

  @Test func theBodyLimitDoesNotLimitTheSearch() throws {
    let limits = Conversation.Limits(timeout: .seconds(5), maxBody: 4)
    let response = ProbeResponse(
      url: try ProbeURL("tcp://h.test:1"), timings: ProbeTimings(total: .milliseconds(1)))
    let dialog = try Dialog([.send("x"), .expect("end", maxBytes: 100)])
    var conversation = Conversation(dialog.script, limits, response: response)
    #expect(try conversation.next(at: .milliseconds(2)) == .send([0x78], until: .seconds(5)))
    conversation.didSend(at: .milliseconds(3))
    #expect(try conversation.next(at: .milliseconds(3)) == .receive(upTo: 100, until: .seconds(5)))
    conversation.receive(Array("abcdefg".utf8), at: .milliseconds(5))
    #expect(try conversation.next(at: .milliseconds(6)) == .receive(upTo: 93, until: .seconds(5)))
    conversation.receive(Array("end!".utf8), at: .milliseconds(7))
    #expect(try conversation.next(at: .milliseconds(8)) == .finished)
    #expect(conversation.response.body == Array("abcd".utf8))
    #expect(conversation.response.bodyIsCut)
    #expect(conversation.response.timings.firstByte == .milliseconds(2))
    #expect(conversation.response.timings.total == .milliseconds(8))
    #expect(conversation.unread == Array("!".utf8))
  }
}
