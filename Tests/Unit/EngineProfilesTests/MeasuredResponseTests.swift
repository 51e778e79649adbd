import BundledPlugins
import EngineProfiles
import ProbePipeline
import Testing

/// Malformed and unusual responses, with the verdicts of the engines themselves: NetworkManager 1.42.4, Firefox 153.7 ESR
/// and Chromium 156 were run in replayed networks with these responses; those of ConnMan 1.42 follow its source.
struct MeasuredResponseTests {
  typealias Ending = SimulatedNetwork.Ending
  typealias Row = EdgeCaseTests.Row

  private static func redirect(to locations: String...) -> Ending {
    .response(302, headers: locations.map { "Location: \($0)" }, body: "moved")
  }

  private static let online = "NetworkManager is online"
  private static let canonical =
    #"<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>"#

  static let rows = [
    // The first byte that differs determines the verdict, whatever follows.
    Row(
      "a body cut short", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nlog in",
      [
        "networkmanager": .captivePortal, "firefox-esr": .inconclusive, "chromium": .offline,
        "connman": .captivePortal,
      ]),
    Row(
      "the start of the text, cut short", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nNetworkM",
      ["networkmanager": .offline]),
    Row(
      "the text, cut short behind it", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n\(online)",
      ["networkmanager": .online]),
    Row(
      "no body of the announced one", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n",
      ["networkmanager": .offline, "firefox-esr": .inconclusive, "chromium": .offline]),
    Row(
      "two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabc",
      ["networkmanager": .captivePortal, "firefox-esr": .inconclusive, "chromium": .offline]),
    Row(
      "an invalid chunk behind a valid one",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n",
      [
        "networkmanager": .captivePortal, "firefox-esr": .inconclusive, "chromium": .offline,
        "connman": .offline,
      ]),
    // Nothing is decoded, and a header field is compared as a line.
    Row(
      "a body that is not gzip",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 6\r\n\r\nlog in",
      [
        "networkmanager": .captivePortal, "firefox-esr": .inconclusive, "chromium": .offline,
        "connman": .captivePortal,
      ]),
    Row(
      "the text behind a byte order mark", .response(200, body: "\u{FEFF}\(online)"),
      ["networkmanager": .captivePortal, "networkmanager-debian": .captivePortal]),
    Row(
      "the header line without a space", .response(204, headers: ["X-NetworkManager-Status:online"]),
      ["networkmanager": .captivePortal]),
    Row(
      "the header line with two spaces", .response(204, headers: ["X-NetworkManager-Status:  online"]),
      ["networkmanager": .captivePortal]),
    Row(
      "the header line with LF alone", "HTTP/1.1 204 No Content\nX-NetworkManager-Status: online\n\n",
      ["networkmanager": .captivePortal]),
    Row(
      "the header line of a response that breaks off",
      "HTTP/1.1 200 OK\r\nX-NetworkManager-Status: online\r\nContent-Le", ["networkmanager": .online]),
    Row(
      "ConnMan's header field in other case", .response(200, headers: ["x-connman-status: online"]),
      ["connman": .captivePortal]),
    // Heads.
    Row(
      "a head that breaks off", "HTTP/1.1 302 Found\r\nServer: portal\r\nLocation: http://portal.exa",
      ["networkmanager": .captivePortal, "firefox-esr": .captivePortal, "chromium": .offline]),
    Row(
      "a status line that breaks off", "HTTP/1.1 302 Fou",
      ["networkmanager": .offline, "connman": .captivePortal, "firefox-esr": .captivePortal]),
    Row(
      "a status line that breaks off before its status", "HTTP/1.1 ",
      [
        "networkmanager": .offline, "connman": .captivePortal, "firefox-esr": .inconclusive,
        "chromium": .offline,
      ]),
    Row(
      "a header line without a colon", "HTTP/1.1 200 OK\r\nno field\r\nContent-Length: 6\r\n\r\nlog in",
      ["networkmanager": .offline, "firefox-esr": .captivePortal, "chromium": .captivePortal]),
    Row(
      "a length that is no number", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nlog in",
      [
        "networkmanager": .offline, "firefox-esr": .captivePortal, "chromium": .captivePortal,
        "connman": .captivePortal,
      ]),
    Row(
      "a status below 100", "HTTP/1.1 99 Odd\r\nContent-Length: 6\r\n\r\nlog in",
      [
        "networkmanager": .offline, "firefox-esr": .inconclusive, "chromium": .offline,
        "connman": .inconclusive,
      ]),
    Row(
      "a head of 100 KB",
      "HTTP/1.1 200 OK\r\n\(String(repeating: "X: \(String(repeating: "x", count: 95))\r\n", count: 1000))\r\nlog in",
      ["networkmanager": .captivePortal, "firefox-esr": .captivePortal]),
    // HTTP/0.9.
    Row(
      "garbage", "\u{1}\u{2}\u{3} no status line here\r\n\r\n",
      [
        "networkmanager": .offline, "firefox-esr": .captivePortal, "chromium": .captivePortal,
        "connman": .captivePortal, "android": .offline,
      ]),
    Row("the canonical page without a head", .bytes(canonical), ["firefox-esr": .online]),
    Row(
      "an empty response", "",
      [
        "networkmanager": .offline, "firefox-esr": .inconclusive, "chromium": .offline,
        "connman": .captivePortal,
      ]),
    // Redirects that browsers do not follow.
    Row(
      "a redirect to a file", redirect(to: "file:///etc/passwd"),
      [
        "networkmanager": .captivePortal, "firefox-esr": .captivePortal, "chromium": .offline,
        "connman": .inconclusive,
      ]),
    Row(
      "a redirect to gopher", redirect(to: "gopher://portal.example/"),
      ["firefox-esr": .captivePortal, "chromium": .offline]),
    Row(
      "a redirect to about:blank", redirect(to: "about:blank"),
      ["firefox-esr": .captivePortal, "chromium": .offline]),
    Row(
      "a redirect to a script", redirect(to: "javascript:1"),
      ["firefox-esr": .captivePortal, "chromium": .offline]),
    Row(
      "a redirect to data", redirect(to: "data:text/html,x"),
      ["firefox-esr": .inconclusive, "chromium": .offline]),
    Row(
      "a redirect to a part of a URL", redirect(to: "http://["),
      ["firefox-esr": .inconclusive, "chromium": .offline]),
    Row(
      "a redirect to no host", redirect(to: "http:///"), ["firefox-esr": .inconclusive, "chromium": .offline]),
    Row("a redirect to slashes", redirect(to: "//"), ["firefox-esr": .inconclusive, "chromium": .offline]),
    Row(
      "a redirect to a host with a space", redirect(to: "http://a b/"),
      ["firefox-esr": .inconclusive, "chromium": .offline]),
    Row(
      "a redirect to a host with a sign", redirect(to: "http://a|b/"),
      ["firefox-esr": .inconclusive, "chromium": .offline]),
    Row(
      "a redirect to port 99999", redirect(to: "http://portal.example:99999/"),
      ["firefox-esr": .inconclusive, "chromium": .offline]),
    Row(
      "a redirect to port 65536", redirect(to: "http://portal.example:65536/"),
      ["firefox-esr": .inconclusive, "chromium": .offline]),
    Row(
      "a redirect to an IPv6 address", redirect(to: "http://[2001:db8::1]/login"),
      ["firefox-esr": .captivePortal]),
    Row(
      "an unfilled template", redirect(to: "http://$(HOST)/login?mac=$(MAC)"),
      ["firefox-esr": .captivePortal, "chromium": .offline, "networkmanager": .captivePortal]),
    Row(
      "another unfilled template", redirect(to: "http://{{host}}/login"),
      ["firefox-esr": .captivePortal, "chromium": .offline]),
    Row(
      "two locations", redirect(to: "http://portal.example/login", "http://portal.example/other"),
      ["firefox-esr": .inconclusive, "chromium": .offline, "networkmanager": .captivePortal]),
    Row(
      "the same location twice", redirect(to: "http://portal.example/login", "http://portal.example/login"),
      ["firefox-esr": .captivePortal, "chromium": .captivePortal]),
    Row(
      "an empty location", redirect(to: ""), ["firefox-esr": .captivePortal, "chromium": .captivePortal]),
    Row("no location", redirect(), ["firefox-esr": .captivePortal, "chromium": .captivePortal]),
    // Statuses that ConnMan has no case for.
    Row("304", .response(304), ["connman": .inconclusive]),
    Row("399", .response(399, body: "log in"), ["connman": .inconclusive]),
    Row("300 without a location", .response(300, body: "log in"), ["connman": .captivePortal]),
    Row("408", .response(408), ["connman": .inconclusive]),
    Row(
      "a WISPr message of another type",
      .response(
        200,
        body:
          "<WISPAccessGatewayParam><Proxy><MessageType>110</MessageType></Proxy></WISPAccessGatewayParam>"),
      ["connman": .inconclusive]),
  ]

