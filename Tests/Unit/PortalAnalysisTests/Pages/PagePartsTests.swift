import Testing

@testable import PortalAnalysis

/// The parts of a page.
@Suite struct PagePartsTests {
  @Test(arguments: [
    "nav", "footer", "aside", "div role=navigation", "ul role=menu", "div role=menubar",
    "div role=contentinfo",
    "div role='none complementary'", "div class=menu", "div class='top NAVBAR dark'", "ul id=nav",
    "div id=footer",
    "ol class=breadcrumb", "div class=sidebar",
  ])
  func aMenuIsNotTheMessage(_ tag: String) throws {
    let name = tag.split(separator: " ")[0]
    let page = try page(
      "<title>t</title><p>one</p><\(tag)><b>two</b><form><input name=q></form><a href=/x>three</a></\(name)>four"
    )
    #expect(words(page.text) == "t one four")
    #expect(words(page.menuText) == "two three")
    #expect(words(page.hiddenText) == "" && words(page.optionText) == "")
    #expect(page.links.map(\.isInMenu) == [true] && page.forms.map(\.isInMenu) == [true])
    #expect(page.forms[0].fields.map(\.isInMenu) == [true] && !page.forms[0].isHidden)
  }

  @Test(arguments: [
    "div hidden", "div style='display:none'", "section style='color:red; DISPLAY : none'",
    "i style=visibility:hidden",
    "template",
  ])
  func hiddenTextIsNotTheMessage(_ tag: String) throws {
    let name = tag.split(separator: " ")[0]
    let page = try page(
      "<p>one</p><\(tag)><a href=/x>two</a><nav>three</nav><select><option>four</select></\(name)><p>five</p>"
    )
    #expect(words(page.text) == "one five")
    #expect(words(page.hiddenText) == "two three four")
    #expect(words(page.menuText) == "" && words(page.optionText) == "")
    #expect(page.links.map(\.isHidden) == [true] && page.loose.fields.map(\.isHidden) == [true])
  }

  @Test func choicesAreNotTheMessage() throws {
    let page = try page(
      "<nav>one</nav>two<select name=s><option>three<option>four</select><input name=t>five")
    #expect(words(page.text) == "two five" && words(page.optionText) == "three four")
    #expect(words(page.menuText) == "one")
    #expect(page.loose.fields.map(\.region) == [.message, .message])
    #expect(words(page.text(in: .all)) == "one two three four five")
    #expect(words(page.text(in: [.menu, .options])) == "one three four")
  }

  @Test(arguments: [
    "<div class=menu-login>text</div>", "<div class=navigation>text</div>", "<div id=mainmenu>text</div>",
    "<body class=sidebar>text", "<form class=menu>text</form>", "<noscript>text</noscript>",
    "<main>text</main>",
    "<div role=main>text</div>", "<div style='display:block'>text</div>", "<p data-hidden>text",
    "<div hidden></div>text", "<nav><p></nav>text", "<nav/></nav>text", "<template></template>text",
    "<div hidden><div hidden></div></div>text", "<nav><div><nav></nav></div></nav>text", "<br hidden>text",
    "<p style='display:none'><p>text", "<header>text</header>",
  ])
  func otherElementsAreTheMessage(_ html: String) throws {
    #expect(try words(page(html).text) == "text")
  }

  @Test func deeplyNestedPartsEndWhereTheyEnd() throws {
    let depth = 200
    let page = try page(
      String(repeating: "<nav><div>", count: depth) + "in" + String(repeating: "</div></nav>", count: depth)
        + "out")
    #expect(words(page.text) == "out" && words(page.menuText) == "in")
  }

  private func page(_ html: String) throws -> Page {
    let page = Page(Array(html.utf8).span)
    return try #require(page)
  }

  private func words(_ text: [UInt8]) -> String {
    text.split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }
}
