@testable import FixtureReplay
import Testing

/// The behavior of a connection other than plain HTTP, without a socket and without TLS.
@Suite struct ConnectionListenerTests {
  private static let get = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"
  private static var page: ReplayRoute { ReplayRoute("page", response: Page.response) }

  @Test func requestsAreReadAfterTheTLSHandshake() {
    var driven = DrivenConnection(Self.page, .https)
    #expect(driven.connection.reads == .handshake)
    driven.connection.handshakeReceived()
    driven.connection.serverName = "a.example"
    driven.handle { $0.handshakeEnded(in: &$1) }
    #expect(driven.connection.reads == .content)
    driven.receive(Self.get)
    #expect(driven.takeSent() == Page.text)
    #expect(driven.entries.map(\.serverName) == ["a.example"])
  }

  @Test(arguments: [
    (TLSMode.fin, ["announce end", "FIN"]), (.rst, ["RST"]), (.stall, []),
    (.plainHTTP, ["announce end", "FIN"]), (.alertInternalError, ["announce end", "FIN"]),
  ])
  func aModeWithoutAHandshakeRespondsToTheHello(mode: TLSMode, ending: [String]) {
    var driven = DrivenConnection(Self.page, .https)
    driven.connection.handshakeReceived()
    driven.handle { $0.refused(mode, in: &$1) }
    #expect(driven.sent == mode.helloResponse ?? [])
    #expect(driven.takeDone() == ["no TLS: the fixture's mode is \(mode.rawValue)"] + ending)
    #expect(driven.connection.reads == .nothing)
  }

  @Test func aTLSFailureIsReportedAndEndsTheConnection() {
    var driven = DrivenConnection(Self.page, .https)
    driven.connection.handshakeReceived()
    driven.takesAll = false
    driven.handle { $0.tlsFailed("no shared cipher", alert: [1, 2], in: &$1) }
    #expect(driven.sent == [1, 2])
    #expect(driven.takeDone() == ["no TLS: no shared cipher"])
    driven.takesAll = true
    driven.becomeReady()
    #expect(driven.takeDone() == ["announce end", "FIN"])
  }

  @Test(arguments: [false, true])
  func aCloseIsRecordedOnlyDuringAHandshake(hasBegun: Bool) {
    var driven = DrivenConnection(Self.page, .https)
    if hasBegun { driven.connection.handshakeReceived() }
    driven.receiveEnd()
    let note = "no TLS: the client closed the connection during the handshake"
    #expect(driven.takeDone() == (hasBegun ? [note] : []) + ["close"])
  }

  private static let dialog = [
    ReplayRoute("hello", when: RouteCondition(listener: .tcp), response: .send(Array("220\r\n".utf8))),
    ReplayRoute("ask", when: RouteCondition(receive: "ask *"), response: .send(Array("250\r\n".utf8))),
    ReplayRoute(
      "quit", when: RouteCondition(receive: "quit"), response: .send(Array("221\r\n".utf8)), end: .fin),
  ]

  @Test(arguments: [1, 3, 1000])
  func turnsOfAPlainDialogReceiveResponses(part: Int) {
    var driven = DrivenConnection(Self.dialog, .tcp)
    #expect(driven.takeSent() == "220\r\n")
    let text = Array("ask this\r\nwhat\r\nask that\nquit\r\n")
    for start in stride(from: 0, to: text.count, by: part) {
      driven.receive(String(text[start..<min(start + part, text.count)]))
    }
    #expect(driven.takeSent() == "250\r\n250\r\n221\r\n")
    #expect(driven.entries.map { $0.hit?.route } == ["hello", "ask", nil, "ask", "quit"])
    #expect(driven.entries.map(\.received.count) == [0, 10, 6, 9, 6])
    #expect(driven.takeDone().suffix(2) == ["announce end", "FIN"])
  }

  @Test func theLastLineNeedsNoLineEnd() {
    var driven = DrivenConnection(Self.dialog, .tcp)
    driven.receive("ask this\nask that")
    #expect(driven.takeSent() == "220\r\n250\r\n")
    driven.receiveEnd()
    #expect(driven.takeSent() == "250\r\n")
    #expect(driven.takeDone().suffix(3) == ["announce end", "FIN", "close"])
  }

  @Test func anEndlessTurnEndsTheConnection() {
    var driven = DrivenConnection(Self.dialog, .tcp)
    driven.receive(String(repeating: "x", count: TCPTurnReader.maximumTurnLength))
    #expect(driven.connection.isIdle)
    driven.receive("x")
    #expect(driven.takeDone() == ["hello", "announce end", "FIN"])
  }

  @Test func aHoldingListenerSendsNoGreeting() {
    let driven = DrivenConnection(Self.dialog, .tcp, holds: true)
    #expect(driven.sent.isEmpty && driven.done.isEmpty)
  }
}
