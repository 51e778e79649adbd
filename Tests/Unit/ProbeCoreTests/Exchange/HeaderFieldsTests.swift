import Testing

@testable import ProbeCore

@Suite struct HeaderFieldsTests {
  static func parse(_ text: String) -> HeaderFields { parse(Array(text.utf8)) }

  static func parse(_ section: [UInt8]) -> HeaderFields {
    let head = HTTPResponseHead(wireBytes: Array("HTTP/1.1 200 OK\r\n".utf8) + section)
    return head?.fields ?? ["no": "head"]
  }

  static let sections: [(section: String, fields: [[String]])] = [
    ("A: 1\r\nB: 2\r\n\r\n", [["A", "1"], ["B", "2"]]),
    ("b: 2\na:1\n\nrest: of body", [["b", "2"], ["a", "1"]]),
    (
      "Set-Cookie: a\r\nset-cookie: b\r\nSET-COOKIE: c\r\n",
      [["Set-Cookie", "a"], ["set-cookie", "b"], ["SET-COOKIE", "c"]]
    ),
    ("A:\t  x y \t\r\n", [["A", "x y"]]),
    ("A:\r\nB:\r\n", [["A", ""], ["B", ""]]),
    ("A: 1\r\n  2\r\n\t3  \r\nB: 4\r\n", [["A", "1 2 3"], ["B", "4"]]),
    ("A:\r\n 1\r\n", [["A", "1"]]),
    ("A: 1 \r\n   \r\nB: 2\r\n", [["A", "1"], ["B", "2"]]),
    (" folded: before any\r\nA: 1\r\n", [["A", "1"]]),
    ("no colon here\r\nA: 1\r\n", [["A", "1"]]),
    (": no name\r\n \r\nA: 1\r\n", [["A", "1"]]),
    ("B: 2\r\nno colon here\r\n nor here: 3\r\nA: 1\r\n", [["B", "2"], ["A", "1"]]),
    ("Location : http://x/\r\n", [["Location", "http://x/"]]),
    ("A: b:c\r\n", [["A", "b:c"]]),
    ("A: 1\r", [["A", "1"]]),
    ("A: 1", [["A", "1"]]),
    ("", []), ("\r\n", []), ("\n", []), ("\r\nA: 1\r\n", []),
  ]

  @Test(arguments: sections)
  func parsesTheWire(_ section: String, fields: [[String]]) {
    let parsed = Self.parse(section)
    #expect(parsed.map { [$0.name, $0.value] } == fields)
    #expect(parsed.count == fields.count)
  }

  @Test func findsFieldsInAnyCase() {
    let fields = Self.parse("X-a: 1\r\nx-A: 2\r\nX-b: 3\r\n")
    #expect(fields["x-a"] == "1")
    #expect(fields.values(for: "X-A") == ["1", "2"])
    #expect(fields.rawValues(for: "X-A").map(Array.init) == [[0x31], [0x32]])
    #expect(fields["X"] == nil)
    #expect(fields.values(for: "nothing").isEmpty)
  }

  @Test func foldsOnlyLettersInNames() {
    // 0x40 and 0x60, 0x5B and 0x7B differ by the same bit as letters do.
    let fields = Self.parse("A@: 1\r\nA[: 2\r\n")
    #expect(fields["a`"] == nil)
    #expect(fields["a{"] == nil)
    #expect(fields["a@"] == "1")
  }

  @Test func valuesThatAreNotUTF8AreLatin1() {
    let fields = Self.parse(Array("A: caf".utf8) + [0xE9] + Array("\r\nB: café\r\n".utf8))
    #expect(fields["A"] == "café")
    #expect(fields["B"] == "café")
    #expect(fields.rawValues(for: "a").map(Array.init) == [Array("caf".utf8) + [0xE9]])
  }

  @Test func madeByHand() {
    var fields: HeaderFields = ["B": "1", "A": "2", "b": "3"]
    fields.append(name: "C", value: "")
    #expect(fields.map(\.name) == ["B", "A", "b", "C"])
    #expect(fields.values(for: "b") == ["1", "3"])
    #expect(fields["c"] == "")
    #expect(HeaderFields().isEmpty)
  }

  @Test func equalByNamesAndValuesInOrder() {
    let parsed = Self.parse("A:  1\r\nB: 2\r\n")
    #expect(parsed == ["A": "1", "B": "2"])
    #expect(parsed.hashValue == (["A": "1", "B": "2"] as HeaderFields).hashValue)
    #expect(parsed != ["B": "2", "A": "1"])
    #expect(parsed != ["a": "1", "B": "2"])
  }
}

