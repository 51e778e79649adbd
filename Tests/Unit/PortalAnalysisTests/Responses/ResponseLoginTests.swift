import ProbeCore
import TestRequirements
import Testing

@testable import PortalAnalysis

/// Short responses of portals, each with one way to specify the login URL.
@Suite struct ResponseLoginTests {
  static let form =
    "<form action=/auth method=post><input name=username><input type=password name=password><button>Log in</button></form>"
  static let redirect = """
    <WISPAccessGatewayParam><Redirect><MessageType>100</MessageType><ResponseCode>0</ResponseCode>
    <LoginURL>https://portal.example/wispr</LoginURL></Redirect></WISPAccessGatewayParam>
    """

  @Test(arguments: [
    // The page that contains the form is the one to open.
    (form, "probeURL http://probe.example/check"),
    (
      "<form action=http://portal.example/auth><input type=password></form>",
      "form http://portal.example/auth"
    ),
    (
      "<form><input type=password><button formaction=http://portal.example/auth>Log in</button></form>",
      "form http://portal.example/auth"
    ),
    (
      "<form action=/in><input type=password><button formaction=/guest>Log in</button></form>",
      "probeURL http://probe.example/check"
    ),
    (
      "<form action=/in><input type=password><button>Log in</button><button formaction=/logout>End</button></form>",
      "probeURL http://probe.example/check"
    ),
    (
      "<meta http-equiv=refresh content='0;url=http://portal.example/in'>",
      "metaRefresh http://portal.example/in"
    ),
    (
      "<noscript><meta http-equiv=refresh content='0;url=//10.0.0.1/in'></noscript>",
      "metaRefresh http://10.0.0.1/in"
    ),
    ("<script>location.replace('http://portal.example/in')</script>", "javascript http://portal.example/in"),
    ("<body onload=\"location='http://portal.example/in'\">", "javascript http://portal.example/in"),
    (
      "<script>document.write('<meta http-equiv=refresh content=0;url=http://portal.example/in>')</script>",
      "metaRefresh http://portal.example/in"
    ),
    (
      "<body><script>f = document.createElement('form'); f.method = 'post'; f.action = 'http://portal.example/in'; "
        + "document.body.appendChild(f); f.submit()</script>",
      "javascript http://portal.example/in"
    ),
    (
      "<input type=hidden id=u value=http://portal.example/in><script>location = document.getElementById('u').value</script>",
      "javascript http://portal.example/in"
    ),
    // The script computes the target, so the requested URL is offered; a partly known target never is.
    ("<script>location = choose(portals)</script>", "probeURL http://probe.example/check"),
    (
      "<script>location = 'http://portal.example/in?mac=' + mac</script>",
      "probeURL http://probe.example/check"
    ),
    (
      "<script>location = 'http://portal.example/' + id</script><a href=http://portal.example/login>Log in</a>",
      "link http://portal.example/login"
    ),
    ("<frameset><frame src=http://192.168.0.1/login></frameset>", "link http://192.168.0.1/login"),
    (
      "<p>Welcome to our wifi.</p><a href=http://portal.example/login>Log in</a>",
      "link http://portal.example/login"
    ),
    ("<!-- \(redirect) -->", "wispr https://portal.example/wispr"),
    (redirect, "wispr https://portal.example/wispr"),
    // Relative to the base, wherever that appears.
    (
      "<meta http-equiv=refresh content='0;url=login'><base href=http://portal.example/x/>",
      "metaRefresh http://portal.example/x/login"
    ),
    // The more reliable source wins, regardless of the order.
    (
      "<a href=http://a.example/login>Log in</a><meta http-equiv=refresh content='0;url=http://b.example/login'>",
      "metaRefresh http://b.example/login"
    ),
    (
      "<meta http-equiv=refresh content='0;url=http://a.example/login'>\(redirect)",
      "wispr https://portal.example/wispr"
    ),
  ])
  func theLoginURLOfAPageIsFound(_ body: String, _ expected: String) throws {
    let response = TestResponse(body)
    #expect(try response.analysis().kind == .login)
    #expect(try response.login() == expected)
  }

