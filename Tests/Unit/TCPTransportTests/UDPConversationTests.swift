import ByteStreams
import Glibc
import ProbeCore
import Testing

@testable import Transports
import ProbeStreams

private let first = SocketAddress(IPAddress(v4: 0xC000_0201), port: 9)
private let second = SocketAddress(IPAddress(v6: 1), port: 9)
private let start = Duration.milliseconds(10)

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

private func conversation(
  _ steps: [Dialog.Step], _ addresses: [SocketAddress] = [first], maxBody: Int = 1000,
  timeout: Duration = .seconds(5), expecting validator: (any ResponseValidator)? = nil
) throws -> UDPConversation {
  var request = ProbeRequest(try ProbeURL("udp://h.test:9"))
  request.maxBody = maxBody
  request.timeout = timeout
  request.expectation = validator
  var conversation = UDPConversation(try Dialog(steps).script, for: request)
  conversation.begin(with: addresses, at: start)
  return conversation
}

/// The dialogs of UDP without sockets.
@Suite struct UDPConversationTests {
  @Test func eachExpectJudgesOneDatagram() throws {
    var conversation = try conversation([
      .send("a"), .send("b"), .expect(.matches("(?<n>[0-9]+)")), .send("<${n}>"), .expect("ok"),
    ])
    #expect(conversation.next(at: start) == .send(bytes("a"), to: 0))
    #expect(conversation.next(at: start) == .send(bytes("b"), to: 0))
    #expect(conversation.next(at: start) == .wait(until: start + .seconds(1)))
    conversation.received(bytes("junk"), from: 0, at: start + .milliseconds(4))
    conversation.received(bytes("x12"), from: 0, at: start + .milliseconds(5))
    // A second response to what was sent before does not meet the next step.
    conversation.received(bytes("x12"), from: 0, at: start + .milliseconds(5))
    conversation.received(bytes("o"), from: 0, at: start + .milliseconds(6))
    conversation.received(bytes("k"), from: 0, at: start + .milliseconds(6))
    #expect(conversation.next(at: start + .milliseconds(6)) == .send(bytes("<12>"), to: 0))
    let again = start + .milliseconds(1006)
    #expect(conversation.next(at: start + .milliseconds(6)) == .wait(until: again))
    conversation.received(bytes("ok"), from: 0, at: start + .milliseconds(9))
    #expect(conversation.next(at: start + .milliseconds(9)) == .finished)
    #expect(conversation.failure == nil)
    #expect(conversation.response.body == bytes("junkx12x12okok"))
    #expect(conversation.response.captures == ["n": "12"])
    #expect(conversation.response.timings.firstByte == .milliseconds(4))
  }

  @Test func datagramsWithoutAResponseAreSentAgain() throws {
    var conversation = try conversation([.send("a"), .send("b"), .expect("x")], timeout: .seconds(60))
    var now = start
    var sent: [(String, Duration)] = []
    for _ in 0..<20 where sent.count < 8 {
      switch conversation.next(at: now) {
      case .send(let bytes, to: 0): sent.append((String(decoding: bytes, as: UTF8.self), now - start))
      case .wait(let until?): now = until
      case let action:
        Issue.record("\(action)")
        return
      }
    }
    #expect(sent.map(\.0) == ["a", "b", "a", "b", "a", "b", "a", "b"])
    #expect(sent.map(\.1) == [0, 0, 1, 1, 3, 3, 7, 7].map { .seconds($0) })
  }

  @Test func aStepHasItsTimeout() throws {
    var conversation = try conversation([
      .send("a"), .expect("x", timeout: .milliseconds(1500)),
    ])
    _ = conversation.next(at: start)
    #expect(conversation.next(at: start) == .wait(until: start + .seconds(1)))
    conversation.received(bytes("no"), from: 0, at: start)
    #expect(conversation.next(at: start + .seconds(1)) == .send(bytes("a"), to: 0))
    #expect(conversation.next(at: start + .seconds(1)) == .wait(until: start + .milliseconds(1500)))
    #expect(conversation.next(at: start + .milliseconds(1500)) == .finished)
    #expect(conversation.failure?.reason == .responseTimeout)
    #expect(conversation.failure?.detail == #"step 2 (expect "x"): not received within 1500ms; found "no""#)
  }

  @Test func theTimeoutOfTheProbeFailsTheStep() throws {
    var conversation = try conversation([.send("a"), .expect("x")])
    _ = conversation.next(at: start)
    _ = conversation.next(at: start)
    conversation.timePassed()
    #expect(conversation.failure?.reason == .responseTimeout)
    #expect(
      conversation.failure?.detail
        == #"step 2 (expect "x"): not received within the probe's 5s; nothing was received"#)
  }