@Suite struct HTTPResponseHeadTests {
  static let heads: [(text: String, version: String, status: Int, phrase: String, fields: Int)] = [
    ("HTTP/1.1 200 OK\r\nA: 1\r\n\r\n", "1.1", 200, "OK", 1),
    ("HTTP/1.0 302 Found You\nA: 1\nB: 2\n\n", "1.0", 302, "Found You", 2),
    ("HTTP/2 204\r\n\r\n", "2", 204, "", 0),
    ("HTTP/2 204 \r\n\r\n", "2", 204, "", 0),
    ("HTTP/1.1 999 ", "1.1", 999, "", 0),
    ("HTTP/1.1 200", "1.1", 200, "", 0),
    // As Chromium and Firefox read them.
    ("HTTP/1.1", "1.1", 200, "", 0),
    ("HTTP/1.1 ", "1.1", 200, "", 0),
    ("HTTP/1.1 20", "1.1", 20, "", 0),
    ("http/1.1 200 OK\r\nA: 1\r\n", "1.1", 200, "OK", 1),
    ("HTTP/1.1 511 Network Authentication Required\r\n", "1.1", 511, "Network Authentication Required", 0),
  ]

  @Test(arguments: heads)
  func parsesTheWire(_ text: String, version: String, status: Int, phrase: String, fields: Int) throws {
    let head = try #require(HTTPResponseHead(wireBytes: Array(text.utf8)))
    #expect(head.version == version)
    #expect(head.status == status)
    #expect(head.reasonPhrase == phrase)
    #expect(head.fields.count == fields)
  }

  @Test(arguments: [
    "", "HTTP/", "HTTP/1.1 2000 OK", "HTTP/1.1 20x OK", "HTTP/1.1 OK", "ICY 200 OK", "HTTP/ 200 OK", "<html>",
    "HTTP 200 OK", "\nHTTP/1.1 200 OK",
  ])
  func refuses(_ text: String) {
    #expect(HTTPResponseHead(wireBytes: Array(text.utf8)) == nil)
  }

  @Test func reasonPhrasesThatAreNotUTF8AreLatin1() {
    let bytes = Array("HTTP/1.1 404 Non trouv".utf8) + [0xE9, 0x0D, 0x0A]
    #expect(HTTPResponseHead(wireBytes: bytes)?.reasonPhrase == "Non trouvé")
  }

  @Test func extraSpacesBeforeTheStatusAreAccepted() {
    let head = HTTPResponseHead(wireBytes: Array("HTTP/1.1   302  Found\r\nA: b\r\n\r\n".utf8))
    #expect(head?.status == 302)
    #expect(head?.version == "1.1")
    #expect(head?.fields["a"] == "b")
  }

  @Test func redirects() throws {
    let redirects = (100..<600).filter { HTTPResponseHead(status: $0).isRedirect }
    #expect(redirects == [301, 302, 303, 307, 308])
    let url = try ProbeURL("http://h/a/")
    let hop = RedirectHop(of: HTTPResponseHead(status: 302, fields: ["location": "b"]), from: url)
    #expect(hop == RedirectHop(url: url, status: 302, location: "b", target: try ProbeURL("http://h/a/b")))
    #expect(RedirectHop(of: HTTPResponseHead(status: 200, fields: ["Location": "b"]), from: url) == nil)
    let nowhere = RedirectHop(of: HTTPResponseHead(status: 302), from: url)
    #expect(nowhere == RedirectHop(url: url, status: 302, location: nil, target: nil))
  }

  /// Each byte becomes one `%XX`, whatever the charset.
  @Test(
    arguments: [
      ([0x2F, 0x74, 0x3F, 0x73, 0x3D, 0xBE, 0xA9], "http://h/t?s=%BE%A9"),
      ([0x2F, 0xFC, 0x2F], "http://h/%FC/"), (Array("/ü?ü#ü".utf8), "http://h/%C3%BC?%C3%BC#%C3%BC"),
      ([0x2F, 0xFC, 0x23, 0xFC], "http://h/%FC#%FC"),
      (Array("/a\r\n\t?b".utf8) + [0xFC], "http://h/a%20?b%FC"),
      ([0x2F, 0x2F, 0xFC, 0x2F], nil),
    ] as [([UInt8], String?)])
  func aLocationKeepsItsBytes(_ location: [UInt8], _ target: String?) throws {
    let head = HTTPResponseHead(
      wireBytes: Array("HTTP/1.1 302 Found\r\nLocation: ".utf8) + location + Array("\r\n".utf8))
    #expect(RedirectHop(of: head, from: try ProbeURL("http://h/"))?.target?.string == target)
  }

  @Test func statusForDisplay() {
    #expect(HTTPResponseHead(status: 404, reasonPhrase: "No\u{1B}[2J").statusForDisplay == "404 No\\x1b[2J")
    #expect(HTTPResponseHead(status: 204).statusForDisplay == "204")
    #expect(
      HTTPResponseHead(status: 302, reasonPhrase: "Found", fields: ["Location": "\u{202E}x"]).statusForDisplay
        == "302 Found, a redirect to \"\\u{202e}x\"")
    #expect(HTTPResponseHead(status: 302).statusForDisplay == "302 without a Location")
  }
}
