import ProbeBase

/// Supports escapes such as `\ud83d\ude00`, which JSON uses for characters beyond U+FFFF (RFC 8259 §7) and
/// libyaml rejects.
///
/// In the parser's input, each half of a pair is replaced by the escape of a private-use character, which has
/// the same length, so that all offsets stay the same. Afterwards exactly these characters are converted
/// back: the file may contain other private-use characters, or such an escape as plain text.
struct SurrogatePairs {
  /// The input for the parser.
  private(set) var bytes: [UInt8]
  private let original: [UInt8]
  /// The offsets of the backslashes of replaced halves.
  private var replaced: Set<Int> = []

  /// Private use: U+E000 for U+D800, and so on.
  private static let shift: UInt32 = 0x800
  private static let placeholders: ClosedRange<UInt32> = 0xE000...0xE7FF

  /// Replaces the pairs in a text.
  init(_ original: [UInt8]) {
    self.original = original
    bytes = original
    var offset = 0
    while let backslash = original[offset...].firstIndex(of: UInt8(ascii: "\\")) {
      var end = backslash
      while end < original.count, original[end] == UInt8(ascii: "\\") { end += 1 }
      offset = end
      // After an even number of backslashes, nothing is escaped.
      guard (end - backslash) % 2 == 1, let high = Self.escape(in: original, at: end - 1),
        (0xD800...0xDBFF).contains(high), let low = Self.escape(in: original, at: end + 5),
        (0xDC00...0xDFFF).contains(low)
      else { continue }
      for (start, half) in [(end - 1, high), (end + 5, low)] {
        replaced.insert(start)
        let digits = String(half + Self.shift, radix: 16)
        bytes.replaceSubrange((start + 2)..<(start + 6), with: digits.utf8)
      }
      offset = end + 11
    }
  }

  /// The text of a scalar in this span, with the characters converted back.
  func restored(_ scalar: YAMLScalar, span: Range<Int>) -> String {
    guard !replaced.isEmpty, span.contains(where: replaced.contains) else { return scalar.value }
    return scalar.style == .doubleQuoted
      ? joined(scalar.value, span: span)
      : written(scalar.value, span: text(of: scalar, in: span))
  }

  /// In double quotes, placeholders became characters: joins each pair in the order in which they are
  /// written.
  private func joined(_ value: String, span: Range<Int>) -> String {
    var isHalf = placeholderOrigins(in: span)[...]
    var result = String.UnicodeScalarView()
    var high: UInt32?
    for character in value.unicodeScalars {
      guard Self.placeholders.contains(character.value), isHalf.popFirst() == true else {
        result.append(character)
        continue
      }
      let half = character.value - Self.shift
      if let first = high {
        high = nil
        if let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (half - 0xDC00)) {
          result.append(scalar)
        }
      } else {
        high = half
      }
    }
    return String(result)
  }

  /// For each character in the range of the placeholders, in order, whether it is a placeholder.
  private func placeholderOrigins(in span: Range<Int>) -> [Bool] {
    var origins: [Bool] = []
    var offset = span.lowerBound
    while offset < span.upperBound {
      if bytes[offset] == UInt8(ascii: "\\"), offset + 1 < span.upperBound {
        let digits = [UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8][bytes[offset + 1]] ?? 0
        let code = digits == 0 ? nil : Self.number(bytes[(offset + 2)...].prefix(digits), digits: digits)
        if let code, Self.placeholders.contains(code) { origins.append(replaced.contains(offset)) }
        offset += 2
        continue
      }
      // The characters from U+E000 to U+E7FF are EE 80 80 to EE 9F BF in UTF-8.
      if bytes[offset] == 0xEE, offset + 1 < span.upperBound, bytes[offset + 1] <= 0x9F {
        origins.append(false)
      }
      offset += 1
    }
    return origins
  }

  /// The range of the text itself: the first line of a block scalar may contain a comment.
  private func text(of scalar: YAMLScalar, in span: Range<Int>) -> Range<Int> {
    guard scalar.style == .literal || scalar.style == .folded else { return span }
    let lineEnd = bytes[span].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    return (lineEnd ?? span.lowerBound)..<span.upperBound
  }

  /// Outside of double quotes an escape is plain text, and is restored as written.
  private func written(_ value: String, span: Range<Int>) -> String {
    var offsets = span.filter { offset in
      Self.escape(in: bytes, at: offset).map(Self.placeholders.contains) ?? false
    }[...]
    var result = Array(value.utf8)
    for index in result.indices {
      guard let code = Self.escape(in: result, at: index), Self.placeholders.contains(code),
        let offset = offsets.popFirst(), replaced.contains(offset)
      else { continue }
      result.replaceSubrange(index..<(index + 6), with: original[offset..<(offset + 6)])
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The number of an escape, `\u` and four hexadecimal digits, at an offset.
  private static func escape(in bytes: [UInt8], at offset: Int) -> UInt32? {
    guard offset + 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"),
      bytes[offset + 1] == UInt8(ascii: "u")
    else { return nil }
    return number(bytes[(offset + 2)..<(offset + 6)], digits: 4)
  }

  private static func number(_ digits: ArraySlice<UInt8>, digits count: Int) -> UInt32? {
    digits.count == count ? UInt32(hexDigits: digits) : nil
  }
}
