import Testing

@testable import ProbeServer

/// One connection, without a socket.
@Suite struct ServiceConnectionTests {
  private let start = ContinuousClock.now
  private let ok = HTTPServiceResponse(contentType: "text/plain", body: Array("hi".utf8))

  private static func options(_ change: (inout HTTPServiceOptions) -> Void = { _ in }) -> HTTPServiceOptions {
    var options = HTTPServiceOptions()
    options.maximumBody = 8
    options.maximumHead = 200
    change(&options)
    return options
  }

  private func receive(
    _ text: String, _ connection: inout ServiceConnection
  ) -> [ServiceConnection.Action] {
    connection.received(Array(text.utf8), now: start)
  }

  private func receive(
    _ text: String, in piece: Int, _ connection: inout ServiceConnection
  ) -> [ServiceConnection.Action] {
    var rest = Array(text.utf8)[...]
    var actions: [ServiceConnection.Action] = []
    while !rest.isEmpty {
      actions += connection.received(Array(rest.prefix(piece)), now: start)
      rest = rest.dropFirst(piece)
    }
    return actions
  }

  /// The status of the response that an action sends, or nil.
  private static func status(_ actions: [ServiceConnection.Action]) -> String? {
    guard case .send(let bytes)? = actions.first else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: " ").dropFirst().first.map(String.init)
  }

  private static func paths(_ actions: [ServiceConnection.Action]) -> [[String]] {
    actions.compactMap { if case .handle(let request) = $0 { request.path } else { nil } }
  }

  @Test func requestsAreHandledOneByOne() {
    var connection = ServiceConnection(Self.options(), now: start)
    let first = receive("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n", &connection)
    #expect(Self.paths(first) == [["a"]])
    #expect(Self.status(connection.responded(ok, now: start)) == "200")
    let second = connection.sent(now: start)
    #expect(Self.paths(second) == [["b"]])
    _ = connection.responded(ok, now: start)
    #expect(connection.sent(now: start).isEmpty)
    #expect(connection.isIdle && connection.wantsInput)
  }

  @Test func contentHasALengthOrChunks() {
    var connection = ServiceConnection(Self.options(), now: start)
    #expect(receive("PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab", &connection).isEmpty)
    guard case .handle(let request)? = receive("cd", &connection).first else {
      Issue.record("no request")
      return
    }
    #expect(request.body == Array("abcd".utf8))
    _ = connection.responded(ok, now: start)
    _ = connection.sent(now: start)
    let chunked = receive(
      "PUT /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", &connection)
    guard case .handle(let request)? = chunked.first else {
      Issue.record("no request")
      return
    }
    #expect(request.body == Array("ab".utf8))
  }

  @Test(arguments: [
    ("GARBAGE\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\n\r\n", "400"),
    ("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n", "413"),
    ("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabcdefghi\r\n", "413"),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: \(String(repeating: "a", count: 300))", "431"),
    ("GET / HTTP/2.0\r\nHost: x\r\n\r\n", "505"),
    ("PUT / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n", "417"),
  ])
  func invalidRequestsEndTheConnection(_ text: String, _ status: String) {
    var connection = ServiceConnection(Self.options(), now: start)
    #expect(Self.status(receive(text, &connection)) == status)
    // The rest of the input is read and discarded, so that the response is not lost.
    #expect(connection.sent(now: start) == [.shutDown])
    #expect(receive("more", &connection).isEmpty)
    #expect(connection.receivedEnd() == [.close])
  }

  @Test func aBodyIsNotReceivedBeforeTheRequestIsAdmitted() {
    let options = Self.options { options in
      options.admission = { _ in HTTPServiceFailure(status: 401, "no token") }
    }
    var connection = ServiceConnection(options, now: start)
    #expect(
      Self.status(receive("PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n", &connection)) == "401")
    #expect(connection.sent(now: start) == [.shutDown])
  }

  @Test(arguments: [1, 1000]) func aRequestIsRefusedForItsHeadBeforeItsContent(_ piece: Int) {
    let options = Self.options { options in
      options.admission = { _ in HTTPServiceFailure(status: 401, "no token") }
    }
    var connection = ServiceConnection(options, now: start)
    let text = "PUT /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnothing\r\n"
    let actions = receive(text, in: piece, &connection)
    #expect(Self.status(actions) == "401" && actions.count == 1)
  }

  /// A refusal ends the connection whether the content arrived with the head or not.
  @Test(arguments: ["/a", "a"], [1, 1000])
  func aRefusedRequestWithContentEndsTheConnection(_ target: String, _ piece: Int) {
    let options = Self.options { options in
      options.admission = { _ in HTTPServiceFailure(status: 401, "no token") }
    }
    var connection = ServiceConnection(options, now: start)
    let text = "PUT \(target) HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab"
    let actions = receive(text, in: piece, &connection)
    #expect(Self.status(actions) == (target == "/a" ? "401" : "400"))
    #expect(connection.sent(now: start) == [.shutDown])
  }

  @Test func aRefusedRequestWithoutContentKeepsTheConnection() {
    let options = Self.options { options in
      options.admission = { $0.field("a") == "b" ? nil : HTTPServiceFailure(status: 401, "no token") }
    }
    var connection = ServiceConnection(options, now: start)
    #expect(Self.status(receive("GET /a HTTP/1.1\r\nHost: x\r\n\r\n", &connection)) == "401")
    #expect(connection.sent(now: start).isEmpty)
    #expect(Self.paths(receive("GET /a HTTP/1.1\r\nHost: x\r\nA: b\r\n\r\n", &connection)) == [["a"]])
  }

  @Test func aSlowRequestIsRefusedAndAnIdleConnectionIsClosed() {
    let options = Self.options()
    var slow = ServiceConnection(options, now: start)
    _ = receive("GET / HT", &slow)
    // Further bytes do not extend the time.
    _ = slow.received(Array("TP".utf8), now: start + .seconds(29))
    #expect(slow.timePassed(to: start + .seconds(30)).isEmpty)
    #expect(Self.status(slow.timePassed(to: start + .seconds(31))) == "408")
    var idle = ServiceConnection(options, now: start)
    #expect(idle.timePassed(to: start + .seconds(75)).isEmpty)
    #expect(idle.timePassed(to: start + .seconds(76)) == [.close])
  }

  @Test func aConnectionToAClientThatDoesNotReadIsClosed() {
    var connection = ServiceConnection(Self.options(), now: start)
    _ = receive("GET / HTTP/1.1\r\nHost: x\r\n\r\n", &connection)
    // The handler may take as long as it needs.
    #expect(connection.timePassed(to: start + .seconds(1000)).isEmpty)
    _ = connection.responded(ok, now: start)
    #expect(connection.timePassed(to: start + .seconds(76)) == [.close])
  }

  @Test func aClientThatDisconnectsCancelsTheHandler() {
    var connection = ServiceConnection(Self.options(), now: start)
    _ = receive("GET / HTTP/1.1\r\nHost: x\r\n\r\n", &connection)
    #expect(connection.receivedEnd() == [.cancel])
    // A client that closed only its sending side still receives the response.
    #expect(Self.status(connection.responded(ok, now: start)) == "200")
    #expect(connection.sent(now: start) == [.close])
    var broken = ServiceConnection(Self.options(), now: start)
    _ = receive("GET / HTTP/1.1\r\nHost: x\r\n\r\n", &broken)
    #expect(broken.terminate() == [.cancel, .close])
    #expect(broken.responded(ok, now: start).isEmpty)
  }

  @Test func aResponseToHeadHasNoContent() {
    let bytes = ok.bytes(isHEADRequest: true, closes: true)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(text.contains("Content-Length: 2\r\n") && text.hasSuffix("Connection: close\r\n\r\n"))
  }

  @Test func aClientThatExpects100ContinueReceivesIt() {
    var connection = ServiceConnection(Self.options(), now: start)
    let actions = receive(
      "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n", &connection)
    #expect(actions == [.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))])
  }
}
