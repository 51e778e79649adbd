import LoopbackServer
import ProbeCore
import Transports
import Testing

private let transport = TCPTransport()

/// Dialogs over real sockets, with servers of different behavior.
@Suite struct DialogSocketTests {
  /// A probe that ends before its timeout, unless it is meant to time out.
  private func probe(
    _ server: LoopbackServer, _ steps: [Dialog.Step], timeout: Duration = .seconds(300),
    maxBody: Int = 64 * 1024,
    expecting validator: (any ResponseValidator)? = nil
  ) async throws -> ProbeResponse {
    var request = ProbeRequest(try ProbeURL("tcp://127.0.0.1:\(server.port)"))
    request.timeout = timeout
    request.maxBody = maxBody
    request.expectation = validator
    request[Dialog.self] = try Dialog(steps)
    try transport.check(request)
    return try await transport.probe(request)
  }

  private func failure(
    _ server: LoopbackServer, _ steps: [Dialog.Step], timeout: Duration = .seconds(300)
  ) async throws -> ProbeFailure {
    let start = ContinuousClock.now
    let failure = await #expect(throws: ProbeFailure.self) {
      _ = try await probe(server, steps, timeout: timeout)
    }
    #expect(ContinuousClock.now - start < .seconds(200))
    return try #require(failure)
  }

  @Test func aSecretIsSentVerbatim() async throws {
    let server = try LoopbackServer { connection in
      var line: [UInt8] = []
      while line.last != UInt8(ascii: "\n") { line += try connection.read(upTo: 100) }
      try connection.send(line == Array("AUTH a\\r${b}$$\r\n".utf8) ? "+OK\r\n" : "-ERR\r\n")
    }
    let dialog = try Dialog([
      .send("AUTH "), .send(secret: .environment("PASSWORD")), .send("\\r\\n"), .reject("-ERR"),
      .expect("+OK"),
    ])
    var request = ProbeRequest(try ProbeURL("tcp://127.0.0.1:\(server.port)"))
    request.timeout = .seconds(600)
    request[Dialog.self] = dialog
    // Without its secret, the dialog is refused.
    #expect(throws: InvalidInput.self) { try transport.check(request) }
    let context = RequestContext { source throws(InvalidInput) in
      #expect(source == .environment("PASSWORD"))
      return Secret("a\\r${b}$$")
    }
    request[Dialog.self] = try dialog.readingSecrets(in: context, adding: &request.otherSecrets)
    #expect(request.otherSecrets == [Secret("a\\r${b}$$")])
    try transport.check(request)
    _ = try await transport.probe(request)
  }

  private static let mail: [Dialog.Step] = [
    .reject(.matches("(?m)^[45]\\d\\d ")), .expect(.matches("(?m)^220 (?<host>\\S+)[^\r\n]*\r\n")),
    .send("EHLO ${host}\\r\\n"), .expect(.matches("(?m)^250 .*\r\n")), .sendHex("51 55 49 54 0d 0a"),
    .expect(.matches("(?m)^221 ")),
  ]

  /// The segment sizes of a server.
  static let pieces = [1, 2, 3, 7, 1000]

  @Test(arguments: pieces)
  func aMailDialogWorksWithAnySegmentation(_ piece: Int) async throws {
    let server = try LoopbackServer { connection in
      func send(_ text: String) throws {
        try connection.sendSlowly(Array(text.utf8), piece: piece, every: .milliseconds(1))
      }
      try send("220-wait\r\n220 mx.test ESMTP\r\n")
      guard try connection.readLine() == "EHLO mx.test\r\n" else { return connection.reset() }
      try send("250-mx.test\r\n250-SIZE\r\n250 HELP\r\n")
      guard try connection.readLine() == "QUIT\r\n" else { return connection.reset() }
      try send("221 bye\r\n")
    }
    let response = try await probe(server, Self.mail)
    #expect(response.captures == ["host": "mx.test"])
    #expect(response.body.starts(with: Array("220-wait\r\n220 mx.test ESMTP\r\n250-mx.test\r\n".utf8)))
    #expect(response.timings.firstByte != nil)
    #expect(!response.bodyIsCut)
  }

  @Test func aRefusalFailsAtOnce() async throws {
    let server = try LoopbackServer { connection in
      try connection.send("554 no service\r\n")
      connection.hold()
    }
    let failure = try await failure(server, Self.mail)
    #expect(failure.reason == .dialogRejected)
    #expect(failure.detail.contains(#"the peer sent "554 no service\r\n""#))
    #expect(failure.partial?.body == Array("554 no service\r\n".utf8))
    #expect(failure.partial?.remoteAddress?.port == server.port)
  }

  @Test func endlessJunkEndsAtTheLimit() async throws {
    let server = try LoopbackServer { connection in
      while true { try connection.send([UInt8](repeating: 0x78, count: 10_000)) }
    }
    for term in [Dialog.SearchTerm.text("y"), .matches("x+y"), .matches("(?s).*y")] {
      let failure = try await failure(server, [.expect(term, maxBytes: 200_000)])
      #expect(failure.reason == .bodyMismatch)
      #expect(failure.detail.contains("not in the first 200000 bytes"))
      #expect(failure.partial?.body.count == 64 * 1024)
      #expect(failure.partial?.bodyIsCut == true)
    }
  }

  @Test func matchesBeyondTheKeptBodyAreFound() async throws {
    let server = try LoopbackServer { connection in
      try connection.send([UInt8](repeating: 0x78, count: 300_000) + Array("end\n".utf8))
      connection.hold()
    }
    let response = try await probe(
      server, [.expect(.matches("(?<last>end)\n"), maxBytes: 1_000_000)], maxBody: 10)
    #expect(response.body.count == 10)
    #expect(response.bodyIsCut)
    #expect(response.captures == ["last": "end"])
  }

  @Test func anEarlyEndIsReported() async throws {
    let server = try LoopbackServer { try $0.send("22") }
    let failure = try await failure(server, Self.mail)
    #expect(failure.reason == .bodyMismatch)
    #expect(failure.detail.contains("step 2 (expect pattern "))
    #expect(failure.detail.hasSuffix(#"the peer closed the connection first; found "22""#))
  }

  @Test func aResetIsReportedWithTheStep() async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.read()
      connection.reset()
    }
    let failure = try await failure(server, [.send("x"), .expect("y")])
    #expect(failure.reason == .connectReset)
    #expect(failure.detail.hasPrefix(#"step 2 (expect "y"): "#))
  }

  @Test func aTimeoutIsReportedWithTheStep() async throws {
    let server = try LoopbackServer { connection in
      try connection.send("first ")
      connection.hold()
    }
    let failure = try await failure(
      server, [.expect("first"), .expect("second", timeout: .milliseconds(50))])
    #expect(failure.reason == .responseTimeout)
    #expect(failure.detail == #"step 2 (expect "second"): not received within 50ms; found " ""#)
  }

  @Test func aSlowServerIsNotAFailure() async throws {
    let server = try LoopbackServer { connection in
      try connection.sendSlowly(Array("one two three".utf8), piece: 1, every: .milliseconds(10))
      connection.hold()
    }
    let response = try await probe(server, [.expect(.matches("three")), .send("x")])
    #expect(response.body == Array("one two three".utf8))
  }

  /// The text of a server, and steps that send it back more often than all buffers in between can hold.
  private static let echo = [UInt8](repeating: 0x78, count: 16_000) + [0x0A]
  private static let muchToSend =
    [Dialog.Step.expect(.matches("(?<x>x+)\n"))] + [Dialog.Step](repeating: .send("${x}"), count: 1200)

  @Test func sendingToAPeerThatDoesNotReadTimesOut() async throws {
    let server = try LoopbackServer { connection in
      try connection.send(Self.echo)
      try connection.pause(for: .seconds(300))
    }
    // A loaded machine may need more time to get as far as sending.
    for seconds in [1, 3, 10, 30, 90] {
      let failure = try await failure(server, Self.muchToSend, timeout: .seconds(seconds))
      guard failure.detail.contains("(send)") || seconds == 90 else { continue }
      #expect(failure.reason == .responseTimeout)
      let late = "(send): the peer did not accept all bytes within the probe's \(seconds)s"
      #expect(failure.detail.hasSuffix(late))
      break
    }
  }

  @Test func sendingToAClosedConnectionIsReported() async throws {
    let server = try LoopbackServer { connection in
      try connection.send(Self.echo)
      connection.close()
    }
    let failure = try await failure(server, Self.muchToSend)
    #expect(failure.reason == .connectReset)
    #expect(failure.detail.hasSuffix("(send): the peer closed the connection before it received all bytes"))
    let last = try await self.failure(server, [.expect("x\n"), .send("x"), .expect("y")])
    #expect(last.reason == .connectReset || last.reason == .bodyMismatch)
  }

  @Test func sendingWorksOnAHalfClosedConnection() async throws {
    let (heard, hearing) = AsyncStream.makeStream(of: [UInt8].self)
    let server = try LoopbackServer { connection in
      try connection.send("over to you")
      connection.shutdownWrite()
      hearing.yield(try connection.read())
    }
    let response = try await probe(server, [.expect(.matches("you$")), .send("thanks")])
    #expect(response.body == Array("over to you".utf8))
    for await bytes in heard {
      #expect(bytes == Array("thanks".utf8))
      break
    }
  }

  @Test func anExpectationIsMetAfterTheDialog() async throws {
    let server = try LoopbackServer { connection in
      try connection.send("hello ")
      _ = try connection.read()
      try connection.send("world")
      connection.hold()
    }
    let world = ClosureValidator { response in
      String(decoding: response.body, as: UTF8.self).contains("world")
        ? .accepted : .rejected(.bodyMismatch, expected: "world", found: "less")
    }
    let response = try await probe(server, [.expect("hello"), .send("x")], expecting: world)
    #expect(response.body == Array("hello world".utf8))
    // An expectation that is already met needs no more bytes.
    let hello = ClosureValidator { response in
      response.body.isEmpty ? .rejected(.bodyMismatch, expected: "any", found: "none") : .accepted
    }
    #expect(try await probe(server, [.expect("hello")], expecting: hello).body == Array("hello ".utf8))
  }

  static let waits: [[Dialog.Step]] = [
    [.expect("never")], [.expect(.matches("never"))], [.send("x"), .reject("y"), .expect("never")],
    muchToSend,
  ]

  @Test(arguments: waits.indices)
  func cancellingEndsEveryStep(_ wait: Int) async throws {
    let (accepted, acceptance) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      acceptance.yield()
      try connection.send(Self.echo)
      try connection.pause(for: .seconds(300))
    }
    let start = ContinuousClock.now
    let task = Task { try await failure(server, Self.waits[wait]) }
    for await _ in accepted { break }
    task.cancel()
    #expect(try await task.value.reason == .cancelled)
    #expect(ContinuousClock.now - start < .seconds(200))
  }
}

extension LoopbackConnection {
  /// Reads this many bytes, or fewer if the client ends its side.
  func read(count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try read(upTo: count - bytes.count)
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }

  /// Reads up to the end of a line.
  func readLine() throws -> String {
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n") {
      let byte = try read(upTo: 1)
      if byte.isEmpty { break }
      line += byte
    }
    return String(decoding: line, as: UTF8.self)
  }
}