  /// The path is in UTF-8 whatever the page's charset, and encoded characters are kept.
  @Test(arguments: [
    ("<meta http-equiv=refresh content='0;url=", "'>", "metaRefresh"),
    ("<script>location = '", "'</script>", "javascript"),
    ("<a href='", "'>Login</a>", "link"), ("<form action='", "'><input type=password></form>", "form"),
  ])
  func aQueryIsInTheCharsetOfThePage(_ start: String, _ end: String, _ source: String) throws {
    var response = TestResponse(fields: [("Content-Type", "text/html; charset=windows-1251")])
    let reference =
      Array("http://portal.example/login/".utf8) + [0xE2] + Array("?n=".utf8) + [0xC2, 0xF5]
      + Array("&m=%D0".utf8)
    response.body = Array(start.utf8) + reference + Array(end.utf8)
    #expect(try response.login() == "\(source) http://portal.example/login/%D0%B2?n=%C2%F5&m=%D0")
  }

  @Test(arguments: [
    ("Location: http://portal.example/login?n=", "", "location"),
    ("Refresh: 0;url=http://portal.example/login?n=", "", "metaRefresh"),
    ("Link: <http://portal.example/login?n=", ">; rel=login", "link"),
  ])
  func headerFieldBytesAreKeptInTheURL(_ start: String, _ end: String, _ source: String) throws {
    let line = Array("HTTP/1.1 200 OK\r\n\(start)".utf8) + [0xBE, 0xA9] + Array("\(end)\r\n".utf8)
    var response = TestResponse("<title>Guest Wi-Fi</title><p>Log in to the hotspot.</p>")
    response.fields = try #require(HTTPResponseHead(wireBytes: line)).fields
    #expect(try response.login() == "\(source) http://portal.example/login?n=%BE%A9")
  }

  @Test(arguments: [
    ([("Refresh", "0; url=http://portal.example/in")], "metaRefresh http://portal.example/in"),
    ([("Location", "http://portal.example/login")], "location http://portal.example/login"),
    ([("Link", "</login>; rel=\"captive-portal\"")], "link http://probe.example/login"),
    (
      [("Link", "<http://portal.example/login>; rel=login"), ("Refresh", "0;url=http://portal.example/in")],
      "metaRefresh http://portal.example/in"
    ),
  ])
  func headerFieldsSpecifyTheLoginURL(_ fields: [(String, String)], _ expected: String) throws {
    #expect(try TestResponse("<title>Guest wifi login</title>", fields: fields).login() == expected)
  }

  @Test(arguments: [
    ("", 511, true), (redirect, 200, true), (redirect, 302, true), (form, 200, false),
    ("<meta http-equiv=refresh content='0;url=http://portal.example/login'>", 200, false),
  ])
  func onlyAProtocolStatesALogin(_ body: String, _ status: Int, _ isStated: Bool) throws {
    #expect(try TestResponse(body, status: status).analysis().isStated == isStated)
  }

  @Test(arguments: [120, 130, 140, 150, 110])
  func otherGatewayMessagesAreNotLoginRedirects(_ type: Int) throws {
    let analysis = try TestResponse(Self.redirect.replacing("100", with: "\(type)")).analysis()
    #expect(!analysis.isStated)
    #expect(analysis.portal?.source != .wispr)
    #expect(analysis.portal?.loginURL.string != "https://portal.example/wispr")
  }

  @Test func theGatewaysMessageIsKept() throws {
    let text = Self.redirect.replacing(
      "<LoginURL>", with: "<LocationName>Hotel &amp; Bar</LocationName><LoginURL>")
    #expect(try TestResponse(text).analysis().portal?.wispr?.locationName == "Hotel & Bar")
  }

