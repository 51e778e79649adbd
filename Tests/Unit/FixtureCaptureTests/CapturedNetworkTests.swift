import FixtureReplay
import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import FixtureCapture

/// Exchanges expressed as a fixture.
@Suite struct CapturedNetworkTests {
  private static func exchange(
    _ url: String, _ received: String? = nil, _ ending: WireRecord.Ending = .finished,
    reason: ReasonCode? = nil, detail: String = "", address: String? = nil, method: String = "GET"
  ) throws -> RecordedExchange {
    let url = try ProbeURL(url)
    return RecordedExchange(
      url: url, method: method,
      wire: received.map { WireRecord(received: Array($0.utf8), ending: ending) },
      failure: reason.map { RecordedExchange.Failure($0, detail) },
      remoteAddress: address.flatMap { IPAddress($0) }.map { SocketAddress($0, port: url.port ?? 0) })
  }

  private static let whole = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  @Test func endingsAreReportedAsTheyWere() throws {
    let network = CapturedNetwork([
      try Self.exchange("http://a.example/", Self.whole, .finished),
      try Self.exchange("http://b.example/", Self.whole, .open),
      try Self.exchange("http://c.example/", "HTTP/1.1 200 OK\r\n", .reset, reason: .connectReset),
      try Self.exchange("http://d.example/", "HTTP/1.1 200 OK\r\n\r\nhalf", .open, reason: .bodyTimeout),
      try Self.exchange("http://e.example/", "", .finished, reason: .httpNoResponse),
      try Self.exchange("http://f.example/", "", .open, reason: .responseTimeout),
    ])
    #expect(network.routes.map(\.end) == [.fin, .keep, .rst, .hold, .fin, .hold])
    #expect(network.routes.map { $0.file != nil } == [true, true, true, true, false, false])
    #expect(network.remarks == [])
    #expect(network.routeOfExchange == [0, 1, 2, 3, 4, 5])
  }

