@testable import FixtureReplay
import Testing

/// How a connection reacts to events, without a socket.
@Suite struct ReplayConnectionTests {
  private static let get = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"
  private static var page: ReplayRoute { ReplayRoute("page", response: Page.response) }

  private static func slow(_ count: Int) -> ReplayRoute {
    ReplayRoute(
      "slow", response: Page.response, fault: ReplayFault(.slowBody, bytes: count, every: .seconds(1)))
  }

  @Test func aConnectionIsKeptForTheNextRequest() {
    var driven = DrivenConnection(Self.page)
    for _ in 0..<3 {
      driven.receive(Self.get)
      #expect(driven.takeSent() == Page.text)
      #expect(driven.takeDone() == ["page"])
      #expect(driven.connection.isIdle && driven.connection.wantsInput && !driven.connection.wantsRoom)
    }
    #expect(driven.entries.map(\.connection) == [1, 1, 1])
    #expect(driven.entries.compactMap(\.request?.head.host) == ["a.example", "a.example", "a.example"])
  }

  @Test func aClientThatRequestsCloseReceivesIt() {
    var driven = DrivenConnection(Self.page)
    driven.receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + Self.get)
    #expect(driven.takeSent() == Page.text)
    #expect(driven.takeDone() == ["page", "announce end", "FIN"])
    driven.receive(Self.get)
    #expect(driven.takeDone().isEmpty && driven.sent.isEmpty)
    driven.receiveEnd()
    #expect(driven.takeDone() == ["close"])
    #expect(driven.connection.isClosed)
  }

  @Test(arguments: [1, 2, 7, 1000])
  func pipelinedRequestsReceiveResponsesInOrder(part: Int) {
    let routes = ["a", "b", "c"].map { name in
      ReplayRoute(
        name, when: RouteCondition(path: "/\(name)"),
        response: .send(Array("HTTP/1.1 204 \(name)\r\n\r\n".utf8)))
    }
    var driven = DrivenConnection(routes)
    let requests = Array("bca".map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
    for start in stride(from: 0, to: requests.count, by: part) {
      driven.receive(String(requests[start..<min(start + part, requests.count)]))
    }
    #expect(driven.takeDone() == ["b", "c", "a"])
    #expect(driven.takeSent() == "bca".map { "HTTP/1.1 204 \($0)\r\n\r\n" }.joined())
  }

  @Test func manyRequestsAreServedInBatches() {
    var driven = DrivenConnection(Self.page)
    driven.receive(String(repeating: Self.get, count: 100))
    var turns: [Int] = []
    while driven.connection.wantsRoom {
      turns.append(driven.takeDone().count)
      driven.becomeReady()
    }
    turns.append(driven.takeDone().count)
    #expect(turns == [16, 16, 16, 16, 16, 16, 4])
  }

  @Test func aLongResponseDoesNotDelayOthers() {
    var driven = DrivenConnection(
      ReplayRoute("endless", response: Page.response, fault: ReplayFault(.endlessBody)))
    driven.receive(Self.get)
    for _ in 0..<3 {
      #expect((256 * 1024..<300 * 1024).contains(driven.takeSent().utf8.count))
      #expect(driven.connection.wantsRoom)
      driven.becomeReady()
    }
  }

  @Test func theNextResponseWaitsForASlowClient() {
    var driven = DrivenConnection(Self.page)
    driven.takesAll = false
    driven.receive(Self.get + Self.get)
    #expect(driven.takeDone() == ["page"])
    #expect(driven.takeSent() == Page.text)
    driven.becomeReady()
    #expect(driven.takeDone() == ["page"])
    #expect(driven.takeSent() == Page.text)
    driven.becomeReady()
    #expect(driven.connection.isIdle && driven.sent.isEmpty)
  }

  @Test func pausesSeparateTheParts() {
    var driven = DrivenConnection(Self.slow(8))
    driven.receive(Self.get)
    #expect(driven.takeSent() == Page.head + Page.body.prefix(8))
    #expect(driven.takeDone() == ["slow", "pause \(Duration.seconds(1))"])
    // Events in the meantime do not shorten it.
    driven.becomeReady()
    driven.receive(Self.get)
    #expect(driven.done.isEmpty && driven.sent.isEmpty && !driven.connection.wantsRoom)
    driven.endPause()
    #expect(driven.takeSent() == Page.body.dropFirst(8) + Page.head + Page.body.prefix(8))
    driven.endPause()
    #expect(driven.takeSent() == String(Page.body.dropFirst(8)))
  }

  @Test func aPipeliningClientHasToWait() {
    var driven = DrivenConnection(Self.slow(8))
    driven.receive(Self.get)
    #expect(driven.connection.wantsInput)
    let head = "GET / HTTP/1.1\r\nHost: a.example\r\nX: " + String(repeating: "x", count: 20_000)
    driven.receive(head)
    #expect(!driven.connection.wantsInput)
    // The rest of the head is read after the response, however much of it has been received.
    driven.endPause()
    driven.endPause()
    #expect(driven.connection.isIdle && driven.connection.wantsInput)
    driven.receive("\r\n\r\n")
    #expect(driven.entries.count == 2)
  }

  @Test func aResetWaitsForTheAcknowledgement() {
    var driven = DrivenConnection(ReplayRoute("reset", response: Page.response, end: .rst))
    driven.isAcknowledged = false
    driven.receive(Self.get)
    #expect(driven.takeSent() == Page.text)
    #expect(driven.takeDone() == ["reset", "pause \(Duration.milliseconds(1))"])
    driven.endPause()
    #expect(driven.takeDone() == ["pause \(Duration.milliseconds(1))"])
    driven.isAcknowledged = true
    driven.endPause()
    #expect(driven.takeDone() == ["pause \(Duration.milliseconds(50))"])
    driven.endPause()
    #expect(driven.takeDone() == ["RST"])
    #expect(driven.connection.isClosed)
  }

  @Test(arguments: [
    (ReplayFault.Kind.rstEarly, "", ["RST"]), (.emptyFin, "", ["announce end", "FIN"]),
    (.halfClose, Page.text, ["announce end", "FIN"]), (.stallHeaders, String(Page.text.prefix(33)), []),
  ])
  func faultsEndTheConnectionAsSpecified(kind: ReplayFault.Kind, sent: String, ending: [String]) {
    var driven = DrivenConnection(ReplayRoute("fault", response: Page.response, fault: ReplayFault(kind)))
    driven.receive(Self.get)
    #expect(kind == .stallHeaders ? !driven.sent.isEmpty : driven.takeSent() == sent)
    #expect(driven.takeDone() == ["fault"] + ending)
    // A half-closed or held connection stays as long as the client wants, a draining one does not.
    driven.pass(.seconds(1000))
    #expect(driven.takeDone() == (kind == .emptyFin ? ["close"] : []))
    driven.receiveEnd()
    #expect(driven.takeDone() == (kind == .halfClose || kind == .stallHeaders ? ["close"] : []))
  }

  @Test func aFINWaitsForTheBytesBeforeIt() {
    var driven = DrivenConnection(ReplayRoute("end", response: Page.response, end: .fin))
    driven.takesAll = false
    driven.receive(Self.get)
    #expect(driven.takeDone() == ["end"])
    driven.becomeReady()
    #expect(driven.takeDone() == ["announce end"])
    driven.becomeReady()
    #expect(driven.takeDone() == ["FIN"])
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\nX: \(String(repeating: "x", count: 200))", 431),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n", 413), ("\u{16}\u{3}\u{1}", 400),
  ])
  func nonRequestsAreRefused(text: String, status: Int) throws {
    var limits = RequestLimits()
    (limits.head, limits.body) = (200, 100)
    var driven = DrivenConnection(Self.page, limits: limits)
    driven.receive(text)
    guard case .malformed(let malformed)? = driven.entries.first?.outcome else {
      Issue.record("\(driven.done)")
      return
    }
    #expect(malformed.status == status)
    #expect(driven.takeSent().hasPrefix("HTTP/1.1 \(status) "))
    #expect(driven.takeDone().dropFirst() == ["announce end", "FIN"])
    driven.receive(Self.get)
    #expect(driven.sent.isEmpty)
  }

  @Test func aWaitingClientReceivesAContinue() {
    var driven = DrivenConnection(Self.page)
    driven.takesAll = false
    driven.receive("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
    #expect(driven.takeSent() == "HTTP/1.1 100 Continue\r\n\r\n")
    driven.receive("abc")
    #expect(driven.takeSent() == Page.text)
    #expect(driven.takeDone() == ["page"])
  }

  @Test(arguments: ["", "GET / HT", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na"])
  func endOfInputWithoutACompleteRequestEndsTheConnection(text: String) {
    var driven = DrivenConnection(Self.page)
    driven.receive(text)
    driven.receiveEnd()
    #expect(driven.takeDone() == ["announce end", "FIN", "close"])
    #expect(driven.sent.isEmpty && driven.entries.isEmpty)
  }

  @Test func aResponseContinuesWhenTheClientEndsItsSide() {
    var driven = DrivenConnection(Self.slow(8))
    driven.receive(Self.get + Self.get)
    driven.receiveEnd()
    #expect(!driven.connection.wantsInput)
    for _ in 0..<4 { driven.endPause() }
    #expect(driven.takeSent() == Page.text + Page.text)
    #expect(driven.takeDone().suffix(3) == ["announce end", "FIN", "close"])
  }

  @Test func aBrokenConnectionIsClosedOnce() {
    var driven = DrivenConnection(Self.slow(8))
    driven.receive(Self.get)
    _ = driven.takeDone()
    for _ in 0..<2 { driven.handle { connection, _ in connection.ended() } }
    driven.endPause()
    driven.becomeReady()
    driven.receiveEnd()
    driven.receive(Self.get)
    #expect(driven.takeDone() == ["close"])
  }

  @Test func connectionsIdleForTooLongAreClosed() {
    var driven = DrivenConnection(Self.page)
    driven.pass(.seconds(75))
    #expect(driven.done.isEmpty)
    driven.connection.wasUsed(at: DrivenConnection.start + .seconds(10))
    driven.receive("GET /")
    driven.pass(.seconds(84))
    #expect(driven.done.isEmpty)
    driven.pass(.seconds(86))
    #expect(driven.takeDone() == ["close"])
  }

  @Test func drainingEndsDespiteFurtherInput() {
    var driven = DrivenConnection(ReplayRoute("end", response: Page.response, end: .fin))
    driven.receive(Self.get)
    _ = driven.takeDone()
    driven.connection.wasUsed(at: DrivenConnection.start + .seconds(4))
    driven.receive(String(repeating: "x", count: 100_000))
    driven.pass(.seconds(5))
    #expect(driven.done.isEmpty && driven.connection.wantsInput)
    driven.pass(.seconds(6))
    #expect(driven.takeDone() == ["close"])
  }

  @Test func aHoldingListenerSendsNoResponse() {
    var driven = DrivenConnection([Self.page], holds: true)
    driven.receive(Self.get)
    driven.pass(.seconds(1000))
    #expect(driven.done.isEmpty && driven.sent.isEmpty && driven.connection.wantsInput)
    driven.receiveEnd()
    #expect(driven.takeDone() == ["close"])
  }
}
