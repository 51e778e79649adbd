import ProbeCore
import Testing

@testable import Transports

/// The conversation with one process: events in, actions out.
struct PluginSessionTests {
  private static let hello = Array(#"{"hello":1,"kind":"validator"}"#.utf8)

  private static func plugin(inFlight: Int = 64) -> PluginProgram {
    var plugin = PluginProgram("health", .validator, Program(["./health.py"]))
    plugin.inFlight = inFlight
    return plugin
  }

  /// A session whose process has sent its hello.
  private static func ready(inFlight: Int = 64) -> PluginSession {
    var session = PluginSession(plugin(inFlight: inFlight))
    _ = session.enqueue(0, Array("\"x\":0".utf8), deadline: .seconds(5), at: .zero)
    _ = session.receive(hello, at: .zero)
    _ = session.receive(Array(#"{"id":1,"accepted":true}"#.utf8), at: .zero)
    return session
  }

  private static func line(_ text: String) -> PluginSession.Action { .send(Array(text.utf8)) }

  @Test func theFirstMessageStartsTheProcessAndIsSentAfterItsHello() {
    var session = PluginSession(Self.plugin())
    #expect(session.enqueue(7, Array("\"x\":1".utf8), deadline: .seconds(5), at: .zero) == [.start])
    #expect(session.enqueue(8, Array("\"x\":2".utf8), deadline: .seconds(6), at: .zero) == [])
    #expect(
      session.receive(Self.hello, at: .seconds(1)) == [
        Self.line(#"{"id":1,"deadlineMs":4000,"x":1}"#), Self.line(#"{"id":2,"deadlineMs":5000,"x":2}"#),
      ])
  }

  @Test func responsesComeInAnyOrder() {
    var session = Self.ready()
    _ = session.enqueue(1, [], deadline: .seconds(5), at: .zero)
    _ = session.enqueue(2, [], deadline: .seconds(5), at: .zero)
    #expect(
      session.receive(Array(#"{"id":3,"accepted":false,"reason":"shop.down","detail":"a"}"#.utf8), at: .zero)
        == [
          .response(2, .rejected(ReasonCode(rawValue: "shop.down"), "a"))
        ])
    #expect(
      session.receive(Array(#"{"id":2,"accepted":true,"captures":{"v":"1"}}"#.utf8), at: .zero) == [
        .response(1, .accepted(["v": "1"]))
      ])
  }

  @Test func theNumberInFlightIsLimited() {
    var session = Self.ready(inFlight: 1)
    #expect(session.enqueue(1, [], deadline: .seconds(5), at: .zero).count == 1)
    #expect(session.enqueue(2, [], deadline: .seconds(5), at: .zero) == [])
    let actions = session.receive(Array(#"{"id":2,"accepted":true}"#.utf8), at: .zero)
    #expect(actions == [.response(1, .accepted([:])), Self.line(#"{"id":3,"deadlineMs":5000,}"#)])
  }

  @Test func lateMessagesAreCancelledAndAHangingProcessIsKilled() {
    var session = Self.ready()
    _ = session.enqueue(1, [], deadline: .seconds(5), at: .zero)
    _ = session.enqueue(2, [], deadline: .seconds(6), at: .seconds(1))
    _ = session.receive(Array(#"{"id":3,"accepted":true}"#.utf8), at: .seconds(2))
    let late = PluginResponse.none(.pluginTimeout, "it did not answer in 5s")
    // The process responds to other messages, so it is not killed.
    #expect(
      session.giveUp(1, because: .pluginTimeout, at: .seconds(5)) == [
        .response(1, late), Self.line(#"{"cancel":2}"#),
      ])
    // The late response is ignored.
    #expect(session.receive(Array(#"{"id":2,"accepted":true}"#.utf8), at: .seconds(6)) == [])
    _ = session.enqueue(3, [], deadline: .seconds(12), at: .seconds(7))
    #expect(
      session.giveUp(3, because: .pluginTimeout, at: .seconds(12)) == [
        .response(3, late), Self.line(#"{"cancel":4}"#), .kill,
      ])
  }

  @Test func aCancelledMessageDoesNotEndTheProcess() {
    var session = Self.ready()
    _ = session.enqueue(1, [], deadline: .seconds(5), at: .zero)
    #expect(
      session.giveUp(1, because: .cancelled, at: .seconds(1)) == [
        .response(1, .none(.cancelled, "it was cancelled")), Self.line(#"{"cancel":2}"#),
      ])
  }

  @Test func theEndOfAProcessFailsTheSentRequests() {
    var session = Self.ready(inFlight: 1)
    _ = session.enqueue(1, [], deadline: .seconds(5), at: .zero)
    _ = session.enqueue(2, [], deadline: .seconds(5), at: .zero)
    let actions = session.ended(.exited(1), lastError: "no module x", at: .seconds(1))
    #expect(
      actions == [
        .response(1, .none(.pluginFailed, "it exited with code 1; its last error output: no module x")),
        .wake(at: .milliseconds(1100)),
      ])
    // Messages that were not sent are sent to the next process.
    #expect(session.wake(at: .seconds(1)) == [])
    #expect(session.wake(at: .milliseconds(1100)) == [.start])
    #expect(
      session.receive(Self.hello, at: .milliseconds(1200)) == [Self.line(#"{"id":3,"deadlineMs":3800,}"#)])
  }

  @Test func eachEarlyExitDoublesTheDelay() {
    var session = PluginSession(Self.plugin())
    var now = Duration.zero
    var rests: [Duration] = []
    for requestID in 0..<12 {
      #expect(session.enqueue(requestID, [], deadline: now + .seconds(100), at: now).contains(.start))
      let actions = session.ended(.exited(1), lastError: "", at: now)
      #expect(actions.first == .response(requestID, .none(.pluginFailed, "it exited with code 1")))
      guard case .wake(let moment)? = actions.last else {
        Issue.record("no wake")
        return
      }
      rests.append(moment - now)
      now = moment
      _ = session.wake(at: now)
    }
    #expect(rests[0...3] == [.milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800)])
    #expect(rests[11] == .seconds(30))
  }

  @Test func aLongRunResetsTheDelay() {
    var session = PluginSession(Self.plugin())
    _ = session.enqueue(0, [], deadline: .seconds(5), at: .zero)
    _ = session.ended(.exited(1), lastError: "", at: .seconds(1))
    _ = session.wake(at: .seconds(2))
    _ = session.enqueue(1, [], deadline: .seconds(7), at: .seconds(2))
    _ = session.receive(Self.hello, at: .seconds(2))
    #expect(
      session.ended(.exited(0), lastError: "", at: .seconds(60)).last == .wake(at: .milliseconds(60_100)))
  }

  @Test func requestsThatCannotWaitFailAtOnce() {
    var session = PluginSession(Self.plugin())
    _ = session.enqueue(0, [], deadline: .seconds(5), at: .zero)
    _ = session.ended(.notStarted("it does not exist"), lastError: "", at: .zero)
    #expect(
      session.enqueue(1, [], deadline: .milliseconds(50), at: .zero) == [
        .response(
          1, .none(.pluginFailed, "it could not be started: it does not exist, and is not started again yet"))
      ])
    #expect(session.enqueue(2, [], deadline: .seconds(1), at: .zero) == [])
  }

  @Test(arguments: [
    ("", "wrote a line that is not JSON"), ("started", "wrote a line that is not JSON"),
    ("[]", "wrote a line that is not an object"), (#"{"accepted":true}"#, "wrote a line without hello"),
    (#"{"id":"2","accepted":true}"#, "wrote a line without hello"),
    (#"{"id":2,"id":2,"accepted":true}"#, "wrote a line that is not JSON"),
    (#"{"id":9,"accepted":true}"#, "answered the message 9"),
    (#"{"id":1,"accepted":true}"#, "answered the message 1"),
    (#"{"id":2,"accepted":1}"#, "an accepted that is not true or false"),
    (#"{"id":2}"#, "without accepted, response"),
    (#"{"id":2,"accepted":false,"reason":"no code"}"#, "a reason that is not a reason code"),
    (#"{"id":2,"accepted":false,"reason":"cancelled"}"#, "which is ProbeKit's own"),
    (#"{"id":2,"accepted":true,"captures":[]}"#, "captures that are not an object"),
    (#"{"hello":1,"kind":"validator"}"#, "a second hello"),
  ])
  func aProtocolViolationEndsTheProcess(line: String, words: String) {
    var session = Self.ready()
    _ = session.enqueue(1, [], deadline: .seconds(5), at: .zero)
    #expect(session.receive(Array(line.utf8), at: .zero) == [.kill])
    // Its output after that is ignored.
    #expect(session.receive(Array(#"{"id":2,"accepted":true}"#.utf8), at: .zero) == [])
    guard
      case .response(1, .none(.pluginFailed, let detail))? = session.ended(
        .signal(9), lastError: "", at: .zero
      )
      .first
    else {
      Issue.record("no answer")
      return
    }
    #expect(detail.contains(words))
  }

  @Test(arguments: [
    (#"{"hello":2,"kind":"validator"}"#, "speaks version 2 of the protocol, not 1"),
    (#"{"hello":1}"#, "has no kind validator or transport"),
    (#"{"hello":1,"kind":"transport"}"#, "is a transport, not a"),
    (#"{"hello":1,"kind":"validator","examples":{}}"#, "examples that are not a list"),
    (#"{"id":1,"accepted":true}"#, "sent an answer before its hello"),
  ])
  func aWrongHelloFailsEverything(line: String, words: String) {
    var session = PluginSession(Self.plugin())
    _ = session.enqueue(1, [], deadline: .seconds(5), at: .zero)
    #expect(session.receive(Array(line.utf8), at: .zero) == [.kill])
    guard
      case .response(1, .none(.pluginFailed, let detail))? = session.ended(
        .signal(9), lastError: "", at: .zero
      )
      .first
    else {
      Issue.record("no answer")
      return
    }
    #expect(detail.contains(words))
  }

  @Test func aPluginWithoutHelloIsEnded() {
    var session = PluginSession(Self.plugin())
    _ = session.enqueue(1, [], deadline: .seconds(5), at: .zero)
    #expect(session.giveUp(1, because: .pluginTimeout, at: .seconds(5)).last == .kill)
  }

  @Test func aRetiredProcessReceivesNoFurtherMessage() {
    var session = Self.ready()
    session.retire()
    #expect(session.enqueue(1, [], deadline: .seconds(5), at: .zero) == [])
    #expect(
      session.ended(.exited(0), lastError: "", at: .seconds(60)) == [.wake(at: .milliseconds(60_100))])
    #expect(session.wake(at: .milliseconds(60_100)) == [.start])
    var busy = Self.ready()
    _ = busy.enqueue(1, [], deadline: .seconds(5), at: .zero)
    busy.retire()
    #expect(
      busy.receive(Array(#"{"id":2,"accepted":true}"#.utf8), at: .zero) == [.response(1, .accepted([:]))])
  }

  @Test func unknownMembersAreIgnored() throws {
    let line = Array(#"{"id":2,"accepted":true,"later":{"x":[1]}}"#.utf8)
    #expect(try PluginLine(line) == .response(2, .accepted([:])))
  }
}