  @Test(arguments: [
    (
      "{\"captive\":true,\"user-portal-url\":\"https://portal.example/\"}",
      "capport https://portal.example/" as String?
    ),
    ("{\"captive\":true}", "probeURL http://probe.example/check"), ("{\"captive\":false}", nil),
    ("{\"captive\":true,\"user-portal-url\":\"javascript:x\"}", "probeURL http://probe.example/check"),
  ])
  func anAPIDocumentStatesALogin(_ body: String, _ expected: String?) throws {
    var response = TestResponse(body)
    response.fields = ["Content-Type": "application/captive+json"]
    #expect(try response.login() == expected)
    #expect(try response.analysis().isStated == (expected != nil))
  }

  @Test(arguments: [
    ("<meta http-equiv=refresh content='0;url=http://10.0.0.1/x'>", [], true),
    ("<script>location='http://login.lan/'</script>", [], true),
    ("", ["http://probe.example/", "http://192.168.1.1/"], true),
    ("<meta http-equiv=refresh content='0;url=http://portal.example/login'>", [], false),
    // The user has to press something.
    ("<p>wifi login</p><a href=http://10.0.0.1/login>Log in</a>", [], false),
    ("<p>wifi login</p><a onclick=\"location='http://10.0.0.1/login'\">Log in</a>", [], false),
    (form, [], false),
  ])
  func automaticRedirectsToTheLocalNetworkAreReported(_ body: String, _ path: [String], _ isLocal: Bool)
    throws
  {
    let analysis = try TestResponse(body, path: path).analysis()
    #expect(analysis.kind == .login)
    #expect(analysis.isLocal == isLocal)
  }

