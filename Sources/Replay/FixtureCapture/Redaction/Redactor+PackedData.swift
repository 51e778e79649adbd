internal import ProbeCore
internal import ProbeCodecs

/// Finds secrets also in data that is compressed, or in Base64 of such data.
extension Redactor {
  /// The Base64 characters of the first bytes of gzip, and the number of bits of these bytes that precede them; a negative
  /// number of bits at their start belongs to another byte.
  private static let starts: [(text: [UInt8], bits: Int)] =
    [("H4sI", 0), ("fiwg", 2)].map { (Array($0.utf8), $1) }
    + "BRhx".utf8.flatMap { first in ["+", "-"].map { ([first] + Array("\($0)LC".utf8), -2) } }
  private static let search = EscapedTextSearch(starts.map(\.text))
  /// How often Base64 is decoded that is compressed in Base64 in turn.
  private static let depth = 3

  /// Whether compressed data contains a secret, or may contain one.
  func mayContainSecret(_ data: PackedData, _ budget: inout Int) -> Bool {
    mayContainSecret(data, &budget, depth: Self.depth)
  }

  private func mayContainSecret(_ data: PackedData, _ budget: inout Int, depth: Int) -> Bool {
    !data.isSearched || data.texts.contains { maskedWithData($0, &budget, depth: depth) != nil }
  }

  /// Replaces each byte of a secret, and of Base64 of compressed data that contains one or may contain one, by an `x`.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - budget: The number of bytes that may be decompressed, which is decreased by those that are.
  /// - Returns: The text, and whether data is lost; nil if there is nothing to replace.
  func maskedWithData(_ text: [UInt8], _ budget: inout Int) -> (bytes: [UInt8], hasLostData: Bool)? {
    maskedWithData(text, &budget, depth: Self.depth)
  }

  /// The same for a text of its own, without whether data is lost.
  func maskedWithData(_ text: [UInt8]) -> [UInt8]? {
    var budget = WireText.unpackedLimit
    return maskedWithData(text, &budget)?.bytes
  }

  private func maskedWithData(
    _ text: [UInt8], _ budget: inout Int, depth: Int
  ) -> (bytes: [UInt8], hasLostData: Bool)? {
    var result = masked(text)
    var hasLostData = false
    var end = 0
    let starts = Self.search.matches(in: text).sorted { $0.range.lowerBound < $1.range.lowerBound }
    for match in starts {
      let (start, bits) = (match.range.lowerBound, match.form.map { Self.starts[$0].bits } ?? 0)
      // The first bytes only, before a run that may be long is decoded.
      guard start >= end,
        Base64Run(in: text, from: start, precededBy: bits, limit: 3).bytes == Inflation.gzipStart
      else { continue }
      let run = Base64Run(in: text, from: start, precededBy: bits)
      let found = PackedData.find(in: run.bytes, budget: &budget)
      end = run.end
      guard depth == 0 || found.contains(where: { mayContainSecret($0, &budget, depth: depth - 1) }) else {
        continue
      }
      hasLostData = true
      var masked = result ?? text
      for index in run.ranges.joined() { masked[index] = UInt8(ascii: "x") }
      result = masked
    }
    return result.map { ($0, hasLostData) }
  }
}

/// Base64 in a text, of either alphabet, in any lines and escapes.
private struct Base64Run {
  /// The decoded bytes.
  private(set) var bytes: [UInt8] = []
  /// The ranges of its characters.
  private(set) var ranges: [Range<Int>] = []
  /// The offset after it.
  private(set) var end: Int

  /// Reads the characters from an offset on.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - start: The offset.
  ///   - missing: The number of bits, all 0, before the first character that belong to the first byte; if negative, the
  ///     number of its first bits that do not.
  ///   - limit: The maximum number of bytes.
  init(in text: [UInt8], from start: Int, precededBy missing: Int, limit: Int = .max) {
    end = start
    var (bits, count) = (0 as UInt32, missing)
    var isLineStart = false
    while end < text.count, bytes.count < limit {
      var (byte, length) = (text[end], 1)
      if UnescapedText.isIntroducer(byte) {
        let escape = UnescapedText(end..<min(text.count, end + 12), of: text)
        (byte, length) = (escape.bytes[0], escape.ranges[0].count)
      }
      if let value = Self.value(of: byte) {
        bits = bits << 6 | value
        count += 6
        if count >= 8 {
          count -= 8
          bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(truncatingIfNeeded: count)))
        }
        ranges.append(end..<(end + length))
        isLineStart = false
      } else {
        isLineStart = byte == 0x0A || byte == 0x0D || isLineStart && byte.isFieldSpace
        guard isLineStart else { return }
      }
      end += length
    }
  }

  private static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(widening: byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(widening: byte - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(widening: byte - UInt8(ascii: "0") + 52)
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
