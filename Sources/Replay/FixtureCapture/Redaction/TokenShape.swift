internal import ProbeCore

/// The properties of a token that its placeholder keeps: its length in bytes, the class of each ASCII letter and digit,
/// and every other ASCII character.
///
/// A letter or digit after a percent sign becomes an x, so that the two never look like an encoded byte. Characters
/// beyond ASCII become fixed ones of the same length.
///
/// A placeholder is a number written with the characters of the shape: `0000001f`, `gG0gggh`. It is derived from
/// a counter alone, and is recognized as a placeholder. Unless the whole token is hexadecimal, its letters are
/// not hex digits, so that a placeholder never looks like a hardware address.
struct TokenShape: Hashable {
  /// The characters that are possible at one position, lowest first.
  private enum CharacterClass: Hashable {
    case digit
    case hexadecimal
    case lower
    case upper
    case fixed(UInt8)

    var radix: Int {
      switch self {
      case .digit: 10
      case .hexadecimal: 16
      // The letters from g to z, without the hex digits.
      case .lower, .upper: 20
      case .fixed: 1
      }
    }

    func character(_ value: Int) -> UInt8 {
      switch self {
      case .digit: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value)
      case .hexadecimal:
        value < 10
          ? UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value)
          : UInt8(ascii: "a") + UInt8(truncatingIfNeeded: value - 10)
      case .lower: UInt8(ascii: "g") + UInt8(truncatingIfNeeded: value)
      case .upper: UInt8(ascii: "G") + UInt8(truncatingIfNeeded: value)
      case .fixed(let byte): byte
      }
    }

    /// The value of a character, or nil if it does not occur in placeholders.
    func value(_ byte: UInt8) -> Int? {
      switch self {
      case .digit: Int(widening: byte - UInt8(ascii: "0"))
      case .hexadecimal: Int(widening: byte.hexDigitValue ?? 0)
      case .lower: byte < UInt8(ascii: "g") ? nil : Int(widening: byte - UInt8(ascii: "g"))
      case .upper: byte < UInt8(ascii: "G") ? nil : Int(widening: byte - UInt8(ascii: "G"))
      case .fixed(let stays): byte == stays ? 0 : nil
      }
    }
  }

  private let classes: [CharacterClass]
  /// The number of recognizable placeholders; they are numbered from 1.
  let count: Int

  init(_ token: [UInt8]) {
    let isHexadecimal =
      token.count >= 4 && OpaqueWord.isHexadecimal(token) && token.contains { $0.isASCIIDigit }
      && token.contains { !$0.isASCIIDigit && $0.isWord }
      && !(token.contains(where: \.isASCIIUppercase) && token.contains(where: \.isASCIILowercase))
    self.init(token, isHexadecimal: isHexadecimal)
  }

  private init(_ token: [UInt8], isHexadecimal: Bool) {
    let other = Self.nonASCIIReplacements(token)
    classes = token.indices.map { index in
      let byte = token[index]
      // After a percent sign that encodes nothing, no hex digits may appear.
      if byte.isWord, index > 0, token[index - 1] == UInt8(ascii: "%") { return .fixed(UInt8(ascii: "x")) }
      if isHexadecimal, byte.isWord { return .hexadecimal }
      if byte.isASCIIDigit { return .digit }
      if byte.isASCIILowercase { return .lower }
      return byte.isASCIIUppercase ? .upper : .fixed(other[index] ?? byte)
    }
    // Short shapes have only a few placeholders, so that a real value is hardly ever taken for one.
    let all = classes.reduce(1) { min($0 * $1.radix, 1 << 20) }
    count = min(all / 200, 10_000)
  }

  func placeholder(_ number: Int) -> [UInt8] {
    var rest = number
    var token = classes.map { $0.character(0) }
    for (index, characterClass) in classes.enumerated().reversed()
    where rest > 0 && characterClass.radix > 1 {
      token[index] = characterClass.character(rest % characterClass.radix)
      rest /= characterClass.radix
    }
    return token
  }

  /// Whether a token is one of the placeholders of its shape.
  static func isPlaceholder(_ token: [UInt8]) -> Bool {
    // A hexadecimal placeholder can have digits only, so that its text fits two shapes: both are tried.
    [false, OpaqueWord.isHexadecimal(token)].contains { isHexadecimal in
      let shape = TokenShape(token, isHexadecimal: isHexadecimal)
      var number = 0
      for (byte, characterClass) in zip(token, shape.classes) {
        guard let value = characterClass.value(byte) else { return false }
        number = min(number * characterClass.radix + value, 1 << 32)
      }
      return number <= shape.count
    }
  }

  /// The replacements for bytes beyond ASCII, with the same length: fixed letters.
  private static func nonASCIIReplacements(_ token: [UInt8]) -> [Int: UInt8] {
    var placeholders: [Int: UInt8] = [:]
    var index = 0
    while index < token.count {
      guard token[index] >= 0x80 else {
        index += 1
        continue
      }
      let rest = token[(index + 1)...].prefix { $0 & 0xC0 == 0x80 }.count
      let letter: [UInt8] =
        switch token[index] {
        case 0xC2...0xDF where rest >= 1: [0xC3, 0xA4]
        case 0xE0...0xEF where rest >= 2: [0xE3, 0x81, 0x82]
        case 0xF0...0xF4 where rest >= 3: [0xF0, 0x90, 0x8D, 0x88]
        // In decoded UTF-16, this represents a character of another script; see ``WireText``.
        case WireText.foreign: [WireText.foreign]
        default: [0xE4]
        }
      for (offset, byte) in letter.enumerated() { placeholders[index + offset] = byte }
      index += letter.count
    }
    return placeholders
  }
}
