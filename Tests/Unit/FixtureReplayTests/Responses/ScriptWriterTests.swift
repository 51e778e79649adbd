@testable import FixtureReplay
import Testing

/// The scripts of routes, without a connection.
@Suite struct ScriptWriterTests {
  private static let page = ComposedResponse(headers: ["Content-Type: text/plain"], body: Array("hello".utf8))
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n"

  /// A script in words: its steps, and its ending.
  private static func words(_ script: ResponseScript) -> [String] {
    script.steps.map { step in
      switch step {
      case .send(let bytes): "send \(text(bytes))"
      case .sendSlowly(let bytes, let part, let interval): "slowly \(part) every \(interval): \(text(bytes))"
      case .sendForever(let bytes): "forever \(bytes.count > 1000 ? "much" : text(bytes))"
      case .wait(let duration): "wait \(duration)"
      }
    } + ["\(script.ending)"]
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func script(
    _ response: ReplayResponse? = .respond(page), _ fault: ReplayFault? = nil, end: ResponseEnd? = nil,
    kind: ScriptWriter.RequestKind = .request
  ) -> [String] {
    words(
      ScriptWriter.script(
        for: ReplayRoute("r", response: response, end: end, fault: fault), fault: fault, kind: kind))
  }

  @Test func onlyTheGivenFieldsAndALengthAreSent() {
    #expect(Self.script() == ["send \(Self.head)hello", "keep"])
    let given = ComposedResponse(
      status: 299, reason: "My own", version: "1.0", headers: ["content-length: 5", "X:"],
      body: Array("hello".utf8))
    #expect(
      Self.script(.respond(given)) == [
        "send HTTP/1.0 299 My own\r\ncontent-length: 5\r\nX:\r\n\r\nhello", "fin",
      ])
    let empty = ComposedResponse(status: 204, body: Array("ignored".utf8))
    #expect(Self.script(.respond(empty)) == ["send HTTP/1.1 204 No Content\r\n\r\n", "keep"])
    #expect(
      Self.script(.respond(ComposedResponse(status: 999))) == [
        "send HTTP/1.1 999 \r\nContent-Length: 0\r\n\r\n", "keep",
      ])
  }

  @Test func aHeadRequestReceivesTheHead() {
    #expect(Self.script(kind: .headRequest) == ["send \(Self.head)", "keep"])
    let raw = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
    #expect(
      Self.script(.send(raw), kind: .headRequest) == [
        "send HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "keep",
      ])
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "keep"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok", "fin"),
    ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", "fin"),
    ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok", "keep"),
    ("HTTP/1.1 200 OK\r\n\r\nuntil the end", "fin"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok", "fin"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 2\r\n\r\nok", "fin"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", "keep"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nmore", "fin"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", "fin"),
    ("HTTP/1.1 204 No Content\r\n\r\n", "keep"),
    ("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello", "fin"),
    ("HTTP/1.1 304 Not Modified\nX: y\n\n", "keep"),
    ("HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "keep"),
    ("no HTTP at all", "fin"),
  ])
  func rawBytesKeepTheConnectionOnlyIfTheirEndIsKnown(raw: String, ending: String) {
    #expect(Self.script(.send(Array(raw.utf8))) == ["send \(raw)", ending])
  }

  @Test func theEndingOfTheFixtureApplies() {
    #expect(Self.script(end: .fin).last == "fin")
    #expect(Self.script(end: .rst).last == "resetWhenAcknowledged")
    #expect(Self.script(end: .hold).last == "hold")
    #expect(Self.script(.send(Array("x".utf8)), end: .keep).last == "keep")
    #expect(Self.script(nil, end: .hold) == ["hold"])
    #expect(Self.script(nil) == ["fin"])
    #expect(Self.script(.send(Array("220 ready\r\n".utf8)), kind: .tcp) == ["send 220 ready\r\n", "keep"])
  }

  @Test(arguments: ReplayFault.Kind.allCases)
  func everyFault(kind: ReplayFault.Kind) {
    let interim = "HTTP/1.1 100 Continue\r\n\r\n"
    let bare = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
    let (fault, expected): (ReplayFault, [String]) =
      switch kind {
      case .delay:
        (ReplayFault(kind, for: .seconds(2)), ["wait 2.0 seconds", "send \(Self.head)hello", "keep"])
      case .rstEarly: (ReplayFault(kind), ["reset"])
      case .rstAfter: (ReplayFault(kind, bytes: 8), ["send HTTP/1.1", "resetWhenAcknowledged"])
      case .emptyFin: (ReplayFault(kind), ["fin"])
      case .halfClose: (ReplayFault(kind), ["send \(Self.head)hello", "halfClose"])
      case .shortBody: (ReplayFault(kind, bytes: 3), ["send \(Self.head)hel", "fin"])
      case .chunkCut:
        (ReplayFault(kind), ["send \(bare)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "fin"])
      case .chunkBad:
        (ReplayFault(kind), ["send \(bare)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n", "fin"])
      case .headerCut: (ReplayFault(kind, bytes: 20), ["send HTTP/1.1 200 OK\r\nCon", "fin"])
      case .garbage: (ReplayFault(kind), ["send \u{1}\u{2}\u{3} this is not HTTP \u{7f}\r\n\r\n", "fin"])
      case .slowHeaders:
        (ReplayFault(kind), ["slowly 1 every 0.1 seconds: \(Self.head)", "send hello", "keep"])
      case .slowBody:
        (
          ReplayFault(kind, bytes: 2, every: .milliseconds(5)),
          ["send \(Self.head)", "slowly 2 every 0.005 seconds: hello", "keep"]
        )
      case .stallHeaders: (ReplayFault(kind, bytes: 4), ["send HTTP", "hold"])
      case .stallBody: (ReplayFault(kind), ["send \(Self.head)he", "hold"])
      case .continueForever: (ReplayFault(kind), ["send \(interim)\(interim)\(interim)", "hold"])
      case .endlessHeaders: (ReplayFault(kind), ["send HTTP/1.1 200 OK\r\n", "forever much", "fin"])
      case .endlessBody: (ReplayFault(kind), ["send \(bare)\r\n", "forever much", "fin"])
      case .badGzip:
        (ReplayFault(kind), ["send \(bare)Content-Length: 5\r\nContent-Encoding: gzip\r\n\r\nhello", "keep"])
      case .gzipBomb:
        (
          ReplayFault(kind),
          [
            "send \(bare)Content-Encoding: gzip\r\nContent-Length: \(GzipBomb.count)\r\n\r\n",
            "send \(Self.bomb)", "keep",
          ]
        )
      }
    #expect(Self.script(.respond(Self.page), fault) == expected)
  }

  private static let bomb: String = {
    guard case .send(let bytes)? = GzipBomb.steps.first else { return "" }
    return text(bytes)
  }()

  @Test func aCutRedirectIsCutInsideItsLocation() throws {
    let redirect = ComposedResponse(
      status: 302, headers: ["A: b", "Location: http://login.example/welcome", "C: d"])
    let sent = try #require(Self.script(.respond(redirect), ReplayFault(.headerCut)).first)
    #expect(sent.contains("Location: http"))
    #expect(!sent.contains("welcome"))
  }

  @Test func theChunkCutFaultRemovesTheLastChunk() {
    let raw = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
    let cut = Self.script(.send(Array(raw.utf8)), ReplayFault(.chunkCut))
    #expect(cut == ["send HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", "fin"])
  }

  @Test func aPlayerSendsPartsWithPausesBetweenThem() {
    var player = ScriptPlayer(
      ResponseScript(
        [.wait(.seconds(1)), .sendSlowly([1, 2, 3], part: 2, every: .seconds(2)), .send([4])], .fin))
    var actions: [ScriptPlayer.Action] = []
    repeat { actions.append(player.next()) } while actions.last != .end(.fin)
    #expect(
      actions == [
        .pause(.seconds(1)), .send([1, 2]), .pause(.seconds(2)), .send([3]), .send([4]),
        .end(.fin),
      ])
  }
}
