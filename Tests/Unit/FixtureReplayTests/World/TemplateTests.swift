import ProbeCore
import Testing

@testable import FixtureReplay

/// Variables in responses, and values that try to break out of their context.
@Suite struct TemplateTests {
  /// The response to a request of `http://portal.example/login`, with this value of the query's field `v`.
  private static func filled(
    _ body: String, as type: String, _ value: String, headers: [String] = []
  ) throws -> (headers: [String], body: String) {
    let response = ComposedResponse(
      headers: ["Content-Type: \(type)"] + headers, body: Array(body.utf8), isTemplate: true)
    var world = ServerlessWorld(Fixture(name: "f", routes: [ReplayRoute("r", response: .respond(response))]))
    let query = Array(value.utf8).percentEncodedComponent()
    let text = try world.request("GET http://portal.example/login?v=\(query)")
    let end = try #require(text.firstRange(of: "\r\n\r\n"))
    let lines = text[..<end.lowerBound].split(separator: "\r\n").map(String.init)
    return (Array(lines.dropFirst(2)), String(text[end.upperBound...]))
  }

  private static func body(_ body: String, as type: String = "text/html", _ value: String) throws -> String {
    try filled(body, as: type, value).body
  }

  private static let nasty = "a\r\nb\"c'd</script><b>&amp;`=\\ é"

  @Test(arguments: [
    (
      "<p>${request.query.v}</p>",
      "<p>a\r\nb&quot;c&#39;d&lt;/script&gt;&lt;b&gt;&amp;amp;&#96;&#61;\\ &#233;</p>"
    ),
    (
      "<p class=${request.query.v}>",
      "<p class=a&#13;&#10;b&quot;c&#39;d&lt;/script&gt;&lt;b&gt;&amp;amp;&#96;&#61;\\&#32;&#233;>"
    ),
    (
      "<a href='/next?u=${request.query.v}'>",
      "<a href='/next?u=a%0D%0Ab%22c%27d%3C%2Fscript%3E%3Cb%3E%26amp%3B%60%3D%5C%20%C3%A9'>"
    ),
    (
      "<script>var v = '${request.query.v}';</script><i>${request.host}</i>",
      "<script>var v = 'a\\u000d\\u000ab\\u0022c\\u0027d\\u003c\\u002fscript\\u003e\\u003cb\\u003e\\u0026amp\\u003b\\u0060\\u003d\\u005c\\u0020\\u00e9';</script><i>portal.example</i>"
    ),
    (
      "<b onclick=\"go('${request.query.v}')\">",
      "<b onclick=\"go('a\\u000d\\u000ab\\u0022c\\u0027d\\u003c\\u002fscript\\u003e\\u003cb\\u003e\\u0026amp\\u003b\\u0060\\u003d\\u005c\\u0020\\u00e9')\">"
    ),
    (
      "<!-- <LoginURL>http://a.example/?u=${request.url}</LoginURL> -->${request.path}",
      "<!-- <LoginURL>http://a.example/?u=http%3A%2F%2Fportal.example%2Flogin%3Fv%3Da%250D%250Ab%2522c%2527d%253C%252Fscript%253E%253Cb%253E%2526amp%253B%2560%253D%255C%2520%25C3%25A9</LoginURL> -->/login"
    ),
  ])
  func aValueStaysInItsContextInAPage(_ template: String, _ page: String) throws {
    #expect(try Self.body(template, Self.nasty) == page)
  }

