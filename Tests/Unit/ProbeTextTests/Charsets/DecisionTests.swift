import ProbeCore
import ProbeText
import TestSupport
import Testing

@Suite
struct DecisionTests {
  static let word: [UInt8] = [0xC2, 0xF5, 0xEE, 0xE4]  // "Вход" in windows-1251, "Âõîä" in windows-1252

  private func text(_ types: [String], _ body: [UInt8]) throws -> ResponseText {
    let fields = HeaderFields(types.map { (name: "content-TYPE", value: $0) })
    return ProbeResponse(
      url: try ProbeURL("http://example.com/"), head: HTTPResponseHead(status: 200, fields: fields),
      body: body
    ).text
  }

  @Test(
    arguments: [
      ("text/html; charset=windows-1251", "windows-1251"),
      ("text/html;charset=\"windows-1251\"", "windows-1251"),
      ("text/html; charset='Windows-1251'", "windows-1251"),
      ("TEXT/HTML ; CharSet = CP1251 ; x=y", "windows-1251"),
      ("text/html; boundary=\"charset=utf-8\"; charset=cp1251", "windows-1251"),
      ("text/html;;; charset=cp1251", "windows-1251"),
      ("text/html; charset; charset=cp1251", "windows-1251"),
      ("text/html; charset=bogus; charset=cp1251", "windows-1251"),
      ("text/html; charset=cp1251, text/html", "windows-1251"),
      ("text/html, charset=cp1251", "windows-1251"),
      ("; charset=cp1251", "windows-1251"),
      ("text/html; charset=cp1251 junk", "windows-1251"),
      ("text/html; charset=\"cp1251", "windows-1251"),
      ("text/html; xcharset=cp1251", nil), ("text/html; charset=", nil), ("text/html; charset=\"\"", nil),
      ("text/html; charset=utf-7", nil), ("charset=cp1251", nil), ("text/html; charset =", nil), ("", nil),
      (";", nil), ("text/html; =cp1251", nil), ("text/html; charset=iso-2022-kr", nil),
      ("text/html; charset=UTF-8", "utf-8"), ("text/html; charset=utf8", "utf-8"),
    ] as [(String, String?)])
  func `is that of Content-Type`(value: String, name: String?) throws {
    #expect(try text([value], Self.word).charset?.name == name)
  }