  /// Legacy charsets, declared or not.
  @Test(
    arguments: [
      (
        "text/html; charset=windows-1251",
        [0xC2, 0xE2, 0xE5, 0xE4, 0xE8, 0xF2, 0xE5, 0x20, 0xEF, 0xE0, 0xF0, 0xEE, 0xEB, 0xFC]
      ),
      ("text/html", [0xC2, 0xE2, 0xE5, 0xE4, 0xE8, 0xF2, 0xE5, 0x20, 0xEF, 0xE0, 0xF0, 0xEE, 0xEB, 0xFC]),
      (
        "text/html; charset=utf-16le",
        Array(
          "\u{412}\u{432}\u{435}\u{434}\u{438}\u{442}\u{435} \u{43F}\u{430}\u{440}\u{43E}\u{43B}\u{44C}".utf16
            .flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
      ),
    ] as [(String, [UInt8])])
  func textIsReadInItsCharset(_ type: String, _ text: [UInt8]) throws {
    var received = TestResponse()
    received.fields = ["Content-Type": type]
    received.body = text
    let response = ProbeResponse(
      url: try ProbeURL("http://probe.example/"),
      head: HTTPResponseHead(status: 200, fields: received.fields),
      body: received.body)
    let facts = ResponseFacts(response, requestedURL: response.url) { _ in .plaintext }
    #expect(facts.words.all[.login].distinct > 0)
  }

  /// Of several forms, the one that a guest fills in.
  @Test(arguments: [
    // Fields that only a login has, before an e-mail address on another host.
    (
      "<form action=//news.example/join><input type=email name=email><button>Join</button></form>" + form,
      "/check"
    ),
    // A hidden form, and one in a template.
    (
      "<form style='display:none' action=//evil.example/in?mac=x><input name=username></form>" + form,
      "/check"
    ),
    (
      "<template><form action=//evil.example/in?mac=x><input name=username></form></template>" + form,
      "/check"
    ),
    // What has another purpose, although it is a form.
    ("<form action=//portal.example/terms><button>I accept</button></form>" + form, "/check"),
    (
      "<form action=//portal.example/register?mac=x><input type=password><input type=password></form>" + form,
      "/check"
    ),
    // A form to register, if there is no other, before a link.
    (
      "<title>Guest wifi</title><form action=//portal.example/register><input type=email></form>"
        + "<a href=//portal.example/login?mac=x>Login</a>", "/register"
    ),
    // The form of a public site.
    (
      "<form action=https://www.facebook.com/login.php><input name=email><input type=password></form>" + form,
      "/check"
    ),
    // A base that browsers ignore.
    (
      "<template><base href=http://evil.example/></template><form action=//portal.example/in><input type=password></form>",
      "/in"
    ),
    ("<svg><base href=http://evil.example/></svg><form action=/in2><input type=password></form>", "/check"),
    // A box to subscribe beside the fields is part of the form.
    (
      "<title>Guest wifi</title><form action=//portal.example/go><input name=room><input type=checkbox "
        + "name=newsletter_optin><button>Connect</button></form>", "/go"
    ),
    // The form that the fields name.
    (
      "<form id=in action=//portal.example/in></form><form action=//portal.example/lang>"
        + "<input type=password form=in><button form=in>Log in</button></form>", "/in"
    ),
    // A URL whose query ends a session.
    ("<meta http-equiv=refresh content='0;url=//portal.example/?cmd=logout'>" + form, "/check"),
    // The host does not indicate the purpose.
    (
      "<title>Guest wifi</title><form action=//wifi.coffeereport.example/go><input name=room>"
        + "<button>Connect</button></form>", "/go"
    ),
  ])
  func theFormOfTheLoginWins(_ body: String, _ path: String) throws {
    let url = try #require(try TestResponse(body).analysis().portal?.loginURL)
    #expect(url.path == path && url.host != "evil.example")
  }

  /// On the page of status 511, too, a link never outranks a form.
  @Test(arguments: [
    (form + "<a href=http://portal.example/login>Login</a>", "probeURL http://probe.example/check"),
    (form + "<a href=/terms>Terms</a>", "probeURL http://probe.example/check"),
    (
      "<meta http-equiv=refresh content='0;url=http://gate.example/x'><a href=http://portal.example/login>Login</a>",
      "body511 http://gate.example/x"
    ),
    ("<a href=http://portal.example/login>Login</a>", "body511 http://portal.example/login"),
  ])
  func aLinkOfStatus511IsALink(_ body: String, _ expected: String) throws {
    #expect(try TestResponse(body, status: 511).login() == expected)
  }

  /// RFC 8259 §8.1 lets a parser ignore the mark.
  @Test(arguments: ["", "\u{FEFF}", "\r\n\t "])
  func aDocumentOfAnAPIMayBeginWithAMarkOrSpace(_ start: String) throws {
    let document = #"{"captive": true, "user-portal-url": "https://portal.example/"}"#
    var response = TestResponse(start + document)
    response.fields = ["Content-Type": "application/captive+json"]
    #expect(try response.login() == "capport https://portal.example/")
  }

  /// The work for references is bounded by bytes, whatever the page multiplies.
  @Test(.heavy) func manyReferencesToALongBaseAreNotAllResolved() throws {
    let base = "http://portal.example/" + String(repeating: "a/", count: 1000)
    let forms = String(
      repeating: "<form>" + String(repeating: "<button formaction=x></button>", count: 32) + "</form>",
      count: 32)
    let links = String(repeating: "<a href=y>login</a>", count: 200)
    let received = TestResponse("<base href='\(base)'>" + Self.form + forms + links)
    let response = ProbeResponse(
      url: try ProbeURL("http://probe.example/check"),
      head: HTTPResponseHead(status: 200, fields: received.fields), body: received.body)
    let facts = ResponseFacts(response, requestedURL: response.url) { _ in .plaintext }
    #expect(facts.links.count < 150 && facts.links.count > 0)
    #expect(try received.login() == "form http://portal.example/auth")
    // A longer base is not obeyed.
    let long =
      "<base href='http://evil.example/\(String(repeating: "a", count: 3000))/'><a href=/login>login</a>"
    #expect(try TestResponse("<title>Guest wifi</title>" + long).login() == "link http://probe.example/login")
  }

  @Test func theSourceNamesMatchTheReportFormat() {
    #expect(
      Set(LoginURLSource.allCases.map(\.rawValue)) == [
        "location", "body511", "metaRefresh", "javascript", "wispr", "capport", "form", "link", "probeURL",
      ])
  }
}
