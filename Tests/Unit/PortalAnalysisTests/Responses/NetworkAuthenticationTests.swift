import PortalAnalysis
import ProbeCore
import Testing

/// The login URL in responses with status 511, Network Authentication Required (RFC 6585 §6).
@Suite struct NetworkAuthenticationTests {
  @Test(arguments: [403, 404, 500, 503])
  func anErrorPageWithALinkIsNotAPortal(_ status: Int) throws {
    #expect(try TestResponse("<a href=http://192.0.2.1/>log in</a>", status: status).login() == nil)
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
  func aNetworkAuthenticationResponseHasTheLoginURL(
    _ body: String, _ expected: String, _ source: LoginURLSource
  ) throws {
    let response = TestResponse(body, status: 511, path: ["http://probe.example/a/b"])
    #expect(try response.login() == "\(source.rawValue) \(expected)")
  }

  @Test(arguments: ["http", "https"])
  func locationTakesPrecedenceWithStatus511(_ scheme: String) throws {
    let response = TestResponse(
      "<a href=/other>", status: 511, fields: [("Location", "/login")], path: ["\(scheme)://probe.example/"])
    #expect(try response.login() == "location \(scheme)://probe.example/login")
  }

  @Test func anUnusableLocationIsSkipped() throws {
    let response = TestResponse("<a href=/in>", status: 511, fields: [("Location", "javascript:x")])
    #expect(try response.login() == "body511 http://probe.example/in")
  }

  @Test func aHostileNetworkAuthenticationBodyIsAbandoned() throws {
    var body = "<a"
    for number in 0..<50_000 { body += " a\(number)" }
    #expect(
      try TestResponse(body + " href=/in>", status: 511).login() == "probeURL http://probe.example/check")
  }
}
