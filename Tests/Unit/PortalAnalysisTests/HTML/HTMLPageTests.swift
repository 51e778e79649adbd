import PortalAnalysis
import TestRequirements
import Testing

@Suite struct HTMLPageTests {
  @Test func elementsComeInDocumentOrder() throws {
    let page = """
      <!DOCTYPE html><HTML><head><title>Log in</title><META HTTP-EQUIV=refresh CONTENT="0; url=/a?b&amp;c"></head>
      <body>one<p>two <b>three</b> four</p><x-login Mode='A &lt; B' disabled>five</x-login></body></html>
      """
    let elements = try #require(read(page))
    #expect(elements.map(\.name) == ["html", "head", "title", "meta", "body", "p", "b", "x-login"])
    #expect(elements[2].text == "Log in")
    #expect(elements[3]["http-equiv"] == "refresh")
    #expect(elements[3]["content"] == "0; url=/a?b&c")
    #expect(elements[5].text == "two  four")
    #expect(elements[7].attributes.map(\.name) == ["mode", "disabled"])
    #expect(elements[7]["mode"] == "A < B")
    #expect(elements[7]["disabled"] == "")
    #expect(elements[7]["missing"] == nil)
  }

  @Test func aPageCutAnywhereIsRead() {
    let page = "<html><body><a href=\"http://192.0.2.1/login?a=1&b=2\">log <i>in</i></a></body></html"
    for length in 0...page.utf8.count {
      #expect(ReadPage(Array(page.utf8.prefix(length))) != nil)
    }
  }

  static let noTexts = [
    [UInt8](repeating: 0, count: 300_000),
    Array("<p\0 a\0b='c\0d'>e\0f</p\0>".utf8),
    [0xFF, 0xFE, 0x3C, 0x70, 0x3E, 0xC3, 0x28, 0xF0, 0x9F],
    [UInt8](repeating: UInt8(ascii: "&"), count: 300_000),
    [UInt8](repeating: UInt8(ascii: "<"), count: 300_000),
    Array("<!--".utf8) + [UInt8](repeating: UInt8(ascii: "-"), count: 300_000),
  ]

  @Test(.heavy, arguments: noTexts.indices)
  func bytesThatAreNotTextAreRead(_ index: Int) {
    #expect(ReadPage(Self.noTexts[index]) != nil)
  }

  @Test func contentBeyondTheLimitsIsNotRead() throws {
    let link = "<a href=x>"
    let text = String(repeating: "x", count: HTMLPage.maximumLength)
    #expect(try #require(read(link + text)).contains { $0.name == "a" })
    #expect(try #require(read(text + link)).contains { $0.name == "a" } == false)

    let breaks = String(repeating: "<br>", count: HTMLPage.maximumTags)
    #expect(try #require(read(breaks)).count { $0.name == "br" } == HTMLPage.maximumTags)
    #expect(try #require(read(breaks + link)).contains { $0.name == "a" } == false)
  }

  private func read(_ page: String) -> [ReadPage.Element]? { ReadPage(page)?.elements }
}