  @Test(arguments: rows) func verdictsMatchTheMeasurements(_ row: Row) async throws {
    for (engine, verdict) in row.verdicts.sorted(by: { $0.key < $1.key }) {
      var network = try SimulatedNetwork()
      for url in try EngineProfile.urls(of: engine) {
        try network.add(url, url.hasPrefix("https:") ? .tlsError : row.ending)
      }
      try network.add("http://portal.example/login", .response(200, body: "log in"))
      let judgement = try await Judgement(of: engine, in: network)
      #expect(judgement.verdict == verdict, "\(engine): \(judgement.result.evidence.map(\.summary))")
    }
  }

  /// A long body represents an endless one.
  ///
  /// A browser waits for its end until the timeout, but NetworkManager
  /// does not.
  @Test func anOversizedBodyIsNotAPortalForBrowsers() async throws {
    let body = String(repeating: "x", count: 5 << 20)
    for (engine, verdict) in [
      ("firefox-esr", Verdict.inconclusive), ("chromium", .offline), ("networkmanager", .captivePortal),
      ("connman", .inconclusive),
    ] {
      let url = try #require(EngineProfile.urls(of: engine).first)
      let judgement = try await Judgement(of: engine, in: SimulatedNetwork([url: .response(200, body: body)]))
      #expect(judgement.verdict == verdict, "\(engine)")
    }
  }