  @Test(arguments: [
    ("554 no", ReasonCode.dialogRejected, #"step 2 (reject pattern "5.."): the peer sent "554 no""#),
    (
      String(repeating: "a", count: 40) + "cb", .matchLimit,
      #"step 3 (reject pattern "(a+)+b"): the pattern exceeds its limits on these 42 bytes"#
    ),
  ])
  func rejectsAndLimitsFailAtOnce(_ received: String, _ reason: ReasonCode, _ detail: String) throws {
    var conversation = try conversation([
      .send("a"), .reject(.matches("5..")), .reject(.matches("(a+)+b")), .expect("ok"),
    ])
    _ = conversation.next(at: start)
    _ = conversation.next(at: start)
    conversation.received(bytes(received), from: 0, at: start)
    #expect(conversation.next(at: start) == .finished)
    #expect(conversation.failure?.reason == reason && conversation.failure?.detail == detail)
  }

  @Test func onlySomeDatagramsAreRead() throws {
    var conversation = try conversation([.send("a"), .expect("x", maxBytes: 3)], maxBody: 5)
    _ = conversation.next(at: start)
    for _ in 0..<100 { conversation.received(bytes("abcx"), from: 0, at: start) }
    conversation.received(bytes("x"), from: 0, at: start)
    #expect(conversation.next(at: start) == .finished)
    #expect(conversation.failure?.reason == .bodyMismatch)
    #expect(
      conversation.failure?.detail == #"step 2 (expect "x"): not in the first 100 datagrams; found "abc""#)
    #expect(conversation.response.body == bytes("abcxa") && conversation.response.bodyIsCut)
  }

  @Test func addressesTakeTurnsUntilOneResponds() throws {
    var conversation = try conversation(
      [.send("a"), .expect("x"), .send("b"), .expect("y")], [first, second])
    #expect(conversation.next(at: start) == .send(bytes("a"), to: 0))
    _ = conversation.next(at: start)
    #expect(conversation.next(at: start + .seconds(1)) == .send(bytes("a"), to: 1))
    #expect(conversation.next(at: start + .seconds(1)) == .wait(until: start + .seconds(3)))
    // The first one responds late, and is the peer from then on.
    conversation.received(bytes("x"), from: 0, at: start + .seconds(2))
    conversation.received(bytes("y"), from: 1, at: start + .seconds(2))
    #expect(conversation.next(at: start + .seconds(2)) == .send(bytes("b"), to: 0))
    #expect(conversation.next(at: start + .seconds(2)) == .wait(until: start + .seconds(3)))
    #expect(conversation.response.remoteAddress == first)
    conversation.failed(1, ECONNREFUSED, wasSent: true, at: start + .seconds(2))
    #expect(conversation.networkError == nil)
    conversation.failed(0, ECONNREFUSED, wasSent: true, at: start + .seconds(2))
    #expect(conversation.next(at: start + .seconds(2)) == .finished)
    #expect(conversation.networkError == ECONNREFUSED)
  }

  @Test func anUnreachableAddressIsLeftAtOnce() throws {
    var conversation = try conversation([.send("a"), .send("b"), .expect("x")], [first, second])
    _ = conversation.next(at: start)
    _ = conversation.next(at: start)
    conversation.failed(0, EHOSTUNREACH, wasSent: true, at: start)
    #expect(conversation.next(at: start) == .send(bytes("a"), to: 1))
    #expect(conversation.next(at: start) == .send(bytes("b"), to: 1))
    conversation.failed(1, ECONNREFUSED, wasSent: true, at: start)
    #expect(conversation.next(at: start) == .finished)
    // A closed port explains more than an unreachable host.
    #expect(conversation.networkError == ECONNREFUSED && conversation.failure == nil)
  }

  @Test func aDatagramThatIsTooLongForThePathIsSentOnceMore() throws {
    var conversation = try conversation([.send("a"), .expect("x")])
    _ = conversation.next(at: start)
    conversation.failed(0, EMSGSIZE, wasSent: true, at: start)
    #expect(conversation.next(at: start) == .send(bytes("a"), to: 0))
    conversation.failed(0, EMSGSIZE, wasSent: true, at: start)
    #expect(conversation.next(at: start) == .finished)
    #expect(conversation.networkError == EMSGSIZE)
  }

  @Test func validatorsDecideAfterTheSteps() throws {
    let validator = ClosureValidator { response in
      response.body.suffix(3) == bytes("end")
        ? .accepted : .rejected(.bodyMismatch, expected: "end", found: "else")
    }
    var conversation = try conversation([.send("a")], expecting: validator)
    #expect(conversation.next(at: start) == .send(bytes("a"), to: 0))
    #expect(conversation.next(at: start) == .wait(until: start + .seconds(1)))
    #expect(conversation.next(at: start + .seconds(1)) == .send(bytes("a"), to: 0))
    conversation.received(bytes("one"), from: 0, at: start + .seconds(1))
    #expect(conversation.next(at: start + .seconds(1)) == .wait(until: nil))
    conversation.received(bytes("the end"), from: 0, at: start + .seconds(2))
    conversation.received(bytes("more"), from: 0, at: start + .seconds(2))
    #expect(conversation.next(at: start + .seconds(2)) == .finished)
    #expect(conversation.response.body == bytes("onethe end") && conversation.failure == nil)
    #expect(conversation.response.timings.firstByte == .zero)
  }

  @Test func withoutAnyDataTheTimeoutIsAFailure() throws {
    let never = ClosureValidator { _ in .rejected(.bodyMismatch, expected: "more", found: "less") }
    for received in ["", "some"] {
      var conversation = try conversation([.send("a")], expecting: never)
      _ = conversation.next(at: start)
      if !received.isEmpty { conversation.received(bytes(received), from: 0, at: start) }
      _ = conversation.next(at: start)
      conversation.timePassed()
      #expect(conversation.failure?.reason == (received.isEmpty ? .responseTimeout : nil))
      #expect(conversation.response.body == bytes(received))
    }
  }

  @Test func whatWasReceivedBeforeAnErrorCounts() throws {
    var conversation = try conversation([
      .send("a"), .send("b"), .expect("x"), .expect("y"), .send("c"), .expect("z"),
    ])
    _ = conversation.next(at: start)
    conversation.received(bytes("no"), from: 0, at: start)
    conversation.received(bytes("x"), from: 0, at: start)
    conversation.failed(0, ECONNREFUSED, wasSent: true, at: start)
    conversation.received(bytes("y"), from: 0, at: start)
    #expect(conversation.next(at: start) == .send(bytes("b"), to: 0))
    #expect(conversation.next(at: start) == .send(bytes("c"), to: 0))
    // The error was that of an earlier datagram.
    #expect(conversation.next(at: start) == .wait(until: start + .seconds(1)))
    conversation.failed(0, ECONNREFUSED, wasSent: true, at: start)
    #expect(conversation.next(at: start) == .finished)
    #expect(conversation.networkError == ECONNREFUSED && conversation.failure == nil)
    #expect(conversation.response.body == bytes("noxy"))
  }

  @Test(arguments: [("hello yes", Int32?.none), ("hello", ECONNREFUSED), ("", ECONNREFUSED)])
  func aValidatorJudgesWhatWasReceivedBeforeAnError(_ received: String, _ error: Int32?) throws {
    let validator = ClosureValidator { response in
      response.body.suffix(3) == bytes("yes")
        ? .accepted : .rejected(.bodyMismatch, expected: "yes", found: "else")
    }
    var conversation = try conversation([.send("a"), .send("b")], expecting: validator)
    _ = conversation.next(at: start)
    _ = conversation.next(at: start)
    for part in received.split(separator: " ") { conversation.received(bytes("\(part)"), from: 0, at: start) }
    conversation.failed(0, ECONNREFUSED, wasSent: true, at: start)
    #expect(conversation.next(at: start) == .finished)
    #expect(conversation.networkError == error && conversation.failure == nil)
    #expect(conversation.response.body == bytes(received.replacing(" ", with: "")))
  }

  @Test func theLastSendIsRepeatedForAValidatorToo() throws {
    let validator = ClosureValidator { response in
      response.body.suffix(3) == bytes("end")
        ? .accepted : .rejected(.bodyMismatch, expected: "end", found: "else")
    }
    var conversation = try conversation(
      [.send("a"), .expect("x"), .send("b"), .send("c")], expecting: validator)
    #expect(conversation.next(at: start) == .send(bytes("a"), to: 0))
    conversation.received(bytes("x"), from: 0, at: start)
    #expect(conversation.next(at: start) == .send(bytes("b"), to: 0))
    #expect(conversation.next(at: start) == .send(bytes("c"), to: 0))
    #expect(conversation.next(at: start) == .wait(until: start + .seconds(1)))
    #expect(conversation.next(at: start + .seconds(1)) == .send(bytes("b"), to: 0))
    #expect(conversation.next(at: start + .seconds(1)) == .send(bytes("c"), to: 0))
    #expect(conversation.next(at: start + .seconds(1)) == .wait(until: start + .seconds(3)))
    conversation.received(bytes("the"), from: 0, at: start + .seconds(2))
    #expect(conversation.next(at: start + .seconds(2)) == .wait(until: nil))
    conversation.received(bytes("end"), from: 0, at: start + .seconds(2))
    #expect(conversation.next(at: start + .seconds(2)) == .finished)
    #expect(conversation.response.body == bytes("xtheend") && conversation.failure == nil)
  }

  @Test func anErrorAfterTheLastStepDoesNotMatter() throws {
    var conversation = try conversation([.send("a"), .expect("x"), .send("bye")])
    _ = conversation.next(at: start)
    conversation.received(bytes("x"), from: 0, at: start)
    #expect(conversation.next(at: start) == .send(bytes("bye"), to: 0))
    conversation.failed(0, ECONNREFUSED, wasSent: true, at: start)
    #expect(conversation.next(at: start) == .finished)
    #expect(conversation.networkError == nil && conversation.failure == nil)
  }

  @Test func aDatagramHasALimit() throws {
    let long = String(repeating: "y", count: 60_000)
    var conversation = try conversation(
      [.send("a"), .expect(.matches("(?<n>y+)")), .send(long + "${n}")], maxBody: 100_000)
    _ = conversation.next(at: start)
    conversation.received(bytes(String(repeating: "y", count: 6000)), from: 0, at: start)
    #expect(conversation.next(at: start) == .finished)
    #expect(conversation.failure?.detail == "step 3 (send): 66000 bytes do not fit into a datagram")
  }
}
