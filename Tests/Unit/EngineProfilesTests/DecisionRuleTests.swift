import EngineProfiles
import FixtureReplay
import ProbeCore
import ProbePipeline
import Testing

/// Decision rules of NetworkManager, ConnMan, Windows, Firefox and Apple that the table of edge cases does
/// not cover.
struct DecisionRuleTests {
  typealias Ending = SimulatedNetwork.Ending

  private static func judgement(
    _ engine: String, _ ending: Ending, _ change: (inout SimulatedNetwork) throws -> Void = { _ in }
  ) async throws -> Judgement {
    var network = try SimulatedNetwork()
    for url in try EngineProfile.urls(of: engine) { try network.add(url, ending) }
    try change(&network)
    return try await Judgement(of: engine, in: network)
  }

  @Test(arguments: [
    ("networkmanager", "NetworkManager is online\n"),
    ("networkmanager-debian", "NetworkManager is online, and more"),
    ("networkmanager-arch", "NetworkManager is online\n"),
    ("networkmanager-kde", "NetworkManager is online\n"),
    ("networkmanager-fedora", "OK"),
  ])
  func networkManagerComparesOnlyTheStartOfTheText(_ engine: String, _ body: String) async throws {
    #expect(try await Self.judgement(engine, .response(200, body: body)).verdict == .online)
    #expect(try await Self.judgement(engine, .response(404, body: body)).verdict == .online)
    #expect(try await Self.judgement(engine, .response(200, body: " " + body)).verdict == .captivePortal)
  }

  @Test(arguments: ["X-NetworkManager-Status: online", "x-networkmanager-status: ONLINE"])
  func networkManagerAcceptsItsHeaderField(_ field: String) async throws {
    for engine in ["networkmanager", "networkmanager-ubuntu"] {
      #expect(try await Self.judgement(engine, .response(204, headers: [field])).verdict == .online)
      #expect(try await Self.judgement(engine, .response(204)).verdict == .captivePortal)
    }
  }

  /// Plasma up to 6.2 opens a page of KDE, whatever NetworkManager probes.
  @Test(arguments: [Ending.redirect, .content(9), .response(403, body: "log in")])
  func plasmaOpensItsOwnPage(_ ending: Ending) async throws {
    let judgement = try await Self.judgement("networkmanager-kde", ending)
    #expect(judgement.verdict == .captivePortal)
    #expect(judgement.loginURL == "http://networkcheck.kde.org")
    #expect(judgement.requests == ["http://network-test.debian.org/nm"])
  }

