import FixtureCapture
import FixtureReplay
import ProbeCore
import TestRequirements
import TestSupport
import Testing

/// The part of a long recording that becomes a fixture.
@Suite struct ImportSelectionTests {
  private static func capture(_ urls: [String], bytes: Int = 10) throws -> ImportedCapture {
    let response = Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + [UInt8](repeating: 0x78, count: bytes)
    let exchanges = try urls.map { url in
      var exchange = RecordedExchange(url: try ProbeURL(url), method: "GET")
      exchange.wire = WireRecord(received: response, ending: .finished)
      return exchange
    }
    return ImportedCapture(exchanges: exchanges, losses: ["x"], origin: "HAR 1.2")
  }

  @Test func aShortRecordingIsKept() throws {
    var capture = try Self.capture((0..<1000).map { "http://a.example/\($0)" } + ["http://a.example/0"])
    try capture.keep(hosts: [])
    #expect(capture.exchanges.count == 1001 && capture.losses == ["x"])
  }

  @Test func theFirstRequestsOfALongRecordingAreKept() throws {
    // Each page is requested twice.
    var capture = try Self.capture((0..<3000).map { "http://a.example/\($0 / 2)" })
    try capture.keep(hosts: [])
    #expect(capture.exchanges.count == 2000)
    #expect(capture.exchanges.last?.url.string == "http://a.example/999")
    #expect(
      capture.losses == [
        "x",
        "the last 1000 of 3000 exchanges; skipped, because a fixture has at most 1000 different requests and 64 MiB",
      ])
  }

  @Test func aLimitIsWanted() throws {
    var capture = try Self.capture((0..<30).map { "http://a.example/\($0)" })
    try capture.keep(hosts: [], atMost: 7)
    #expect(capture.exchanges.map(\.url.path) == (0..<7).map { "/\($0)" })
    #expect(
      capture.losses.last == "the last 23 of 30 exchanges; skipped, because 7 different requests are wanted")
  }

  @Test(arguments: [
    (["portal.example"], [0, 3]), (["*.cdn.example"], [1]), (["PORTAL.example", "b.*"], [0, 2, 3]),
    (["*"], [0, 1, 2, 3]),
  ])
  func hostsAreChosen(_ patterns: [String], _ kept: [Int]) throws {
    let urls = [
      "http://portal.example/", "http://a.cdn.example/", "http://b.example/", "https://portal.example/x",
    ]
    var capture = try Self.capture(urls)
    try capture.keep(hosts: patterns.map { Glob($0, isCaseSensitive: false) })
    #expect(capture.exchanges.map(\.url.string) == kept.map { urls[$0] })
    #expect(capture.losses.count == (kept.count == 4 ? 1 : 2))
  }

  @Test func noExchangeWithTheHostsIsAnError() throws {
    var capture = try Self.capture((0..<9).map { "http://h\($0).example/" })
    let mistake = #expect(throws: InvalidInput.self) { try capture.keep(hosts: [Glob("x")]) }
    #expect(
      mistake?.description
        == "the recording has no request to these hosts: its hosts are h0.example, h1.example, h2.example, h3.example, h4.example and 4 more"
    )
  }

  @Test func largeResponsesAreLeftOut() throws {
    var capture = try Self.capture(["http://a.example/film?x=1"], bytes: 17 << 20)
    capture.exchanges += try Self.capture(["http://a.example/"]).exchanges
    try capture.keep(hosts: [])
    #expect(capture.exchanges.map(\.url.path) == ["/"])
    #expect(capture.losses.last == "responses of more than 16 MiB; skipped: http://a.example/film")
    var many = try Self.capture((0..<9).map { "http://a.example/\($0)" }, bytes: 15 << 20)
    try many.keep(hosts: [])
    #expect(many.exchanges.count == 4)
  }

  /// The time grows little faster than the number of exchanges.
  @Test(.heavy) func theCostOfALongRecordingIsBounded() throws {
    let growth = try costGrowth { count in
      var capture = try Self.capture((0..<count).map { "http://a.example/\($0)" })
      let start = threadTime()
      try capture.keep(hosts: [])
      return threadTime() - start
    }
    #expect(growth < 24, "\(growth) times as much")
  }
}
