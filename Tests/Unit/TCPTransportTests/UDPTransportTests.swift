import LoopbackServer
import ProbeCore
import Transports
import TestSupport
import Testing

private let transport = UDPTransport()

private func request(
  _ port: UInt16, _ steps: [Dialog.Step], _ change: (inout ProbeRequest) -> Void = { _ in }
) throws -> ProbeRequest {
  var request = ProbeRequest(try ProbeURL("udp://127.0.0.1:\(port)"))
  request.timeout = .seconds(600)
  request[Dialog.self] = try Dialog(steps)
  change(&request)
  return request
}

private func failure(_ request: ProbeRequest) async throws -> ProbeFailure {
  try #require(await #expect(throws: ProbeFailure.self) { try await transport.probe(request) })
}

private let question: [Dialog.Step] = [.send("ping"), .expect("pong")]

/// UDP over real sockets.
@Suite struct UDPTransportTests {
  @Test func aDialogReceivesResponses() async throws {
    let server = try LoopbackDatagrams { bytes, _ in [Array("pong ".utf8) + bytes] }
    let response = try await transport.probe(
      try request(
        server.port, [.send("a"), .expect(.matches("pong (?<x>.)")), .send("${x}b"), .expect("ab")]))
    #expect(response.body == Array("pong apong ab".utf8))
    #expect(response.captures == ["x": "a"])
    #expect(response.remoteAddress == SocketAddress(IPAddress(v4: 0x7F00_0001), port: server.port))
    #expect(response.timings.firstByte != nil && response.timings.resolve == nil)
    #expect(server.received == [Array("a".utf8), Array("ab".utf8)])
  }

  @Test func aNameIsLookedUp() async throws {
    let server = try LoopbackDatagrams { _, _ in [Array("pong".utf8)] }
    var named = ProbeRequest(try ProbeURL("udp://localhost:\(server.port)"))
    named.timeout = .seconds(600)
    named[Dialog.self] = try Dialog(question)
    // Nothing listens at ::1, if this machine has it.
    let response = try await transport.probe(named)
    #expect(response.timings.resolve != nil && response.remoteAddress?.port == server.port)
  }

  @Test func aLostDatagramIsSentAgain() async throws {
    let server = try LoopbackDatagrams { _, number in number < 2 ? [] : [Array("pong".utf8)] }
    let response = try await transport.probe(try request(server.port, question))
    #expect(response.body == Array("pong".utf8) && server.received.count == 2)
  }

  @Test func aClosedPortRefuses() async throws {
    let failure = try await failure(try request(try LoopbackServer.refusedPort(), question))
    #expect(failure.reason == .connectRefused && failure.detail == "127.0.0.1 refused the connection")
  }

  @Test func silenceIsATimeout() async throws {
    let server = try LoopbackDatagrams { _, _ in [] }
    let failure = try await failure(try request(server.port, question) { $0.timeout = .milliseconds(100) })
    #expect(failure.reason == .responseTimeout)
    #expect(
      failure.detail
        == #"step 2 (expect "pong"): not received within the probe's 100ms; nothing was received"#)
    #expect(failure.partial?.remoteAddress?.port == server.port)
  }

  @Test func aWrongResponseIsQuoted() async throws {
    let server = try LoopbackDatagrams { _, _ in [Array("no".utf8)] }
    let wrong = try await withGrowingLimit(
      from: .milliseconds(300), while: { (failure: ProbeFailure) in failure.partial?.body.isEmpty != false }
    ) { limit in try await failure(try request(server.port, question) { $0.timeout = limit }) }
    #expect(wrong.reason == .responseTimeout && wrong.detail.hasSuffix(#"; found "no""#), "\(wrong)")
  }

  @Test func aFloodEnds() async throws {
    let server = try LoopbackDatagrams { _, _ in
      [[UInt8]](repeating: [UInt8](repeating: 0x78, count: 100), count: 110)
    }
    let failure = try await failure(try request(server.port, question) { $0.maxBody = 1000 })
    #expect(failure.reason == .bodyMismatch)
    #expect(failure.detail.hasPrefix(#"step 2 (expect "pong"): not in the first 100 datagrams; found "xxx"#))
    #expect(failure.partial?.body.count == 1000 && failure.partial?.bodyIsCut == true)
  }