  @Test func anUnfinishedResponseIsReported() throws {
    let network = CapturedNetwork([
      try Self.exchange("http://a.example/", "HTTP/1.1 200 OK\r\n\r\nand on", .open)
    ])
    #expect(network.routes.first?.end == .hold)
    #expect(
      network.remarks == [
        "the response of http://a.example/ is longer than the limit: its first 25 bytes are kept"
      ])
  }

  @Test(arguments: [
    (ReasonCode.certificateExpired, "", TLSMode.expired), (.certificateNotYetValid, "", .notYetValid),
    (.certificateSelfSigned, "", .selfSigned), (.certificateUntrusted, "", .untrusted),
    (.certificateWrongHost, "", .wrongHost), (.notTLS, "", .plainHTTP), (.tlsTimeout, "", .stall),
    (.connectReset, "the connection was reset during the TLS handshake", .rst),
    (.tlsHandshake, "the server refused the TLS handshake: alert protocol version", .alertProtocolVersion),
    (.tlsHandshake, "the server refused the TLS handshake: alert unrecognized name", .alertUnrecognizedName),
    (.tlsHandshake, "the server ended the connection during the TLS handshake", .fin),
  ])
  func aTLSFailureIsAMode(_ reason: ReasonCode, _ detail: String, _ mode: TLSMode) throws {
    let network = CapturedNetwork([
      try Self.exchange("https://a.example/", reason: reason, detail: detail),
      try Self.exchange("https://b.example/", Self.whole),
    ])
    #expect(network.tls.map(\.host) == ["a.example"])
    #expect(network.tls.map(\.mode) == [mode])
    #expect(network.routes.map(\.url.host) == ["b.example"])
    #expect(network.listeners.isEmpty)
    #expect(network.remarks == [])
  }

  @Test func aListenerThatRefusesAllConnectionsIsClosed() throws {
    let network = CapturedNetwork([
      try Self.exchange("https://a.example/", reason: .connectRefused),
      try Self.exchange("https://b.example/", reason: .connectRefused),
      try Self.exchange("http://a.example/", reason: .connectTimeout),
      try Self.exchange("http://nowhere.example/", reason: .noSuchHost),
    ])
    #expect(network.listeners == [.https: .refused, .http: .blackhole])
    #expect(network.routes.isEmpty)
    #expect(network.dns.map(\.answer) == [.nxdomain])
    #expect(network.remarks == [])
  }

  @Test func aListenerThatRefusesSomeConnectionsIsReported() throws {
    let network = CapturedNetwork([
      try Self.exchange("http://a.example/", reason: .connectRefused),
      try Self.exchange("http://b.example/", Self.whole),
    ])
    #expect(network.listeners.isEmpty)
    #expect(network.routes.map(\.end) == [.rst, .fin])
    #expect(
      network.remarks == [
        "http://a.example/ failed with connect.refused, which a fixture cannot express for one host: the route has "
          + "end: rst"
      ])
  }

  @Test func theAddressesOfNamesAreKept() throws {
    let network = CapturedNetwork([
      try Self.exchange("http://a.example/", Self.whole, address: "192.0.2.7"),
      try Self.exchange("http://b.example/", reason: .dnsFailure),
      try Self.exchange("http://c.example/", reason: .resolveTimeout),
      try Self.exchange("http://192.0.2.9/", Self.whole, address: "192.0.2.9"),
      try Self.exchange("http://d.example/", Self.whole),
    ])
    #expect(network.dns.map(\.host) == ["a.example", "b.example", "c.example"])
    #expect(
      network.dns.map(\.answer) == [.address(try #require(IPAddress("192.0.2.7"))), .servfail, .timeout])
  }

  @Test func narrowerRoutesComeFirst() throws {
    let network = CapturedNetwork([
      try Self.exchange("http://a.example/", Self.whole),
      try Self.exchange("http://a.example/?q=1", Self.whole + "1"),
      try Self.exchange("http://a.example:8080/", Self.whole + "2"),
      try Self.exchange("http://a.example/", Self.whole + "3", method: "POST"),
    ])
    #expect(
      network.routes.map { "\($0.method ?? "any") \($0.url) \($0.namesPort)" } == [
        "POST http://a.example/ true", "any http://a.example/?q=1 true", "any http://a.example/ true",
        "any http://a.example:8080/ true",
      ])
    #expect(network.routeOfExchange == [2, 1, 3, 0])
  }

  @Test func portsAreNamedWhereAHostHasSeveral() throws {
    let network = CapturedNetwork(
      try [
        "http://a.example/1", "http://b.example/", "http://a.example/2", "http://a.example:8080/1",
        "http://a.example/3", "http://a.example:81/", "https://a.example/", "http://c.example:8080/",
      ].map { try Self.exchange($0, Self.whole) })
    #expect(
      network.routes.filter(\.namesPort).map(\.url.string) == [
        "http://a.example/1", "http://a.example/2", "http://a.example:8080/1", "http://a.example/3",
        "http://a.example:81/", "http://c.example:8080/",
      ])
  }

  /// The cost grows linearly with the number of exchanges, for many hosts as well as for one.
  @Test(.heavy, arguments: ["http://hN.example/", "https://h.example/N", "http://h.example:1N/"])
  func theCostOfManyExchangesIsLinear(_ url: String) throws {
    let growth = try costGrowth { count in
      let exchanges = try (0..<count).map {
        try Self.exchange(url.replacing("N", with: "\($0)"), Self.whole, address: "192.0.2.1")
      }
      let start = threadTime()
      let network = CapturedNetwork(exchanges)
      defer { #expect(network.routes.count == count) }
      return threadTime() - start
    }
    #expect(growth < 24, "\(growth) times as much")
  }

  @Test func repeatedEqualRequestsAreOneRoute() throws {
    let same = try Self.exchange("http://a.example/", Self.whole)
    #expect(CapturedNetwork([same, same]).routes.count == 1)
    #expect(CapturedNetwork([same, same]).remarks == [])
    let other = try Self.exchange("http://a.example/", Self.whole + "!")
    let network = CapturedNetwork([same, other])
    #expect(network.routes.map(\.response) == [Array(Self.whole.utf8)])
    #expect(network.routeOfExchange == [0, 0])
    #expect(
      network.remarks == [
        "http://a.example/ was requested more than once, with different responses: the first one is kept"
      ])
  }
}
