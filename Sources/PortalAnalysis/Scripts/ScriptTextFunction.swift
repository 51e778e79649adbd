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
    case .decode: Self.decoded(text[...], isOld: false)
    case .unescape: Self.decoded(text[...], isOld: true)
    case .fromBase64: Self.fromBase64(text)
    case .toBase64: Self.toBase64(text)
    }
  }

  private static let alphanumeric = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  private static let component = alphanumeric.union("-_.!~*'()".utf8)

  private static func encoded(_ text: [UInt8], kept: Set<UInt8>) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for byte in text {
      if byte == ScriptText.hole || kept.contains(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return result
  }

  private static func decoded(_ text: ArraySlice<UInt8>, isOld: Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let code = rest.hexNumber(2) {
        rest.removeFirst(2)
        if isOld { result.append(scalar: code) } else { result.append(UInt8(truncatingIfNeeded: code)) }
      } else if isOld, byte == UInt8(ascii: "%"), rest.first == UInt8(ascii: "u"),
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

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The index of each byte in the alphabet; 64 for others.
  private static let places: [UInt8] = {
    var places = [UInt8](repeating: 64, count: 256)
    for (place, byte) in alphabet.enumerated() { places[Int(byte)] = UInt8(place) }
    return places
  }()

  private static func fromBase64(_ text: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var (bits, count): (UInt32, Int) = (0, 0)
    for byte in text where byte > 0x20 && byte != UInt8(ascii: "=") {
      let value = places[Int(byte)]
      guard value < 64 else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        // Each byte becomes a character.
        result.append(scalar: bits >> UInt32(count) & 0xFF)
      }
    }
    return text.contains(ScriptText.hole) ? nil : result
  }

  private static func toBase64(_ text: [UInt8]) -> [UInt8]? {
    guard text.allSatisfy({ $0 < 0x80 && $0 != ScriptText.hole }) else { return nil }
    var result: [UInt8] = []
    for start in stride(from: 0, to: text.count, by: 3) {
      let group = text[start..<min(start + 3, text.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32((3 - group.count) * 8)
      for index in 0..<4 {
        result.append(
          index <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * index) & 63)] : UInt8(ascii: "="))
      }
    }
    return result
  }
}