  @Test func anEmptyDatagramIsOneToo() async throws {
    let server = try LoopbackDatagrams { _, _ in [[], Array("pong".utf8)] }
    let response = try await transport.probe(
      try request(server.port, [.send("a"), .expect(.matches("^$")), .expect("pong")]))
    #expect(response.body == Array("pong".utf8))
  }

  @Test func aCancelledProbeEnds() async throws {
    let server = try LoopbackDatagrams { _, _ in [] }
    let request = try request(server.port, question)
    let probe = Task { try await transport.probe(request) }
    while server.received.isEmpty { await Task.yield() }
    probe.cancel()
    let failure = await #expect(throws: ProbeFailure.self) { try await probe.value }
    #expect(failure?.reason == .cancelled)
  }

  static let mistakes: [(url: String, steps: [Dialog.Step]?, message: String)] = [
    ("udp://h.test", question, "a udp URL needs a port: write it as udp://h.test:53"),
    ("udp://[::1]", question, "a udp URL needs a port: write it as udp://[::1]:53"),
    ("udp://h.test:9/a", question, "a udp URL has no path or query: write it as udp://host:port"),
    (
      "udp://h.test:9", nil,
      "a udp URL needs a dialog: UDP has no connection to check: add a dialog that sends something and expects a response"
    ),
    (
      "udp://h.test:9", [.send("a"), .startTLS, .expect("b")],
      "step 2: starttls: there is no TLS over udp: remove the step, or use a tcp URL"
    ),
    (
      "udp://h.test:9", [.reject("c"), .expect("b"), .send("a")],
      "step 2: expect: a server sends nothing over udp before it has received something: add a send before it"
    ),
    (
      "udp://h.test:9", [.send("a")],
      "the dialog of a udp URL expects no response, without which nothing is known of the service: add an expect, or a validator of text such as contains"
    ),
    (
      "udp://h.test:9", [.send(String(repeating: "x", count: 65_508)), .expect("b")],
      "step 1: send: 65508 bytes do not fit into a datagram: send at most 65507 bytes"
    ),
    (
      "udp://h.test:9", [.sendHex(String(repeating: "00 ", count: 65_508)), .expect("b")],
      "step 1: send: 65508 bytes do not fit into a datagram: send at most 65507 bytes"
    ),
  ]

  @Test func theLimitOfHexIsInBytes() throws {
    var request = ProbeRequest(try ProbeURL("udp://h.test:9"))
    request[Dialog.self] = try Dialog([.sendHex(String(repeating: "0a ", count: 65_507)), .expect("b")])
    try transport.check(request)
    let error = #expect(throws: InvalidDialog.self) {
      try Dialog([.sendHex(String(repeating: "0a ", count: 65_537))])
    }
    #expect(
      error.map { "\($0)" }?.hasSuffix(
        "65537 bytes are too many: the limit is 65536: send them in several steps; over udp, a datagram has at most "
          + "65507 bytes") == true, "\(String(describing: error))")
  }

  @Test(arguments: mistakes)
  func mistakesAreExplained(_ url: String, _ steps: [Dialog.Step]?, _ message: String) throws {
    var request = ProbeRequest(try ProbeURL(url))
    request[Dialog.self] = try steps.map { try Dialog($0) }
    let error = #expect(throws: InvalidInput.self) { try transport.check(request) }
    #expect(error?.description == message)
  }

  @Test func aValidatorCanJudgeTheResponse() async throws {
    let server = try LoopbackDatagrams { _, _ in [Array("one ".utf8), Array("two".utf8)] }
    let response = try await transport.probe(
      try request(server.port, [.send("a")]) { request in
        request.expectation = ClosureValidator { response in
          response.body == Array("one two".utf8)
            ? .accepted : .rejected(.bodyMismatch, expected: "both", found: "less")
        }
      })
    #expect(response.body == Array("one two".utf8))
  }

  @Test func theRequestKeysAreThoseOfDatagramsAndTheDialog() {
    let keys = transport.requestKeys(for: .udp).map(\.name)
    #expect(
      keys == [
        "timeout", "maxBody", "retries", "backoff", "family", "interface", "connectTo", "resolver", "dialog",
      ])
  }
}