  @Test func urlAttributesCannotContainCode() throws {
    for (value, written) in [
      ("javascript:alert(1)", "#"), (" javascript:alert(1)", "#"), ("JaVaScRiPt:alert(1)", "#"),
      ("data:text/html,x", "#"), ("http://a.example/?x=1&y='", "http://a.example/?x&#61;1&amp;y&#61;%27"),
      ("/path", "/path"), ("", ""),
    ] {
      #expect(
        try Self.body("<a href=\"${request.query.v}\">", value) == "<a href=\"\(written)\">", "\(value)")
    }
    #expect(
      try Self.body("<svg><a xlink:href=\"${request.query.v}\">", "javascript:x")
        == "<svg><a xlink:href=\"#\">")
    // A value cannot complete a scheme either.
    #expect(
      try Self.body("<a href=\"java${request.query.v}\">", "script:x") == "<a href=\"javascript%3Ax\">")
    #expect(
      try Self.body("<meta http-equiv=refresh content=\"0; url=${request.query.v}\">", "javascript:x")
        == "<meta http-equiv=refresh content=\"0; url=#\">")
    #expect(
      try Self.body("<a href=\"/room/${request.query.v}/x\">", "1?a#b%20")
        == "<a href=\"/room/1%3Fa%23b%2520/x\">")
  }

  @Test func jsonHasTextsAndNumbers() throws {
    let template =
      #"{"text":"${request.query.v}","value":${request.query.v},"url":"https://a.example/?u=${request.query.v}","time":${time},"left":${session.seconds}}"#
    #expect(
      try Self.body(template, as: "application/captive+json", "a\"\r\n\\")
        == #"{"text":"a\"\r\n\\","value":"a\"\r\n\\","url":"https://a.example/?u=a%22%0D%0A%5C","time":1795600800,"left":null}"#
    )
  }

  @Test func aHeaderFieldRemainsASingleField() throws {
    let fields = [
      "Location: http://b.example/?u=${request.query.v}&h=${request.host}", "X-A: ${request.query.v}",
      "WWW-Authenticate: Basic realm=\"${request.query.v}\"", "Set-Cookie: v=${request.query.v}; Path=/",
    ]
    let found = try Self.filled("", as: "text/plain", "a\r\nB: c; d=\"\\e", headers: fields).headers
    #expect(
      found.prefix(4) == [
        "Location: http://b.example/?u=a%0D%0AB%3A%20c%3B%20d%3D%22%5Ce&h=portal.example",
        "X-A: a%0D%0AB: c%3B d=%22%5Ce", "WWW-Authenticate: Basic realm=\"a%0D%0AB: c; d=\\\"\\\\e\"",
        "Set-Cookie: v=a%0D%0AB: c%3B d=%22%5Ce; Path=/",
      ])
    #expect(
      try Self.filled("", as: "text/plain", "javascript:x", headers: ["Location: ${request.query.v}"])
        .headers[0]
        == "Location: #")
  }

  @Test func theValuesAreThoseOfTheRequest() throws {
    let names = [
      "request.url", "request.host", "request.path", "request.query.b", "request.form.c", "request.form.none",
      "client.address", "client.mac", "time", "date", "session.url", "session.seconds", "session.bytes",
      "session.state",
    ]
    let text = names.map { "${\($0)}" }.joined(separator: "\n") + " $${x} $ ${"
    var world = ServerlessWorld(
      Fixture(
        name: "f", initialState: "captive",
        session: SessionRules(
          by: .address, limits: ["captive": StateLimit(after: .seconds(90), bytes: 5000, goto: "captive")]),
        routes: [
          ReplayRoute("r", response: .respond(ComposedResponse(body: Array(text.utf8), isTemplate: true)))
        ]))
    func request(_ client: String) throws -> String {
      let response = try world.request(
        "POST https://[2001:db8::7]:8443/a%20b?b=1%2B2", from: client,
        headers: ["Content-Type: application/x-www-form-urlencoded"], body: "c=d+e")
      return String(response[try #require(response.firstRange(of: "\r\n\r\n")).upperBound...])
    }
    let url = "https://[2001:db8::7]:8443/a%20b?b=1%2B2"
    let rest = "\n[2001:db8::7]\n/a%20b\n1+2\nd e\n\n"
    #expect(
      try request("192.0.2.7")
        == "\(url)\(rest)192.0.2.7\n02:00:C0:00:02:07\n1795600800\nWed, 25 Nov 2026 10:00:00 GMT\nhttps://[2001:db8::7]:8443/\n90\n5000\ncaptive ${x} $ ${"
    )
    world.wait(.milliseconds(1500))
    let second = try request("192.0.2.7").split(separator: "\n")
    #expect(second[8] == "Wed, 25 Nov 2026 10:00:01 GMT")
    #expect(second[9] == url)
    #expect(second[10] == "89")
    let v6 = try request("2001:db8::1").split(separator: "\n")
    #expect(v6[6].hasPrefix("02:") && v6[6].count == 17)
    #expect(try request("2001:db8::2").split(separator: "\n")[6] != v6[6])
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
  ])
  func datesMatchTheCalendar(_ unix: Int, _ text: String) {
    #expect(HTTPDate(unix: unix).text == text)
  }

  @Test(arguments: [
    ("<${request.host}>", "a variable cannot be in a tag"),
    ("<p ${request.host}>", "a variable cannot be in a tag"),
    ("<p a=b ${request.host}=c>", "a variable cannot be in a tag"),
    ("<style>${request.host}</style>", "a variable cannot be in the style of a page"),
    ("<p style='${request.host}'>", "a variable cannot be in the style of a page"),
    ("<iframe srcdoc='${request.host}'>", "a variable cannot be in a page in an attribute"),
    ("<!DOCTYPE ${request.host}>", "a variable cannot be in a declaration or a CDATA section"),
    ("${request.hots}", "there is no variable \"request.hots\""), ("${x", "a variable has no }"),
    ("${request.query.}", "there is no variable \"request.query.\""),
  ])
  func invalidVariablesAreErrors(_ text: String, _ message: String) {
    #expect(TemplateText(Array(text.utf8), .markup).mistakes.map(\.message) == [message])
  }

  @Test func variablesAreAllowedAfterOtherMarkup() {
    for text in [
      "<!DOCTYPE html>${time}", "<style>a > b {}</style>${time}", "<!-- a > b -->${time}", "<!-->${time}",
      "<script>if (a < b) c = '</p>'</script >${time}", "<p a=\"b>c\">${time}", "<br/>${time}",
      "a < b ${time}",
      "<?xml version=\"1.0\"?>${time}", "<![CDATA[ > ]]>${time}",
    ] {
      let template = TemplateText(Array(text.utf8), .markup)
      #expect(template.mistakes.isEmpty, "\(text)")
      #expect(
        template.parts.last == .variable(.time, TemplatePosition(syntax: .markup(isUnquoted: false))),
        "\(text)")
    }
  }

  @Test func withoutTemplateTheBytesAreExact() throws {
    let page = "${request.url} $${"
    var world = ServerlessWorld(
      Fixture(
        name: "f", session: SessionRules(by: .address),
        routes: [ReplayRoute("r", response: .respond(ComposedResponse(body: Array(page.utf8))))]))
    #expect(try world.request("GET http://a.example/").hasSuffix("\r\n\r\n" + page))
  }

  @Test func faultsAndHEADApplyToTheFilledResponse() throws {
    let response = ComposedResponse(body: Array("${request.host}".utf8), isTemplate: true)
    var world = ServerlessWorld(
      Fixture(
        name: "f",
        routes: [
          ReplayRoute(
            "r", response: .respond(response), fault: ReplayFault(.shortBody, bytes: 3, requests: [2]))
        ]))
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
    #expect(try world.request("HEAD http://a.example/") == head)
    #expect(try world.request("GET http://a.example/") == head + "a.e")
    #expect(try world.request("GET http://a.example/") == head + "a.example")
  }
}
