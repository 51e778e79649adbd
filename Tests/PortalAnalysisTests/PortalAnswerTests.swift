import PortalAnalysis
import ProbeCore
import Testing

@Suite struct PortalAnswerTests {
  @Test(arguments: [
    ("http://probe.example/", "http://192.0.2.1:3990/prelogin", "http://192.0.2.1:3990/prelogin"),
    ("http://probe.example/", "https://portal.example/", "https://portal.example/"),
    ("http://probe.example/", "//portal.example/a", "http://portal.example/a"),
    ("http://www.probe.example/", "http://other.probe.example/", "http://other.probe.example/" as String?),
    // On the host itself only where the address says what it is for.
    ("http://probe.example/", "/login", "http://probe.example/login"),
    // On the host itself, or leading where no browser goes.
    ("http://probe.example/", "/other", nil),
    ("http://probe.example/", "https://www.probe.example/", nil),
    ("http://probe.example/", "http://login.probe.example/", nil),
    ("http://probe.example/", "javascript:alert(1)", nil),
    ("http://probe.example/", "data:text/html,x", nil),
    ("http://probe.example/", "file:///etc/passwd", nil),
    ("http://probe.example/", "ftp://192.0.2.1/", nil),
    ("http://probe.example/", "http://", nil),
    // A verified server's own doing.
    ("https://probe.example/", "http://192.0.2.1/", nil),
  ])
  func aRedirectOffTheHostLeadsToThePortal(_ url: String, _ location: String, _ expected: String?) throws {
    let portal = try portal(status: 302, fields: ["Location": location], at: url)
    #expect(portal?.loginURL.string == expected)
    #expect(portal?.source == (expected == nil ? nil : .location))
  }

  @Test func theFirstRedirectOffTheHostCountsWhateverFollowed() throws {
    let url = try ProbeURL("http://probe.example/")
    let hops = try [
      ("http://probe.example/", "https://probe.example/"),
      ("https://probe.example/", "https://elsewhere.example/"),
      ("http://elsewhere.example/", "http://192.0.2.1/first"),
      ("http://192.0.2.1/first", "http://192.0.2.1/second"),
    ].map { from, to in
      RedirectHop(url: try ProbeURL(from), status: 302, location: to, target: try ProbeURL(to))
    }
    let answer = ProbeResponse(
      url: try ProbeURL("http://192.0.2.1/second"), head: HTTPResponseHead(status: 200), redirects: hops)
    #expect(
      AnswerAnalysis(of: answer, asked: url, encryption: encryption).portal?.loginURL.string
        == "http://192.0.2.1/first")
  }

  @Test(arguments: [403, 404, 500, 503])
  func anErrorWithALinkShowsNoPortal(_ status: Int) throws {
    let body = "<a href=http://192.0.2.1/>log in</a>"
    #expect(try portal(status: status, body: body, at: "http://probe.example/") == nil)
  }

  @Test(arguments: [
    // RFC 6585 §6 shows this page.
    (
      """
      <html><head><title>Network Authentication Required</title>
      <meta http-equiv="refresh" content="0; url=https://login.example.net/"></head>
      <body><p>You need to <a href="https://other.example.net/">authenticate</a></p></body></html>
      """, "https://login.example.net/", LoginURLSource.body511
    ),
    ("<META CONTENT='0;URL=login' HTTP-EQUIV='Refresh'>", "http://probe.example/a/login", .body511),
    ("<base href='http://192.0.2.1/x/'><a href=login>in</a>", "http://192.0.2.1/x/login", .body511),
    ("<a href=login>in</a><base href='http://192.0.2.1/x/'>", "http://192.0.2.1/x/login", .body511),
    ("<base href='javascript:x'><a href=login>in</a>", "http://probe.example/a/login", .body511),
    (
      "<a name=top></a><a href=#top>t</a><a href='javascript:go()'>x</a><a href=mailto:a@b>m</a><area href=/in>",
      "http://probe.example/in", .body511
    ),
    (
      "<meta http-equiv=refresh content='0;url=data:text/html,x'><a href=/in>in</a>",
      "http://probe.example/in", .body511
    ),
    ("<a href='http://user:secret@192.0.2.1/'>in</a>", "http://192.0.2.1/", .body511),
    ("<a href='http://192.0.2.1/?a=1&amp;b=2'>in</a>", "http://192.0.2.1/?a=1&b=2", .body511),
    ("<a href=javascript:x>x</a>", "http://probe.example/a/b", .probeURL),
    ("<meta http-equiv=refresh content=5>", "http://probe.example/a/b", .probeURL),
    ("", "http://probe.example/a/b", .probeURL),
    ("\0\0\0", "http://probe.example/a/b", .probeURL),
    ("{\"login\": \"http://192.0.2.1/\"}", "http://probe.example/a/b", .probeURL),
  ])
  func aNetworkAuthenticationAnswerSaysWhereToLogIn(
    _ body: String, _ expected: String, _ source: LoginURLSource
  ) throws {
    let portal = try portal(status: 511, body: body, at: "http://probe.example/a/b")
    #expect(portal?.loginURL.string == expected)
    #expect(portal?.source == source)
  }

  @Test(arguments: ["http", "https"])
  func theLocationOfANetworkAuthenticationAnswerComesFirst(_ scheme: String) throws {
    let portal = try portal(
      status: 511, fields: ["Location": "/login"], body: "<a href=/other>", at: "\(scheme)://probe.example/")
    #expect(portal?.loginURL.string == "\(scheme)://probe.example/login")
    #expect(portal?.source == .location)
  }

  @Test func aLocationThatLeadsNowhereIsPassedOver() throws {
    let portal = try portal(
      status: 511, fields: ["Location": "javascript:x"], body: "<a href=/in>", at: "http://probe.example/")
    #expect(portal?.loginURL.string == "http://probe.example/in")
    #expect(portal?.source == .body511)
  }

  @Test func aHostileNetworkAuthenticationBodyIsGivenUp() throws {
    var body = "<a"
    for number in 0..<50_000 { body += " a\(number)" }
    let portal = try portal(status: 511, body: body + " href=/in>", at: "http://probe.example/")
    #expect(portal?.source == .probeURL)
  }

  @Test func theSourcesAreThoseOfTheReportFormat() {
    #expect(
      Set(LoginURLSource.allCases.map(\.rawValue)) == [
        "location", "body511", "metaRefresh", "javascript", "wispr", "capport", "form", "link", "probeURL",
      ])
  }

  private func portal(
    status: Int, fields: HeaderFields = [:], body: String = "", at text: String
  ) throws -> Portal? {
    let url = try ProbeURL(text)
    let head = HTTPResponseHead(status: status, fields: fields)
    let answer = ProbeResponse(
      url: url, head: head, body: Array(body.utf8),
      redirects: RedirectHop(of: head, from: url).map { [$0] } ?? [])
    return AnswerAnalysis(of: answer, asked: url, encryption: encryption).portal
  }

  private func encryption(_ scheme: URLScheme) -> Encryption? {
    switch scheme {
    case .http: .plaintext
    case .https: .encrypted
    default: nil
    }
  }
}
