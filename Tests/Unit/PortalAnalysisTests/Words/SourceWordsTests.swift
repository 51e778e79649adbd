import ProbeCore
import Testing

@testable import PortalAnalysis

/// Names of software and words of networks in the source of a page, and words in long parts of it.
@Suite struct SourceWordsTests {
  private func found(_ source: String) -> [WordTopic] {
    let tally = SourceWords.tally(Array(source.utf8)[...])
    return WordTopic.allCases.filter { tally[$0].total > 0 }
  }

  private static let image = "data:image/png;base64," + String(repeating: "QUJD", count: 40)

  @Test(arguments: [
    ("powered by MikroTik", [WordTopic.portalSoftware]), ("var guestWifi = 1", [.network]),
    ("<b class=a1wifi>", [.network]), ("Dr.COMWebLoginID_0.htm", [.portalSoftware]), ("TP-Link", [.device]),
    ("wp-login.php", [.program]), ("https://cdn.example/mikrotik.js", []),
    ("http://10.0.0.1/wlan/login", [.network]), ("http://gw.example:8080/?ssid=x", [.network]),
    ("<a href=\"http://10.0.0.1/\">Guest Portal</a>", [.network]),
    ("<a href=\"http://gw.example/\">Guest Portal</a>", []),
    ("<p>Guest\nPortal</p>", [.network]), ("", []), (":", []), ("://", []), ("://1", []), (";base64,", []),
  ])
  func namesAreFound(_ source: String, _ expected: [WordTopic]) {
    #expect(found(source) == expected)
  }

  @Test(arguments: [
    "\(image)wifi\"", "\(image)%2Fwifi", "\(image)\n\(image.dropFirst(22))/wlan+",
    "data:font/woff;BASE64,/wifi/mikrotik",
  ])
  func dataHasNoNames(_ source: String) {
    #expect(found("<img src=\"\(source)\">").isEmpty)
  }

  @Test(arguments: [
    "\(image)\"><p>wifi", "data:image/png;base64,AAAA\nguestWifi=1", "base64,wifi", "\(image) ssid",
  ])
  func whatFollowsDataHasNames(_ source: String) {
    #expect(found(source) == [.network])
  }

  /// One text is scanned in windows, another one as a whole.
  @Test func theEndOfALongTitleOrLinkIsRead() throws {
    let filler = String(repeating: "lorem ipsum ", count: 420)
    for end in ["</title>", ""] {
      let words = try TestResponse("<title>Hotel \(filler) guest wifi login voucher\(end)").analysis().signs
        .map(\.words)
      #expect(words.contains { $0.contains("title says") }, "\(words)")
    }
    let source = Array("<a href=/x>\(filler) login</a>".utf8)
    let read = Page(source.span)
    let page = try #require(read)
    let link = page.links[0].text
    let text = FoldedText(link.span)
    let ofText = Vocabulary.standard.tally(text, in: .all)
    let ofLink = Vocabulary.standard.tally(link.span, in: .all)
    #expect(ofText[.login].total == 1 && ofText == ofLink)
  }

  @Test(arguments: [
    "mac=1", "ip=192.0.2.7", "a=1&uip=x&b=2", "\(String(repeating: "a&", count: 1500))mac_addr=1",
  ])
  func aFieldForAnAddressIsFoundAnywhereInTheQuery(_ query: String) throws {
    #expect(URLWords(try ProbeURL("http://gw.example/?\(query)")).hasClientField)
  }

  @Test(arguments: ["gw=1&x=2", "x=1&ap=2&y=3"])
  func aWordOfTwoLettersIsFound(_ query: String) throws {
    #expect(URLWords(try ProbeURL("http://host.example/?\(query)")).fields[.network].distinct == 1)
  }
}
