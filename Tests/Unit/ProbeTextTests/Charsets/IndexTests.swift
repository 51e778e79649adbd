import TestRequirements
import ProbeText
import Testing

/// Every code of every charset, compared with an independent implementation of the Encoding Standard.
@Suite
struct IndexTests {
  /// The concatenated texts of all codes in encoding_rs 0.8.31, as a hash (FNV-1a, 64 bits); with the 18
  /// characters that GB 18030-2022 has moved since.
  static let texts: [(charset: String, hash: UInt64)] = [
    ("ibm866", 0x1FC2571F04806DCA), ("iso-8859-2", 0x588024DC95E3E2B6), ("iso-8859-3", 0x135E61974CA24517),
    ("iso-8859-4", 0x91E374CB717C9E0F), ("iso-8859-5", 0xB83ADA894CDB942F),
    ("iso-8859-6", 0x54794F86B052C862),
    ("iso-8859-7", 0x8A37FB522272B5E9), ("iso-8859-8", 0xDA8AB993F35595DD),
    ("iso-8859-10", 0xF6255D1C555EA19B),
    ("iso-8859-13", 0xC6295F216259D2E1), ("iso-8859-14", 0xDC6E3A7B6097D8B5),
    ("iso-8859-15", 0x5DF0B681D68EED40), ("iso-8859-16", 0x67E71470C2C3C702), ("koi8-r", 0x525656E2FBD23BD),
    ("koi8-u", 0x42B0ACD8C134FC1), ("macintosh", 0xF8632623AB537BB5), ("windows-874", 0x54FE9749B6D19313),
    ("windows-1250", 0x6CCEF6573D6D9235), ("windows-1251", 0x9448B7D066A753A5),
    ("windows-1252", 0x29CCFE220DC0C01A), ("windows-1253", 0xDED5F7D24E4DC710),
    ("windows-1254", 0x29E5A164D75B4794), ("windows-1255", 0xBAA31A84BEE9449F),
    ("windows-1256", 0xE1F9D9190525E0CB), ("windows-1257", 0x879C25A3BA7F16CE),
    ("windows-1258", 0xFFED1FCE560D4F03), ("x-mac-cyrillic", 0x18E067F8C866B605), ("gbk", 0xE752161A2CA4CB4E),
    ("gb18030", 0xE752161A2CA4CB4E), ("big5", 0x16A7D6B0176BA932), ("euc-jp", 0xD0A192F888B9A1D9),
    ("shift_jis", 0x76E9B81713FC795F), ("euc-kr", 0x9C7DA4BDB8CB9D52), ("iso-2022-jp", 0xF191C1C356BB12A),
  ]

  @Test(.heavy, arguments: texts)
  func `every code is the character of the standard`(name: String, hash: UInt64) throws {
    let charset = try #require(Charset(label: name.utf8))
    var found: UInt64 = 0xCBF2_9CE4_8422_2325
    for code in Self.codes(of: name) {
      for byte in try #require(charset.decode(code[...])) {
        found = (found ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
    #expect(found == hash)
  }

  /// The codes, valid or not, in the order of the hash: one byte, or two at the end of input, and for EUC-JP
  /// three.
  static func codes(of name: String) -> [[UInt8]] {
    let bytes = UInt8.min...UInt8.max
    let high = UInt8(0x80)...0xFF
    switch name {
    case "gbk", "gb18030", "big5", "shift_jis", "euc-kr":
      return high.flatMap { lead in bytes.map { [lead, $0] } }
    case "euc-jp":
      return high.flatMap { lead in
        bytes.flatMap { next in
          [[lead, next]] + (lead == 0x8F ? bytes.map { [lead, next, $0] } : [])
        }
      }
    case "iso-2022-jp":
      let printable = UInt8(0x21)...0x7E
      return printable.flatMap { lead in
        printable.map { [0x1B, 0x24, 0x42, lead, $0, 0x1B, 0x28, 0x42] }
      }
    default: return high.map { [$0] }
    }
  }

  @Test(
    arguments: [
      ([0x81, 0x30, 0x81, 0x30], "\u{80}"), ([0x84, 0x31, 0xA4, 0x39], "\u{FFFF}"),
      ([0x81, 0x35, 0xF4, 0x37], "\u{E7C7}"), ([0x82, 0x35, 0x90, 0x37], "\u{9FB4}"),
      ([0x84, 0x31, 0x83, 0x35], "\u{FE19}"), ([0x90, 0x30, 0x81, 0x30], "\u{10000}"),
      ([0xE3, 0x32, 0x9A, 0x35], "\u{10FFFF}"), ([0xE3, 0x32, 0x9A, 0x36], "\u{FFFD}"),
      ([0x84, 0x31, 0xA5, 0x30], "\u{FFFD}"), ([0x81, 0x30, 0x41, 0x42], "\u{FFFD}0AB"),
      ([0x81, 0x30, 0x81, 0x41], "\u{FFFD}0\u{4E04}"), ([0x81, 0x30, 0x81], "\u{FFFD}"),
      ([0x81, 0x30], "\u{FFFD}"),
    ] as [([UInt8], String)])
  func `gb18030 has four bytes for the rest of Unicode`(bytes: [UInt8], text: String) throws {
    let decoded = try #require(Charset(label: "gb18030".utf8)?.decode(bytes[...]))
    #expect(Array(decoded) == Array(text.utf8), "\(String(decoding: decoded, as: UTF8.self))")
  }
}