  @Test func networkManagerWithoutATextAcceptsAnEmptyResponse() async throws {
    let profile = try #require(EngineProfile.named("networkmanager"))
    let empty = profile.text.replacing(
      "- when: { partial: { startsWith: NetworkManager is online } }",
      with: "- when: { any: [{ status: 204 }, { all: [{ status: 200 }, { size: 0 }] }] }")
    #expect(empty != profile.text)
    let url = try #require(EngineProfile.urls(of: "networkmanager").first)
    for (ending, verdict) in [
      (Ending.noContent, Verdict.online), (.content(0), .online), (.content(1), .captivePortal),
      (.content(102_401), .captivePortal),
    ] {
      #expect(
        try await Judgement(running: empty, in: SimulatedNetwork([url: ending])).verdict == verdict,
        "\(ending)")
    }
  }

  @Test func connManReadsItsHeaderFieldAndWISPr() async throws {
    let status = Ending.response(200, headers: ["X-ConnMan-Status: online"], body: "x")
    #expect(try await Self.judgement("connman", status).verdict == .online)
    let wispr = """
      <!-- <?xml version="1.0"?><WISPAccessGatewayParam><Redirect><MessageType>100</MessageType>
      <ResponseCode>0</ResponseCode><LoginURL>https://aaa.example/login</LoginURL></Redirect></WISPAccessGatewayParam> -->
      """
    let portal = try await Self.judgement("connman", .response(200, body: wispr))
    #expect(portal.verdict == .captivePortal)
    #expect(portal.loginURL == "https://aaa.example/login")
    let behind = try await Self.judgement("connman", .redirect) {
      try $0.add("http://portal.example/login", status)
    }
    #expect(behind.verdict == .online)
  }

  @Test func windowsRequiresTheTextAndTheAddress() async throws {
    let text = Ending.response(200, body: "Microsoft Connect Test")
    for (dns, verdict) in [
      (nil, Verdict.online), ("131.107.255.255", .online), ("192.0.2.1", .offline),
    ] {
      let judgement = try await Self.judgement("windows", text) { network in
        if let dns { network.dns = ["dns.msftncsi.com": .address(try #require(IPAddress(dns)))] }
      }
      #expect(judgement.verdict == verdict, "\(dns ?? "nothing")")
    }
    let unknown = try await Self.judgement("windows", text) { $0.dns = ["dns.msftncsi.com": .nxdomain] }
    #expect(unknown.verdict == .offline)
    #expect(try await Self.judgement("windows", .response(404)).verdict == .offline)
  }

  /// ConnMan reads a WISPr message as XML, up to the first error.
  ///
  /// The results are those of ConnMan 1.42 itself, with status 403, which has no other effect.
  @Test(arguments: [
    ("", #"<LoginURL>https://p.example/l?a=1&amp;b=2</LoginURL>"#, true),
    ("", "<LoginURL>https://p.example/l?a=1&b=2</LoginURL>", false),
    ("", "<LoginURL><![CDATA[https://p.example/l?a=1&b=2]]></LoginURL>", true),
    ("", "<!-- a & b --><AccessLocation/>", true),
    (#" xmlns:a="http://a/" b = 'c'"#, "", true), ("\n", "", true), (#" a="x&y""#, "", false),
    (#" a="&lt;""#, "", true),
    (#" a=\"b\""#, "", false), (" a=b", "", false), (" a", "", false),
  ])
  func connManReadsAMessageUpToTheFirstError(_ attributes: String, _ start: String, _ isRead: Bool)
    async throws
  {
    let type = "<MessageType>100</MessageType>"
    for (message, isPortal) in [
      (start + type, isRead), (type + start, isRead || attributes.isEmpty),
      ("</WISPAccessGatewayParam><WISPAccessGatewayParam\(attributes)>" + start + type, isRead),
    ] {
      let body =
        "<!--<WISPAccessGatewayParam\(attributes)><Redirect>\(message)</Redirect></WISPAccessGatewayParam>-->"
      let judgement = try await Self.judgement("connman", .response(403, body: body))
      #expect(judgement.verdict == (isPortal ? .captivePortal : .inconclusive), "\(body)")
      // Without a message, a page is a portal, and ConnMan opens its own URL.
      let page = try await Self.judgement("connman", .response(200, body: body))
      #expect(page.verdict == .captivePortal, "\(body)")
      let own = try #require(EngineProfile.urls(of: "connman").first)
      if !isPortal { #expect(page.loginURL == own) }
    }
  }

  /// Whatever a portal sends, Windows opens a page of its own, and the portal intercepts the request for it.
  @Test(arguments: [
    Ending.redirect, .response(302), .response(307, headers: ["Location: https://portal.example/?a=b"]),
    .response(302, headers: ["Location: http://127.0.0.1/"]), .content(9),
    .response(200, body: "<meta http-equiv=refresh content='0;url=http://portal.example/'>"),
  ])
  func windowsOpensItsOwnPage(_ ending: Ending) async throws {
    let judgement = try await Self.judgement("windows", ending)
    #expect(judgement.verdict == .captivePortal)
    #expect(judgement.loginURL == "http://www.msftconnecttest.com/redirect")
    #expect(!judgement.requests.contains("http://www.msftconnecttest.com/redirect"))
  }

  @Test func firefoxESRRequiresAnExactMatch() async throws {
    let page = #"<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>"#
    #expect(try await Self.judgement("firefox-esr", .response(200, body: page)).verdict == .online)
    #expect(
      try await Self.judgement("firefox-esr", .response(200, body: page + "\n")).verdict == .captivePortal)
    #expect(try await Self.judgement("firefox-esr", .response(304)).verdict == .captivePortal)
    let busy = try await Self.judgement("firefox-esr", .response(503))
    #expect(busy.verdict == .inconclusive)
    #expect(busy.requests.count == 6)
  }

  @Test func appleTreatsOtherResponsesAsAPortal() async throws {
    let page = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
    #expect(try await Self.judgement("apple", .response(200, body: page + "\n")).verdict == .online)
    let error = try await Self.judgement("apple", .response(500))
    #expect(error.verdict == .captivePortal)
    #expect(error.loginURL == "http://captive.apple.com/hotspot-detect.html")
  }
}
