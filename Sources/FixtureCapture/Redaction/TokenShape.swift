internal import ProbeCore

/// What of a token stays in its stand-in: its length, the class of each character, and all that is neither letter nor
/// digit.
///
/// A stand-in is a number, written with the characters of the shape: `0000001f`, `gG0gggh`. So it comes from a counter
/// alone, and is known again for one. Where a token is not hexadecimal as a whole its letters are none of the six that
/// are, so that nothing looks like a hardware address that did not before.
struct TokenShape: Hashable {
  /// What may stand in a place, lowest first.
  private enum Place: Hashable {
    case digit
    case hexadecimal
    case lower
    case upper
    case fixed(UInt8)

    var radix: Int {
      switch self {
      case .digit: 10
      case .hexadecimal: 16
      case .lower, .upper: 20
      case .fixed: 1
      }
    }

    func character(_ value: Int) -> UInt8 {
      switch self {
      case .digit: UInt8(ascii: "0") + UInt8(value)
      case .hexadecimal: value < 10 ? UInt8(ascii: "0") + UInt8(value) : UInt8(ascii: "a") + UInt8(value - 10)
      case .lower: UInt8(ascii: "g") + UInt8(value)
      case .upper: UInt8(ascii: "G") + UInt8(value)
      case .fixed(let byte): byte
      }
    }

    /// The value of a character, or nil when it is none of a stand-in's.
    func value(_ byte: UInt8) -> Int? {
      switch self {
      case .digit: Int(byte - UInt8(ascii: "0"))
      case .hexadecimal: Int(byte.hexDigitValue ?? 0)
      case .lower: byte < UInt8(ascii: "g") ? nil : Int(byte - UInt8(ascii: "g"))
      case .upper: byte < UInt8(ascii: "G") ? nil : Int(byte - UInt8(ascii: "G"))
      case .fixed(let stays): byte == stays ? 0 : nil
      }
    }
  }

  private let places: [Place]
  /// How many stand-ins there are that are known again, the first of which is number 1.
  let count: Int

  /// The shape of a token.
  init(_ token: [UInt8]) {
    let isHexadecimal =
      token.count >= 4 && OpaqueWord.isHexadecimal(token) && token.contains { $0.isASCIIDigit }
      && token.contains { !$0.isASCIIDigit && $0.isWord }
      && !(token.contains(where: \.isASCIIUppercase) && token.contains(where: \.isASCIILowercase))
    self.init(token, isHexadecimal: isHexadecimal)
  }

  private init(_ token: [UInt8], isHexadecimal: Bool) {
    let other = Self.beyondASCII(token)
    places = token.indices.map { index in
      let byte = token[index]
      // What stands behind a percent sign that encodes nothing must not become digits of one that does.
      if byte.isWord, index > 0, token[index - 1] == UInt8(ascii: "%") { return .fixed(UInt8(ascii: "x")) }
      if isHexadecimal, byte.isWord { return .hexadecimal }
      if byte.isASCIIDigit { return .digit }
      if byte.isASCIILowercase { return .lower }
      return byte.isASCIIUppercase ? .upper : .fixed(other[index] ?? byte)
    }
    // Of short ones only a few, so that hardly a real value is taken for one.
    let all = places.reduce(1) { min($0 * $1.radix, 1 << 20) }
    count = min(all / 200, 10_000)
  }

  /// The stand-in with a number.
  func standIn(_ number: Int) -> [UInt8] {
    var rest = number
    var token = places.map { $0.character(0) }
    for (index, place) in places.enumerated().reversed() where rest > 0 && place.radix > 1 {
      token[index] = place.character(rest % place.radix)
      rest /= place.radix
    }
    return token
  }

  /// Whether a token is a stand-in.
  static func isStandIn(_ token: [UInt8]) -> Bool {
    [false, OpaqueWord.isHexadecimal(token)].contains { isHexadecimal in
      let shape = TokenShape(token, isHexadecimal: isHexadecimal)
      var number = 0
      for (byte, place) in zip(token, shape.places) {
        guard let value = place.value(byte) else { return false }
        number = min(number * place.radix + value, 1 << 32)
      }
      return number <= shape.count
    }
  }

  /// What stands for the bytes beyond ASCII, in as many: letters that nobody wrote.
  private static func beyondASCII(_ token: [UInt8]) -> [Int: UInt8] {
    var standIns: [Int: UInt8] = [:]
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
        // Where UTF-16 was taken apart, this is a character of other letters; see ``WireText``.
        case WireText.foreign: [WireText.foreign]
        default: [0xE4]
        }
      for (offset, byte) in letter.enumerated() { standIns[index + offset] = byte }
      index += letter.count
    }
    return standIns
  }
}
