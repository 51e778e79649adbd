import ProbeCore
import Testing
import ProbeText

@testable import PortalAnalysis

@Suite struct UndeclaredTextTests {
  @Test(arguments: [
    ("windows-1252", "windows-1252", "Accès refusé : ce site est bloqué."),
    ("windows-1251", "windows-1251", "Доступ к сайту ограничен по решению суда."),
    ("koi8-r", "koi8-r", "Доступ к сайту ограничен по решению суда."),
    ("windows-1250", "windows-1250", "Přístup byl zablokován, zakázaný obsah je škodlivý."),
    ("iso-8859-2", "iso-8859-2", "Přihlášení k bezdrátové síti, přihlašovací údaje, připojení k internetu"),
    ("windows-1253", "windows-1253", "Η πρόσβαση στην ιστοσελίδα έχει αποκλειστεί."),
    ("windows-1254", "windows-1254", "Kullanıcı adı ve şifre ile giriş yapın, erişim engellendi"),
    ("windows-1255", "windows-1255", "הגישה לאתר נחסמה על פי צו שיפוטי"),
    ("windows-1256", "windows-1256", "الموقع المطلوب محجوب لمخالفته القانون"),
    ("windows-874", "windows-874", "เว็บไซต์นี้ถูกระงับการเผยแพร่ตามคำสั่งศาล"),
    ("gb18030", "gb18030", "您访问的网站已被拦截，含有违法信息。"),
    ("big5", "big5", "請輸入密碼以連線至免費無線網路。"),
    ("shift_jis", "shift_jis", "このサイトへのアクセスは禁止されています。閲覧できません。"),
    ("euc-jp", "euc-jp", "このサイトへのアクセスは禁止されています。閲覧できません。"),
    ("euc-kr", "euc-kr", "불법 사이트로 접속이 차단되었습니다."),
  ])
  func theCharsetWithTheMostKnownTextIsChosen(_ label: String, _ name: String, _ text: String) throws {
    let page = try encoded("<html><title>x</title><p>\(text)</p>", label)
    #expect(UndeclaredText.charset(of: page[...])?.name == name)
    let response = ProbeResponse(
      url: try ProbeURL("http://probe.example/"), head: HTTPResponseHead(status: 200), body: page)
    #expect(String(decoding: UndeclaredText.text(of: response).bytes, as: UTF8.self).contains(text))
  }

  @Test(
    arguments: [
      Array("plain".utf8), Array("Доступ запрещён".utf8), [], Array("cut é".utf8).dropLast(),
      Array("Доступ запрещён, одна ошибка: ".utf8) + [0xFF],
    ] as [[UInt8]])
  func textInUTF8IsUnchanged(_ bytes: [UInt8]) throws {
    #expect(UndeclaredText.charset(of: bytes[...]) == nil)
    let response = ProbeResponse(
      url: try ProbeURL("http://probe.example/"), head: HTTPResponseHead(status: 200), body: bytes)
    #expect(UndeclaredText.text(of: response).bytes.elementsEqual(bytes))
  }

  @Test func theFirstCharsetWinsIfNoWordIsKnown() {
    #expect(UndeclaredText.charset(of: [0xE9, 0x20, 0xE8][...])?.name == "windows-1252")
  }

  @Test func aDeclaredCharsetTakesPrecedence() throws {
    let fields: HeaderFields = ["Content-Type": "text/html; charset=windows-1252"]
    let page = try encoded("Доступ запрещен", "windows-1251")
    let response = ProbeResponse(
      url: try ProbeURL("http://probe.example/"), head: HTTPResponseHead(status: 200, fields: fields),
      body: page)
    #expect(String(decoding: UndeclaredText.text(of: response).bytes, as: UTF8.self).hasPrefix("Äîñòóï"))
  }

  @Test func scriptsBeforeTheTextDoNotFillTheSample() throws {
    let script = String(repeating: "var a = 1;\n", count: 5000)
    let page = try encoded("<script>\(script)</script><p>Доступ запрещен</p>", "windows-1251")
    #expect(UndeclaredText.charset(of: page[...])?.name == "windows-1251")
  }

  @Test func everyCandidateCharsetIsAvailable() {
    #expect(UndeclaredText.candidates.count == 18)
    for charset in UndeclaredText.candidates {
      #expect(charset.decode(Array("a1".utf8)[...])?.elementsEqual("a1".utf8) == true, "\(charset.name)")
    }
  }

  private func encoded(_ text: String, _ label: String) throws -> [UInt8] {
    try LegacyEncoder(label).encode(text)
  }
}

/// Encodes text in a legacy charset, by looking up each character in the decoded bytes of the charset.
private struct LegacyEncoder {
  private var bytes: [Unicode.Scalar: [UInt8]] = [:]

  init(_ label: String) throws {
    let charset = try #require(Charset(label: label.utf8))
    read([UInt8(0x80)...0xFF].joined().map { [$0] }, in: charset)
    guard !["windows", "iso", "koi"].contains(where: label.hasPrefix) else { return }
    for lead in UInt8(0x81)...0xFE { read((UInt8(0x40)...0xFE).map { [lead, $0] }, in: charset) }
  }

  /// Decodes all codes at once, one per line.
  private mutating func read(_ codes: [[UInt8]], in charset: Charset) {
    let table = codes.flatMap { $0 + [UInt8(ascii: "\n")] }
    let lines = charset.decode(table[...])?.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard let lines, lines.count == codes.count + 1 else { return }
    for (code, line) in zip(codes, lines) {
      let meaning = String(decoding: line, as: UTF8.self).unicodeScalars
      guard meaning.count == 1, let character = meaning.first, character != "\u{FFFD}" else { continue }
      bytes[character] = bytes[character] ?? code
    }
  }

  func encode(_ text: String) throws -> [UInt8] {
    try text.unicodeScalars.flatMap { character in
      character.isASCII ? Array(String(character).utf8) : try #require(bytes[character], "\(character)")
    }
  }
}
