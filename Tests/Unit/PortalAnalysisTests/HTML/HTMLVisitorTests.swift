import PortalAnalysis
import Testing

@Suite struct HTMLVisitorTests {
  @Test func elementsAndTextComeInDocumentOrder() {
    #expect(
      events("<div>one<form><input></form>two</div>") == [
        "<html>", "<head>", "/other", "<body>", "<div>", "one", "<form>", "<input>", "/input", "/form", "two",
        "/other", "/body", "/other",
      ])
  }

  @Test(arguments: [
    ("<textarea>a<b></textarea>", ["a<b>"]), ("<title>a<b></title>", ["a<b>"]),
    ("<script>a<b>&amp;</script>", ["a<b>&amp;"]), ("<style>a<b>&amp;</style>", []),
    ("<p>a&lt;b&gt;&amp;&eacute;&#x41;&#0;</p>", ["a<b>&\u{E9}A\u{FFFD}"]),
    ("<!-- a --><p>b</p><!-- c -->", ["b"]),
    ("<iframe>a<b></iframe>", ["a<b>"]), ("<noscript>a<b>c</b></noscript>", ["a", "c"]),
  ])
  func textIsDecodedAccordingToItsElement(_ page: String, _ texts: [String]) {
    #expect(events(page).filter { !$0.hasPrefix("<") && !$0.hasPrefix("/") } == texts)
  }

  /// Misnested tags, content moved out of tables, foreign elements, and unclosed elements.
  static let odd = [
    "<a><div>x</a>y</div>", "<b><p>x</b>y</p>", "<table>x<tr><b>y<td>z</table>", "<p><table><p>x</table>",
    "<form><div></form><input></div>", "<table><form><tr><td><input></form></table>",
    "<svg><title>x</title><a href=y></svg>", "<template><p>x</template>", "<frameset><frame src=x><frame>",
    "<select><option>x<option>y<input>", "<script>x", "<!--", "</p></div></body></html>after", "",
    "<a href=x><a href=y><a href=z>", "<body onload=x><html lang=y><body class=z>",
    "<br></br><img/><input/>x",
  ]

  @Test(arguments: odd)
  func elementsAreProperlyNested(_ page: String) {
    var balance = Balance()
    #expect(HTMLPage.visit(Array(page.utf8).span, with: &balance))
    #expect(balance.isRight)
    #expect(balance.open.isEmpty)
    #expect(balance.count >= 3, "html, head and body or frameset are always there")
  }

  @Test func attributeValuesAreDecoded() {
    var values = Values()
    #expect(HTMLPage.visit(Array("<meta CONTENT='a&amp;b é' name x=1 X=2>".utf8).span, with: &values))
    #expect(values.content == "a&b é")
    #expect(values.name == "")
    #expect(values.missing == nil)
    #expect(values.first == "1")
    #expect(values.has == [true, true, false])
  }

  @Test func allUnknownTagsAreOneTag() {
    var tags = Tags()
    #expect(HTMLPage.visit(Array("<x-one></x-one><x-two></x-two><input>".utf8).span, with: &tags))
    let (first, second) = (tags.tags["x-one"], tags.tags["x-two"])
    #expect(first != nil)
    #expect(first == second)
    #expect(first != tags.tags["input"])
    #expect(tags.tags["input"] == .input)
  }

  private func events(_ page: String) -> [String] {
    var log = EventLog()
    guard HTMLPage.visit(Array(page.utf8).span, with: &log) else { return ["refused"] }
    return log.events
  }
}

/// The calls of a visitor, in order.
private struct EventLog: HTMLVisitor {
  private(set) var events: [String] = []

  mutating func enter(_ element: borrowing HTMLElement) { events.append("<\(element.name)>") }

  mutating func text(_ bytes: borrowing Span<UInt8>) {
    events.append(String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self))
  }

  mutating func leave(_ tag: HTMLTag) {
    let names: [HTMLTag: String] = [.body: "body", .form: "form", .input: "input"]
    events.append("/\(names[tag] ?? "other")")
  }
}

private struct Balance: HTMLVisitor {
  private(set) var open: [HTMLTag] = []
  private(set) var isRight = true
  private(set) var count = 0

  mutating func enter(_ element: borrowing HTMLElement) {
    open.append(element.tag)
    count += 1
  }

  mutating func text(_ bytes: borrowing Span<UInt8>) {}

  mutating func leave(_ tag: HTMLTag) {
    if open.popLast() != tag { isRight = false }
  }
}

private struct Values: HTMLVisitor {
  private(set) var content: String?
  private(set) var name: String?
  private(set) var missing: String?
  private(set) var first: String?
  private(set) var has: [Bool] = []

  mutating func enter(_ element: borrowing HTMLElement) {
    guard element.tag == .meta else { return }
    content = value(of: "content", element)
    name = value(of: "name", element)
    missing = value(of: "http-equiv", element)
    first = value(of: "x", element)
    has = [element.has("content"), element.has("name"), element.has("http-equiv")]
  }

  private func value(of attribute: StaticString, _ element: borrowing HTMLElement) -> String? {
    var value: String?
    element.withValue(of: attribute) { bytes in
      value = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
    return value
  }

  mutating func text(_ bytes: borrowing Span<UInt8>) {}
  mutating func leave(_ tag: HTMLTag) {}
}

private struct Tags: HTMLVisitor {
  private(set) var tags: [String: HTMLTag] = [:]

  mutating func enter(_ element: borrowing HTMLElement) { tags[element.name] = element.tag }
  mutating func text(_ bytes: borrowing Span<UInt8>) {}
  mutating func leave(_ tag: HTMLTag) {}
}