  @Test func `of several fields the last with a charset counts`() throws {
    #expect(
      try text(["text/html; charset=koi8-r", "text/html; charset=cp1251", "text/html"], Self.word)
        .charset?.name == "windows-1251")
  }

  @Test(
    arguments: [
      ("<meta charset=windows-1251>", "windows-1251"), ("<META CHARSET='cp1251'/>", "windows-1251"),
      ("<!DOCTYPE html><html><head><title>x</title><meta name=a charset = \"cp1251\">", "windows-1251"),
      ("<meta http-equiv=\"Content-Type\" content=\"text/html; charset=cp1251\">", "windows-1251"),
      ("<meta content='text/html;charset=\"cp1251\"' http-equiv=CONTENT-TYPE>", "windows-1251"),
      ("<meta/charset=cp1251>", "windows-1251"),
      // Not without http-equiv, and not at other positions.
      ("<meta content='text/html;charset=cp1251'>", nil), ("<metadata charset=cp1251>", nil),
      ("<meta name=charset content=cp1251>", nil), ("<p title='<meta charset=cp1251>'>", nil),
      ("<!-- <meta charset=koi8-r> --><meta charset=cp1251>", "windows-1251"),
      ("<!--><meta charset=cp1251>", "windows-1251"), ("<!-- <meta charset=cp1251>", nil),
      ("<!x '><meta charset=cp1251>", "windows-1251"), ("</p x='><'><meta charset=cp1251>", "windows-1251"),
      ("<meta charset=bogus><meta charset=cp1251>", "windows-1251"),
      ("<meta charset=cp1251 charset=koi8-r>", "windows-1251"),
      ("<meta charset=koi8-r><meta charset=cp1251>", "koi8-r"),
      // The standard's rules for impossible declarations.
      ("<meta charset=utf-16>", "utf-8"), ("<meta charset=utf-16be>", "utf-8"),
      ("<meta charset=x-user-defined>", "windows-1252"), ("<meta charset=iso-2022-kr>", nil),
      // Cut.
      ("<meta charset=cp1251", nil), ("<meta charset='cp1251", nil), ("<meta charset=", nil), ("<meta ", nil),
      ("<", nil), ("<!", nil), ("</", nil), ("<meta", nil), ("<p", nil), ("<p a=", nil),
      // XML
      ("<?xml version=\"1.0\" encoding=\"cp1251\"?><a/>", "windows-1251"),
      ("<?xml version='1.0' encoding = 'cp1251'?>", "windows-1251"),
      ("<?xml version='1.0' encoding='koi8-r'?><meta charset=cp1251>", "windows-1251"),
      ("<?xml version='1.0' encoding='utf-16'?>", "utf-8"), ("<?xml version='1.0'?>", nil),
      ("<?xml encoding=cp1251?>", nil), ("<?xml encoding='cp1251", nil), (" <?xml encoding='cp1251'?>", nil),
    ] as [(String, String?)])
  func `is that named by the page`(page: String, name: String?) throws {
    #expect(try text(["text/html"], Array(page.utf8)).charset?.name == name)
    #expect(try text([], Array(page.utf8)).charset?.name == name)
    #expect(try text(["text/html; charset=bogus"], Array(page.utf8)).charset?.name == name)
  }

  @Test(
    arguments: [
      ("text/plain", nil), ("application/json", nil), ("text/html", "windows-1251"),
      ("application/xhtml+xml; q=1", "windows-1251"), ("Text / XML", "windows-1251"),
      ("nonsense", "windows-1251"),
    ] as [(String, String?)])
  func `is searched only in pages`(type: String, name: String?) throws {
    #expect(try text([type], Array("<meta charset=cp1251>".utf8)).charset?.name == name)
    #expect(try text([], Array("{\"<meta charset=cp1251>\": 1}".utf8)).charset == nil)
  }

  @Test func `must be in the first 1024 bytes`() throws {
    let tag = "<meta charset=cp1251>"
    for (space, name) in [(1024 - tag.utf8.count, "windows-1251"), (1025 - tag.utf8.count, nil)] {
      let page = String(repeating: " ", count: space - 3) + "<p>" + tag
      #expect(try text(["text/html"], Array(page.utf8)).charset?.name == name)
    }
  }

  @Test func `comes from a byte order mark first, then the head, then the page`() throws {
    let page = Array("<meta charset=koi8-r>".utf8)
    #expect(try text(["text/html; charset=cp1251"], page).charset?.name == "windows-1251")
    #expect(try text(["text/html"], page).charset?.name == "koi8-r")
    let marked = try text(["text/html; charset=cp1251"], [0xEF, 0xBB, 0xBF] + page)
    #expect(marked.charset == .utf8)
    #expect(Array(marked.bytes) == page)
    #expect(marked.bytes.startIndex == 3)
    #expect(!marked.isConverted)
  }

  @Test func `of UTF-16 is determined by the mark or the head`() throws {
    let low: [UInt8] = [0x12, 0x04, 0x41, 0x00]
    let high: [UInt8] = [0x04, 0x12, 0x00, 0x41]
    let cases: [([String], [UInt8])] = [
      ([], [0xFF, 0xFE] + low), ([], [0xFE, 0xFF] + high), (["text/plain;charset=utf-16"], low),
      (["text/plain;charset=utf-16le"], low), (["text/plain;charset=utf-16be"], high),
      (["text/plain;charset=utf-16"], [0xFE, 0xFF] + high),
      (["text/plain;charset=utf-8"], [0xFF, 0xFE] + low),
    ]
    for (types, body) in cases {
      let text = try text(types, body)
      #expect(String(decoding: text.bytes, as: UTF8.self) == "ВA")
      #expect(text.isConverted)
    }
    let declaration: [UInt8] = Array("<?xml?>".utf8.map { [$0, 0] }.joined())
    #expect(try text(["text/xml"], declaration).charset == .utf16le)
  }

  @Test(arguments: ["utf-8", "", "iso-2022-kr", "bogus"])
  func `without a charset the bytes are unchanged`(label: String) throws {
    let bytes: [UInt8] = [0xFF, 0x41, 0xC2, 0xF5, 0xE2, 0x82]
    let text = try text(["text/plain; charset=\(label)"], bytes)
    #expect(Array(text.bytes) == bytes)
    #expect(!text.isConverted)
  }

  @Test func `converts nothing where all is ASCII`() throws {
    let text = try text(["text/plain; charset=shift_jis"], Array("success".utf8))
    #expect(text.charset?.name == "shift_jis")
    #expect(!text.isConverted)
  }

  @Test func `is not searched over TCP`() throws {
    let bytes: [UInt8] = [0xEF, 0xBB, 0xBF, 0x41]
    let text = ProbeResponse(url: try ProbeURL("tcp://example.com:25"), body: bytes).text
    #expect(Array(text.bytes) == bytes)
    #expect(text.charset == nil)
  }

  @Test func `is determined for any bytes`() throws {
    var numbers = SeededNumbers(seed: 7)
    let parts = [
      "<meta ", "charset=", "'", "\"", "<!--", "-->", ">", "/", "=", " ", "<p", "cp1251", ";", "content",
    ]
    for _ in 0..<5000 {
      var page = "<"
      for _ in 0..<Int.random(in: 0..<14, using: &numbers) { page += parts.randomElement(using: &numbers)! }
      _ = try text([page], Array(page.utf8))
      _ = try text(["text/html"], Array(page.utf8))
    }
  }
}
