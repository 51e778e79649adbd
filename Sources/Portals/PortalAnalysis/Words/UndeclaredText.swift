internal import ProbeCore
internal import ProbeText

/// The text of a page that does not declare its charset.
///
/// Browsers guess from the user's language. Here the vocabulary decides: among the charsets that undeclared
/// pages use, it is the one in which most of the text consists of known words.
enum UndeclaredText {
  /// The text of a response in its declared charset, or else in the best matching one.
  ///
  /// - Returns: UTF-8 as far as the charset is known, a slice of the body unless conversion was needed; and
  ///   the original charset, nil if nothing was converted.
  static func text(of response: borrowing ProbeResponse) -> (bytes: ArraySlice<UInt8>, charset: Charset?) {
    let declared = ResponseText(of: response)
    guard declared.charset == nil, let charset = charset(of: declared.bytes),
      let text = charset.decode(declared.bytes)
    else { return (declared.bytes, declared.charset) }
    return (text, charset)
  }

  /// The best matching charset of some bytes; nil if they are UTF-8 or ASCII.
  static func charset(of bytes: ArraySlice<UInt8>) -> Charset? {
    guard !isUTF8(bytes) else { return nil }
    let sample = sample(of: bytes)[...]
    // Counts letters rather than words: a text with most letters decoded correctly still contains the stems.
    var best: (charset: Charset, letters: Int)?
    for charset in candidates {
      guard let text = charset.decode(sample) else { continue }
      var scan = WordScan(in: .all)
      scan.read(text.span, with: .standard)
      if scan.knownUnits > best?.letters ?? -1 { best = (charset, scan.knownUnits) }
    }
    return best?.charset
  }

  /// The candidate charsets, the most common first: it wins a tie, and is used if no word is known.
  static let candidates: [Charset] = [
    "windows-1252", "windows-1251", "gb18030", "shift_jis", "euc-kr", "big5", "windows-1250", "euc-jp",
    "iso-8859-2", "windows-1254", "windows-1256", "windows-1253", "windows-874", "windows-1255", "koi8-r",
    "koi8-u", "windows-1257", "windows-1258",
  ].compactMap { Charset(label: $0.utf8) }

  /// How many bytes of a page are decoded in each charset.
  private static let sampleSize = 4096

  /// Whether bytes are meant to be UTF-8: most non-ASCII characters are valid.
  ///
  /// A few may be invalid, because a page may be truncated or composed of parts.
  static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
    var valid = 0
    var invalid = 0
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let lead = bytes[index]
      index += 1
      guard lead >= 0x80 else { continue }
      let length = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1
      let end = min(index + length, bytes.endIndex)
      if (0xC2...0xF4).contains(lead), bytes[index..<end].allSatisfy({ $0 & 0xC0 == 0x80 }) {
        valid += 1
        index = end
      } else {
        invalid += 1
      }
    }
    return invalid == 0 || valid > 4 * invalid
  }

  /// The non-ASCII pieces between tags and line breaks, as many as fit.
  ///
  /// In none of the charsets is a byte that ends a piece part of a longer character.
  private static func sample(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    var sample: [UInt8] = []
    var start = bytes.startIndex
    var hasMore = false
    for index in bytes.indices {
      let byte = bytes[index]
      hasMore = hasMore || byte >= 0x80
      let isEnd = byte == UInt8(ascii: "<") || byte == UInt8(ascii: "\n") || index == bytes.endIndex - 1
      guard isEnd || hasMore && index - start >= sampleSize else { continue }
      if hasMore {
        sample += bytes[start...index].prefix(sampleSize + 1 - sample.count)
        guard sample.count < sampleSize else { break }
        sample.append(UInt8(ascii: "\n"))
      }
      start = index + 1
      hasMore = false
    }
    return sample
  }
}
