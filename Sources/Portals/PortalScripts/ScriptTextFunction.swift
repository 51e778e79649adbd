import FoundationEssentials
import ProbeBase

/// The global functions that convert text (ECMAScript §19.2.6 and §B.2.1, HTML standard "base64 utilities").
enum ScriptTextFunction {
  case encode(kept: Set<UInt8>)
  case decode
  case unescape
  case fromBase64
  case toBase64

  /// The function with a name, if it is one of these.
  init?(_ word: ScriptWord) {
    switch word {
    case .encodeURIComponent: self = .encode(kept: Self.component)
    case .encodeURI: self = .encode(kept: Self.component.union(";,/?:@&=+$#".utf8))
    case .escape: self = .encode(kept: Self.alphanumeric.union("@*_+-./".utf8))
    case .decodeURIComponent, .decodeURI: self = .decode
    case .unescape: self = .unescape
    case .atob: self = .fromBase64
    case .btoa: self = .toBase64
    default: return nil
    }
  }

  /// The converted text, in which placeholders remain; nil if it is unknown.
  func result(of text: [UInt8]) -> [UInt8]? {
    switch self {
    case .encode(let kept): Self.encoded(text, kept: kept)
    case .decode: text.percentDecoded()
    case .unescape: Self.unescaped(text[...])
    case .fromBase64: Self.fromBase64(text)
    case .toBase64: Self.toBase64(text)
    }
  }

  private static let alphanumeric = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  /// The encoding of a query by a form, apart from spaces.
  static let query = encode(kept: alphanumeric.union("*-._ ".utf8))

  private static let component = alphanumeric.union("-_.!~*'()".utf8)

  /// A text whose words are numbers of other words, in digits up to 61: `0`, `a` and `A`, and so on.
  static func unpacked(_ text: [UInt8], base: Int, words: [[UInt8]]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text[...]
    while let byte = rest.first, result.count <= ScriptText.maximumLength {
      let word = rest.prefix { alphanumeric.contains($0) || $0 == UInt8(ascii: "_") }
      rest = rest.dropFirst(max(1, word.count))
      let number = word.reduce(0 as Int?) { number, byte in
        let digit = Int(widening: byte) - (byte < 0x3A ? 0x30 : byte < 0x5B ? 0x41 - 36 : 0x61 - 10)
        return byte == UInt8(ascii: "_")
          ? nil : number.flatMap { digit < base && $0 < words.count ? $0 * base + digit : nil }
      }
      if word.isEmpty {
        result.append(byte)
      } else if let number, number < words.count, !words[number].isEmpty {
        result += words[number]
      } else {
        result += word
      }
    }
    return result
  }

  private static func encoded(_ text: [UInt8], kept: Set<UInt8>) -> [UInt8] {
    text.percentEncoded { $0 != ScriptText.hole && !kept.contains($0) }
  }

  /// What `unescape` returns: a number is a character, not a byte, and may have four digits (ECMA-262 §B.2.1.2).
  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let code = rest.hexNumber(2) {
        rest.removeFirst(2)
        result.append(scalar: code)
      } else if byte == UInt8(ascii: "%"), rest.first == UInt8(ascii: "u"),
        let code = rest.dropFirst().hexNumber(4)
      {
        rest.removeFirst(5)
        result.append(scalar: code)
      } else {
        result.append(byte)
      }
    }
    return result
  }

  private static func fromBase64(_ text: [UInt8]) -> [UInt8]? {
    guard !text.contains(ScriptText.hole) else { return nil }
    let digits = text.filter { $0 > 0x20 && $0 != UInt8(ascii: "=") }
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
    // Each byte becomes a character.
    return Data(base64Encoded: Data(digits + padding)).map { data in
      var result: [UInt8] = []
      for byte in data { result.append(scalar: UInt32(widening: byte)) }
      return result
    }
  }

  private static func toBase64(_ text: [UInt8]) -> [UInt8]? {
    guard text.allSatisfy({ $0 < 0x80 && $0 != ScriptText.hole }) else { return nil }
    return Array(Data(text).base64EncodedData())
  }
}
