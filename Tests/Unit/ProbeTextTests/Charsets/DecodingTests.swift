import ProbeText
import TestSupport
import Testing

@Suite
struct DecodingTests {
  struct Sample: Sendable {
    let charset: String
    let bytes: [UInt8]
    let text: String

    init(_ charset: String, _ bytes: [UInt8], _ text: String) {
      self.charset = charset
      self.bytes = bytes
      self.text = text
    }
  }

  static let samples: [Sample] = [
    // Cyrillic
    Sample("windows-1251", [0xC2, 0xF5, 0xEE, 0xE4, 0x20, 0xB8, 0x88], "Вход ё€"),
    Sample("koi8-r", [0xF7, 0xC8, 0xCF, 0xC4, 0x21, 0xA3], "Вход!ё"),
    Sample("koi8-u", [0xF7, 0xA7, 0xAD, 0xAE, 0xBE, 0x93, 0x9F], "Вїґў" + "Ў⌠÷"),
    Sample("iso-8859-5", [0xB2, 0xE5, 0xDE, 0xD4, 0xF1], "Входё"),
    Sample("ibm866", [0x82, 0xE5, 0xAE, 0xA4, 0xF1], "Входё"),
    Sample("x-mac-cyrillic", [0x82, 0xF5, 0xEE, 0xE4, 0xFF], "Вход€"),
    // Latin, Greek, Turkish, Baltic, Vietnamese
    Sample("windows-1252", [0x63, 0x61, 0x66, 0xE9, 0x80, 0x93, 0x81], "café€“\u{81}"),
    Sample("windows-1250", [0x50, 0xF8, 0x69, 0x68, 0x6C, 0xE1, 0x9A], "Přihláš"),
    Sample("iso-8859-2", [0xB9, 0xEC], "šě"),
    Sample("iso-8859-3", [0xA1, 0xF8], "Ħĝ"),
    Sample("iso-8859-4", [0xA2, 0xF9], "ĸų"),
    Sample("iso-8859-10", [0xA1, 0xFF], "Ąĸ"),
    Sample("iso-8859-13", [0xC0, 0xFF], "Ą’"),
    Sample("iso-8859-14", [0xA1, 0xFE], "Ḃŷ"),
    Sample("iso-8859-15", [0xA4, 0xBD], "€œ"),
    Sample("iso-8859-16", [0xAA, 0xDE], "ȘȚ"),
    Sample("macintosh", [0x8E, 0xC6, 0xDB, 0xF0], "é\u{2206}€\u{F8FF}"),
    Sample("windows-1253", [0xE1, 0xE2, 0xA2], "αβΆ"),
    Sample("iso-8859-7", [0xE1, 0xE2, 0xB6, 0xFF], "αβΆ\u{FFFD}"),
    Sample("windows-1254", [0xF0, 0xFD, 0xFE], "ğış"),
    Sample("windows-1257", [0xE0, 0xE8], "ąč"),
    // Characters as they are encoded, not composed.
    Sample("windows-1258", [0x61, 0xEC, 0xD0], "a\u{301}Đ"),
    // Arabic, Hebrew, Thai
    Sample("windows-1256", [0xE3, 0xD1, 0xCD, 0xC8, 0xC7], "مرحبا"),
    Sample("iso-8859-6", [0xE5, 0xD1, 0xCD, 0xC8, 0xC7], "مرحبا"),
    Sample(
      "windows-1255", [0xF9, 0xD1, 0xEC, 0xE5, 0xED, 0xCA], "\u{5E9}\u{5C1}\u{5DC}\u{5D5}\u{5DD}\u{5BA}"),
    Sample("iso-8859-8", [0xF9, 0xEC, 0xE5, 0xED], "שלום"),
    Sample("iso-8859-8-i", [0xF9, 0xEC, 0xE5, 0xED], "שלום"),
    Sample("windows-874", [0xCA, 0xC7, 0xD1, 0xCA, 0xB4, 0xD5, 0x80], "สวัสดี€"),
    // Japanese
    Sample("shift_jis", [0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x41, 0xB1, 0x87, 0x40, 0x80], "日本語Aｱ①\u{80}"),
    Sample("euc-jp", [0xC6, 0xFC, 0xCB, 0xDC, 0xB8, 0xEC, 0x41, 0x8E, 0xB1, 0xF9, 0xA1], "日本語Aｱ纊"),
    Sample(
      "iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x38, 0x6C, 0x1B, 0x28, 0x42, 0x41], "日本語A"),
    Sample(
      "iso-2022-jp", [0x1B, 0x24, 0x42, 0x2D, 0x21, 0x1B, 0x28, 0x49, 0x31, 0x1B, 0x28, 0x4A, 0x5C, 0x7E],
      "①ｱ¥‾"),
    // Chinese
    Sample("gbk", [0xB5, 0xC7, 0xC2, 0xBC, 0x41, 0x80], "登录A€"),
    Sample("gb18030", [0xB5, 0xC7, 0xC2, 0xBC, 0x94, 0x39, 0xDA, 0x33], "登录💩"),
    Sample("big5", [0xB5, 0x6E, 0xA4, 0x4A, 0x41, 0x8E, 0xCD, 0x88, 0x62], "登入A者\u{CA}\u{304}"),
    // Korean, with a letter that only windows-949 has
    Sample("euc-kr", [0xB7, 0xCE, 0xB1, 0xD7, 0xC0, 0xCE, 0x8C, 0x63], "로그인똠"),
    // Unicode
    Sample("utf-16le", [0x1F, 0x04, 0x3D, 0xD8, 0xA9, 0xDC, 0x41, 0x00], "П💩A"),
    Sample("utf-16be", [0x04, 0x1F, 0xD8, 0x3D, 0xDC, 0xA9, 0x00, 0x41], "П💩A"),
    Sample("x-user-defined", [0x41, 0x80, 0xBF, 0xC0, 0xFF], "A\u{F780}\u{F7BF}\u{F7C0}\u{F7FF}"),
    Sample("utf-8", [0xD0, 0x9F], "П"),
  ]

  @Test(arguments: samples)
  func `returns the text`(sample: Sample) throws {
    let charset = try #require(Charset(label: sample.charset.utf8))
    let text = try #require(charset.decode(sample.bytes[...]))
    #expect(Array(text) == Array(sample.text.utf8), "\(String(decoding: text, as: UTF8.self))")
  }

  @Test func `has a sample of every charset`() {
    let sampled = Set(Self.samples.map(\.charset))
    #expect(Set(Charset.all.map(\.name)).subtracting(sampled) == ["replacement"])
  }

  @Test(
    arguments: [
      // A sequence that is cut at the end.
      ("shift_jis", [0x41, 0x93], "A\u{FFFD}"), ("euc-jp", [0x41, 0x8F, 0xB0], "A\u{FFFD}"),
      ("gb18030", [0x41, 0x94, 0x39, 0xDA], "A\u{FFFD}"), ("big5", [0x41, 0xB5], "A\u{FFFD}"),
      ("euc-kr", [0x41, 0xB7], "A\u{FFFD}"), ("utf-16le", [0x41, 0x00, 0x42], "A\u{FFFD}"),
      ("utf-16be", [0x00, 0x41, 0xD8, 0x3D], "A\u{FFFD}"),
      ("iso-2022-jp", [0x41, 0x1B, 0x24, 0x42, 0x46], "A\u{FFFD}"),
      // An invalid sequence does not consume ASCII.
      ("shift_jis", [0x93, 0x22, 0x3E], "\u{FFFD}\">"), ("euc-jp", [0xC6, 0x3C, 0x41], "\u{FFFD}<A"),
      ("gbk", [0xB5, 0x22, 0x41], "\u{FFFD}\"A"), ("big5", [0xB5, 0x3E, 0x41], "\u{FFFD}>A"),
      ("euc-kr", [0xB7, 0x3E, 0x41], "\u{FFFD}>A"), ("euc-kr", [0xA2, 0xE8, 0x41], "\u{FFFD}A"),
      ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x1B, 0x28, 0x42, 0x41], "\u{FFFD}A"),
      ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x1B, 0x28, 0x42, 0x41], "\u{FFFD}A"),
      ("iso-2022-jp", [0x41, 0x1B, 0x1B, 0x24, 0x28], "A\u{FFFD}\u{FFFD}$("),
      // A lone surrogate, high and low, before a letter.
      ("utf-16le", [0x3D, 0xD8, 0x41, 0x00], "\u{FFFD}A"),
      ("utf-16be", [0xDC, 0xA9, 0x00, 0x41], "\u{FFFD}A"),
    ] as [(String, [UInt8], String)])
  func `continues after invalid bytes`(charset: String, bytes: [UInt8], text: String) throws {
    let decoded = try #require(Charset(label: charset.utf8)?.decode(bytes[...]))
    #expect(Array(decoded) == Array(text.utf8), "\(String(decoding: decoded, as: UTF8.self))")
  }

  @Test(arguments: Charset.all)
  func `leaves ASCII alone`(charset: Charset) throws {
    guard charset.name != "replacement", !charset.name.hasPrefix("utf-16") else { return }
    let ascii = (UInt8(0)..<0x80).filter { ![0x0E, 0x0F, 0x1B].contains($0) }
    #expect(try Array(#require(charset.decode(ascii[...]))) == ascii)
    // Also if other bytes prevent it from being passed through.
    let mixed = ascii + [0x80]
    #expect(try #require(charset.decode(mixed[...])).starts(with: ascii))
  }

  @Test(arguments: Charset.all)
  func `decodes each byte separately`(charset: Charset) throws {
    guard charset.name != "replacement" else { return }
    for byte in UInt8.min...UInt8.max {
      let text = try #require(charset.decode([byte][...]))
      #expect(charset == .utf8 || String(validating: text, as: UTF8.self) != nil)
      #expect(text.count <= 3)
    }
  }

  @Test(arguments: Charset.all)
  func `never traps and stays in bounds`(charset: Charset) throws {
    guard charset.name != "replacement" else { return }
    var numbers = SeededNumbers(seed: 42)
    for length in [1, 2, 3, 7, 100, 8191, 8192, 8193] {
      for _ in 0..<(length < 1000 ? 8 : 1) {
        let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        let text = try #require(charset.decode(bytes[...]))
        #expect(charset == .utf8 || String(validating: text, as: UTF8.self) != nil)
        #expect(text.count <= 3 * length)
        // Of a slice of an array, only the slice is read.
        let part = try #require(charset.decode(bytes[(length / 2)...]))
        #expect(try Array(part) == Array(#require(charset.decode(Array(bytes[(length / 2)...])[...]))))
      }
    }
  }

  @Test func `concurrent calls return their own texts`() async throws {
    let right = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<400 {
        let sample = Self.samples[number % Self.samples.count]
        group.addTask {
          let text = Charset(label: sample.charset.utf8)?.decode(sample.bytes[...])
          return text?.elementsEqual(sample.text.utf8) == true
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(right == 400)
  }
}
