import ProbeCore
import Testing

@testable import PortalAnalysis

/// The references of a page that a browser requests, and those that it does not request.
@Suite struct PageReferencesTests {
  private static func references(
    _ body: String, at url: String = "http://portal.example/guest/in?x=1", fields: HeaderFields = [:]
  ) throws -> PageReferences {
    PageReferences(
      ofPage: ProbeResponse(
        url: try ProbeURL(url), head: HTTPResponseHead(status: 200, fields: fields), body: Array(body.utf8)))
  }

  private static func found(_ references: PageReferences) -> [String] {
    references.references.map { "\($0.kind) \($0.url)" }
  }

  @Test(arguments: [
    ("<link rel=stylesheet href=a.css>", ["sheet http://portal.example/guest/a.css"]),
    ("<link rel='alternate STYLESHEET' href='/a.css'>", ["sheet http://portal.example/a.css"]),
    ("<link rel='shortcut icon' href=i.ico>", ["file http://portal.example/guest/i.ico"]),
    ("<link rel=preload href=f.woff2 as=font>", ["file http://portal.example/guest/f.woff2"]),
    ("<script src=//cdn.example/a.js></script>", ["file http://cdn.example/a.js"]),
    ("<img src=a.png alt=''>", ["file http://portal.example/guest/a.png"]),
    (
      "<img srcset='a.png 1x, b,c.png 2x,d.png'>",
      [
        "file http://portal.example/guest/a.png", "file http://portal.example/guest/b,c.png",
        "file http://portal.example/guest/d.png",
      ]
    ),
    (
      "<picture><source srcset='w.webp, '><img></picture>", ["file http://portal.example/guest/w.webp"]
    ),
    ("<video poster=p.jpg src=film.mp4><source src=film.webm>", ["file http://portal.example/guest/p.jpg"]),
    ("<input type=IMAGE src=go.gif>", ["file http://portal.example/guest/go.gif"]),
    ("<body background=b.gif>", ["file http://portal.example/guest/b.gif"]),
    ("<svg><image href=s.png /></svg>", ["file http://portal.example/guest/s.png"]),
    ("<p style='background: URL( \"q.png\" )'>", ["file http://portal.example/guest/q.png"]),
    (
      "<style>@import 'more.css'; p { background: url(k.png) }</style>",
      ["sheet http://portal.example/guest/more.css", "file http://portal.example/guest/k.png"]
    ),
    ("<iframe src=inner.html></iframe>", ["frame http://portal.example/guest/inner.html"]),
    ("<meta http-equiv=refresh content='0; url=/next'>", ["page http://portal.example/next"]),
    ("<base href=/other/><img src=a.png>", ["file http://portal.example/other/a.png"]),
  ])
  func referencesThatBrowsersRequestAreFound(_ body: String, _ expected: [String]) throws {
    #expect(try Self.found(Self.references(body)) == expected)
  }

  @Test(arguments: [
    "<a href=/grant>Connect</a>", "<area href=/grant>", "<link rel=canonical href=/x>",
    "<link rel='prefetch dns-prefetch next' href=/x>", "<img src='data:image/gif;base64,R0lGOD'>",
    "<img src='#a'>",
    "<img src=''>", "<script>load('/x.js')</script>", "<!-- <img src=a.png> -->",
    "<textarea><img src=a.png></textarea>",
    "<form action=/login method=post><button formaction=/other></button></form>",
    "<img src='javascript:a()'>",
  ])
  func referencesThatBrowsersDoNotRequestAreIgnored(_ body: String) throws {
    #expect(try Self.found(Self.references(body)) == [])
  }

  @Test func aLongEmbeddedStyleSheetIsRead() throws {
    let page =
      "<style>\(String(repeating: "p { margin: 0 }\n", count: 100)) b { background: url(b.png) }</style>"
    #expect(try Self.found(Self.references(page)) == ["file http://portal.example/guest/b.png"])
  }

  @Test func aRefreshHeaderFieldOpensAPage() throws {
    let references = try Self.references("", fields: ["Refresh": "0;url=/splash"])
    #expect(Self.found(references) == ["page http://portal.example/splash"])
  }

  @Test func formsHaveATargetAndAMethod() throws {
    let references = try Self.references(
      "<form method=POST action=in.cgi></form><form></form><form method=dialog action=/no></form>"
        + "<form action='ftp://a.example/'></form><form method=put action='https://gate.example:8443/go?a=b'></form>"
    )
    #expect(
      references.forms.map { "\($0.method) \($0.target)" } == [
        "POST http://portal.example/guest/in.cgi", "GET http://portal.example/guest/in?x=1",
        "GET https://gate.example:8443/go?a=b",
      ])
  }

  @Test func theNumberOfReferencesIsLimited() throws {
    let page = (0..<2000).map { "<img src=\($0).png>" }.joined()
    #expect(try Self.references(page).references.count == PageReferences.limit)
  }

  @Test(arguments: [
    ("p { background: url(a.png) }", ["a.png"]), ("@import url('a.css') screen;", ["a.css+"]),
    ("@import \"a.css\"; p { content: \"no.png\" }", ["a.css+"]),
    ("/* url(a.png) */ b { x: url(b.png) }", ["b.png"]),
    ("x: url( a\\ b\\29 .png )", ["a b).png"]), ("x: my-url(a.png)", []), ("x: url (a.png)", []),
    ("x: url(\"a;}.png\") url('b.png')", ["a;}.png", "b.png"]),
    ("@font-face { src: url(f.woff) format('woff') }", ["f.woff"]),
    ("/* never closed url(a.png)", []), ("x: url(", []), ("x: url(\"a.png", ["a.png"]), ("\\", []),
    ("x: url(\\", []),
    ("content: 'a\\'b' url(c.png)", ["c.png"]), ("content: 'cut\n; x: url(d.png)", ["d.png"]),
    ("@import", []),
  ])
  func referencesInStyleSheetsAreFound(_ sheet: String, _ expected: [String]) {
    let found = StyleReferences(Array(sheet.utf8)[...]).references.map { $0.text + ($0.isSheet ? "+" : "") }
    #expect(found == expected)
  }

  @Test func truncatedStyleSheetsAreRead() {
    let sheet = Array("@import 'a\\41 .css'; p { x: url( \"b.png\" ) url(c\\)) /* d */ }".utf8)
    for end in 0...sheet.count { #expect(StyleReferences(sheet[..<end]).references.count <= 3) }
  }
}
