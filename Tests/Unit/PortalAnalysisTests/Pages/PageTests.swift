import Testing

@testable import PortalAnalysis

@Suite struct PageTests {
  @Test(arguments: [
    ("<meta http-equiv=refresh content=0;url=/in>", ["0 /in"]),
    ("<META HTTP-EQUIV=\"ReFrEsH\" CONTENT=\"1;URL='/in'\">", ["1 /in"]),
    ("<noscript><meta http-equiv=\"refresh\" content=\"0;url=/in\"></noscript>", ["0 /in"]),
    ("<body><noscript><p><meta http-equiv=refresh content='0;url=/in'></noscript>", ["0 /in"]),
    ("<p>text</p><table><tr><meta http-equiv=refresh content='2;url=/in'></table>", ["2 /in"]),
    ("<meta http-equiv=refresh content='0;url=/in'><frameset><frame src=/a></frameset>", ["0 /in"]),
    ("<meta http-equiv=refresh content=\"0;url=/?a=1&amp;b=2\">", ["0 /?a=1&b=2"]),
    ("<meta http-equiv='&#114;efresh' content='0&#59;url&equals;&#47;in'>", ["0 /in"]),
    ("<meta http-equiv=refresh content='0;url=/a' content='0;url=/b'>", ["0 /a"]),
    (
      "<meta http-equiv=refresh content='0;url=/a'><meta http-equiv=refresh content='9;url=/b'>",
      ["0 /a", "9 /b"]
    ),
    ("<meta http-equiv=refresh content=5>", ["5 nil"]),
    ("<meta http-equiv=refresh content='5;url='>", ["5 nil"]),
    // Not a refresh in any browser.
    ("<meta name=refresh content='0;url=/in'>", []), ("<meta http-equiv=refresh>", []),
    ("<meta http-equiv=refresh content='url=/in'>", []),
    ("<!-- <meta http-equiv=refresh content='0;url=/in'> -->", []),
    ("<textarea><meta http-equiv=refresh content='0;url=/in'></textarea>", []),
    ("<title><meta http-equiv=refresh content='0;url=/in'></title>", []),
    ("<iframe><meta http-equiv=refresh content='0;url=/in'></iframe>", []),
    ("<noframes><meta http-equiv=refresh content='0;url=/in'></noframes>", []),
    ("<script>'<meta http-equiv=refresh content=\"0;url=/in\">'</script>", []),
  ])
  func refreshesAreFound(_ html: String, _ expected: [String]) throws {
    let found = try page(html).refreshes.map { "\($0.seconds) \($0.reference ?? "nil")" }
    #expect(found == expected)
  }

  @Test(arguments: [
    ("<a href=/in>log <b>in</b> now</a>", ["/in: log in now"]), ("<a name=x>text</a>", []),
    ("<a href=' /in?a=1&amp;b '>x</a>", [" /in?a=1&b : x"]), ("<map><area href=/in alt=x></map>", ["/in: "]),
    ("<a href=/a>one<a href=/b>two", ["/a: one", "/b: two"]), ("<a href=/a></a>behind", ["/a: "]),
    ("<a href=>x</a>", [": x"]), ("<a href=/a><img alt=x></a>", ["/a: "]),
    ("<a href=/a>x<a name=y>z</a>", ["/a: x"]),
  ])
  func linksHaveTheirText(_ html: String, _ expected: [String]) throws {
    let found = try page(html).links.map { "\($0.href): \(words($0.text))" }
    #expect(found == expected)
  }

  @Test(arguments: [
    ("<base href=/x/><base href=/y/>", "/x/" as String?), ("<base target=_top><base href=/y/>", "/y/"),
    ("<p><base href='http://192.0.2.1/'>", "http://192.0.2.1/"), ("<a href=/x>", nil),
  ])
  func theFirstBaseIsUsed(_ html: String, _ expected: String?) throws {
    #expect(try page(html).base == expected)
  }

  @Test(arguments: [
    "<script>x</script>", "<script type=''>x</script>", "<script type=text/javascript>x</script>",
    "<SCRIPT TYPE='Text/JavaScript; charset=utf-8'>x</SCRIPT>", "<script type=module>x</script>",
    "<script type=application/x-ecmascript>x</script>", "<script language=vb>x</script>", "<script>x",
    "<svg><script>x</script></svg>",
  ])
  func scriptCodeIsKept(_ html: String) throws {
    #expect(try page(html).scripts == [Array("x".utf8)])
    #expect(try words(page(html).text) == "")
  }

  @Test(arguments: [
    "application/json", "application/ld+json", "text/template", "text/x-handlebars", "text/plain",
    "importmap",
  ])
  func dataIsNotCode(_ type: String) throws {
    let page = try page("<script type='\(type)'>x</script><script>y</script>")
    #expect(page.scripts == [Array("y".utf8)])
    #expect(words(page.text) == "")
  }

  @Test func executedAndLoadedScriptsAreReported() throws {
    let page = try page(
      """
      <script src=/a.js></script><script src=/b.js>c()</script><script src=//cdn.example/d.js></script><body onload="go()"><p onclick="d()">
      <a href=x onclick='e("&amp;")'>f</a><iframe src=/g></iframe><iframe src=/h>i</iframe>
      """)
    #expect(page.ownScripts == 2)
    #expect(page.scripts.map { words($0) } == ["", "c()", ""])
    #expect(page.onload.map { words($0) } == "go()")
    #expect(page.handlers.map { words($0) } == ["d()", "e(\"&\")"])
    #expect(page.frames == ["/g", "/h"])
  }

  @Test func onlyReadableTextIsKept() throws {
    let page = try page(
      """
      <title>One</title><style>no</style><script>no</script><noframes>no</noframes><iframe>no</iframe>
      <p>Two<img alt=three><input placeholder=four value=no><input type=hidden placeholder=no value=no>
      <input type=submit value=five><button>six</button><!-- no --><select><option>seven</select>
      <textarea placeholder=eight>nine</textarea><noscript>ten</noscript><input type=reset value=no>
      """)
    #expect(words(page.text) == "One Two three four five six eight nine ten")
    #expect(words(page.title) == "One")
  }

  @Test func theIdentifiersOfElementsAreKept() throws {
    let page = try page(
      "<div id=a class='b c'><form name=d><input id=e name=f></form><span data-id=no></div>")
    #expect(words(page.identifiers) == "a b c d e f")
  }

  @Test(arguments: [
    ("<meta http-equiv=Cache-Control content='No-Store'>", true),
    ("<meta http-equiv=pragma content='private, no-cache'>", true),
    ("<meta http-equiv=cache-control content='max-age=60'>", false),
    ("<meta name=cache-control content=no-store>", false), ("", false),
  ])
  func cachingProhibitionsAreRecognized(_ html: String, _ expected: Bool) throws {
    #expect(try page(html).forbidsCaching == expected)
  }

  @Test func theShapeDependsOnlyOnTheTags() throws {
    let one = try page("<p class=a>one <b>two</b></p>").shape
    #expect(try page("<p id=c>three <b>four</b> five</p>").shape == one)
    #expect(try page("<p>one <i>two</i></p>").shape != one)
    #expect(try page("<p>one</p><b>two</b><p>").shape != one)
  }

  private func page(_ html: String) throws -> Page {
    let page = Page(Array(html.utf8).span)
    return try #require(page)
  }

  /// The words of a text, with one space between them.
  private func words(_ text: [UInt8]) -> String {
    text.split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }
}
