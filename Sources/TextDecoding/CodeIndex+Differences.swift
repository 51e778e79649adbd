internal import Iconv

/// Where the Encoding Standard has other characters than the C library.
extension CodeIndex {
  /// A code's number in the index, and its character.
  typealias Difference = (number: Int, character: Unicode.Scalar)

  /// The characters that the C library has for other codes, or does not have.
  var differences: [Difference] {
    switch self {
    case .upperHalf(let name): Self.single[name, default: []]
    // An ideographic space, and six characters that are still in private use.
    case .gb18030:
      [
        (6555, "\u{3000}"), (23_767, "\u{E816}"), (23_768, "\u{E817}"), (23_769, "\u{E818}"),
        (23_794, "\u{E831}"), (23_804, "\u{E83B}"), (23_830, "\u{E855}"),
      ]
    // What GB 18030-2022 has moved to codes of two bytes keeps those of four.
    case .gb18030Ranges: Self.run(of: 8, 0x9FB4, from: 19_057) + Self.run(of: 10, 0xFE10, from: 39_076)
    case .big5: Self.run(of: 32, 0x2400, from: 5432) + Self.run(of: 1, 0x2421, from: 5464) + Self.compatible
    case .jis0212: [(128, "\u{A6}")]
    case .jis0208, .eucKR: []
    }
  }

  /// Characters one behind the other, as their codes are.
  private static func run(of count: Int, _ first: UInt32, from number: Int) -> [Difference] {
    (0..<count).map { (number + $0, Unicode.Scalar(first + UInt32($0)) ?? "\u{FFFD}") }
  }

  private static let single: [ConverterName: [Difference]] = [
    "CP1255": [(0x4A, "\u{5BA}")], "MAC-UK": [(0x7F, "\u{20AC}")],
    "MACINTOSH": [(0x46, "\u{2206}"), (0x70, "\u{F8FF}")], "KOI8-U": [(0x2E, "\u{45E}"), (0x3E, "\u{40E}")],
  ]

  /// Codes of Big5 whose characters have another code as well, which glibc leaves out: pages have them that were
  /// written by the earlier sets of Hong Kong and Taiwan.
  private static let compatible: [Difference] = """
    8e69箸 8e6f簆 8e7e糎 8eab緒 8eb4縝 8ecd者 8ed0耨 8f57菁 8f69蒨 8f6e萏 8fcb覦 8fcc覩 8ffe起 906d都 907a銹 90dc靜
    90f1響 91bf鼖 9244蔃 92af兙 92b0兛 92b1兝 92b2兞 92c8鍮 92d1瑹 9447浧 94ca禛 95d9邗 9644靝 96ed瀞 96fc嬨 9b76爁
    9b78矗 9b7b纇 9bc6駖 9bde釔 9bec惞 9bf6澶 9c42輶 9c53侻 9c62營 9c68鄄 9c6b鷰 9c77菏 9cbc尐 9cbd秣 9cd0婧 9d57輋
    9d5a筑 9dc4拐 9ea9恢 9eef痹 9efd汊 9f60鬮 9f66鼗 9fcb僭 9fd8弌 a063蠏 a077拎 a0d5瑨 a0df煢 a0e4牐 c6cf廴 c6d3无
    c6d5癶 c6d7隶 c6de〃 c6df仝 fa5f倩 fa66偽 fabd包 fac5卄 fad5卿 fb48嘅 fbb8婷 fbf3幵 fbf9廐 fc4f彘 fc6c悤 fcb9撐
    fce2晴 fcf1杞 fdb7沜 fdb8渝 fdbb港 fdf1煮 fe52猪 fe6f瑜 feaa瓩 fedd砉
    """.split(whereSeparator: \.isWhitespace).compactMap { entry in
      guard let code = Int(entry.prefix(4), radix: 16), let character = entry.unicodeScalars.last else {
        return nil
      }
      let trail = code & 0xFF
      return ((code >> 8 - 0x81) * 157 + trail - (trail < 0x7F ? 0x40 : 0x62), character)
    }
}