  /// ConnMan follows a redirect, unless its body has a WISPr message.
  @Test func connManReadsTheBodyOfARedirectFirst() async throws {
    let wispr = """
      <WISPAccessGatewayParam><Redirect><MessageType>100</MessageType>
      <LoginURL>https://aaa.example/login</LoginURL></Redirect></WISPAccessGatewayParam>
      """
    let url = try #require(EngineProfile.urls(of: "connman").first)
    let location = "Location: http://portal.example/login"
    var network = try SimulatedNetwork([url: .response(302, headers: [location], body: wispr)])
    try network.add("http://portal.example/login", .response(404))
    let judgement = try await Judgement(of: "connman", in: network)
    #expect(judgement.verdict == .captivePortal)
    #expect(judgement.loginURL == "https://aaa.example/login")
    #expect(judgement.requests == [url])
    var plain = try SimulatedNetwork([url: .response(302, headers: [location], body: "moved")])
    try plain.add("http://portal.example/login", .response(404))
    #expect(try await Judgement(of: "connman", in: plain).verdict == .offline)
  }
}

extension EdgeCaseTests.Row {
  fileprivate init(_ name: String, _ ending: EdgeCaseTests.Ending, _ verdicts: [String: Verdict]) {
    self.init(name: name, ending: ending, verdicts: verdicts)
  }

  fileprivate init(_ name: String, _ bytes: String, _ verdicts: [String: Verdict]) {
    self.init(name: name, ending: .bytes(bytes), verdicts: verdicts)
  }
}
