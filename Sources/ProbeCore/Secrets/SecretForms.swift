import ProbeASCII

/// The forms of a secret to search for; each is found in any spelling, and in ASCII letters of either case.
struct SecretForms {
  /// One form of a secret.
  struct Form: Hashable {
    /// The bytes of the form.
    var bytes: [UInt8]
    /// Whether the Base64 character before the form, and the one after it, encodes a part of the secret.
    var isPartBefore = false
    var isPartBehind = false
    /// The replacement for a form in UTF-16; nil for other forms.
    var wideMark: [UInt8]?
  }

  /// The minimum length of a secret in bytes; a shorter one would match everywhere.
  static let shortest = 4

  /// The forms, without duplicates.
  private(set) var all: [Form] = []
  private var known: Set<[UInt8]> = []

  /// Adds the forms of a secret.
  mutating func add(_ secret: String) {
    let text = Array(secret.utf8)
    guard text.count >= Self.shortest else { return }
    addWithBase64(text)
    addUTF16(secret)
    add(
      Form(
        bytes: text.flatMap { [Self.digits[Int(widening: $0 >> 4)], Self.digits[Int(widening: $0 & 0xF)]] }))
    guard text.contains(where: { $0 >= 0x80 }) else { return }
    // In Latin-1, as some programs encode it; and in UTF-8 decoded as Latin-1, then encoded again.
    let scalars = secret.unicodeScalars
    for other in [secret.lowercased(), secret.uppercased()] { add(Form(bytes: Array(other.utf8))) }
    if scalars.allSatisfy({ $0.value <= 0xFF }) {
      addWithBase64(scalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }
    add(Form(bytes: text.flatMap { Array(String(Unicode.Scalar($0)).utf8) }))
  }

  private mutating func addWithBase64(_ text: [UInt8]) {
    add(Form(bytes: text))
    for offset in 0..<3 { addBase64(text, behind: offset) }
  }

  private mutating func add(_ form: Form) {
    guard form.bytes.count >= Self.shortest, known.insert(form.bytes.map(\.asciiLowercased)).inserted else {
      return
    }
    all.append(form)
  }

  /// Adds UTF-16 in both byte orders, without the zero at one end, so that the two are equal for ASCII.
  private mutating func addUTF16(_ secret: String) {
    let mark = Array(Secret.placeholder.utf8.flatMap { [$0, 0] as [UInt8] }.dropLast())
    let pairs = secret.utf16.map {
      (high: UInt8(truncatingIfNeeded: $0 >> 8), low: UInt8(truncatingIfNeeded: $0 & 0xFF))
    }
    let big = pairs.flatMap { [$0.high, $0.low] as [UInt8] }
    let little = pairs.flatMap { [$0.low, $0.high] as [UInt8] }
    add(
      big.first == 0
        ? Form(bytes: Array(big.dropFirst()), wideMark: mark) : Form(bytes: big, wideMark: [0] + mark))
    add(
      little.last == 0
        ? Form(bytes: little.dropLast(), wideMark: mark) : Form(bytes: little, wideMark: mark + [0]))
  }

  /// Adds the Base64 characters (RFC 4648 §4 and §5) that the text alone determines, after `offset` bytes of
  /// a three-byte group.
  private mutating func addBase64(_ text: [UInt8], behind offset: Int) {
    let bits = 8 * (offset + text.count)
    let characters = ((8 * offset + 5) / 6)..<(bits / 6)
    for alphabet in [Self.standard, Self.urlSafe] {
      let bytes = characters.map { character in
        let index = character * 6 / 8 - offset
        let pair =
          (index < 0 ? 0 : UInt16(widening: text[index])) << 8
          | (index + 1 < text.count ? UInt16(widening: text[index + 1]) : 0)
        return alphabet[Int(widening: pair >> (10 - UInt16(truncatingIfNeeded: character * 6 % 8))) & 0x3F]
      }
      add(Form(bytes: bytes, isPartBefore: offset > 0, isPartBehind: bits % 6 > 0))
    }
  }

  private static let digits = Array("0123456789abcdef".utf8)
  private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  private static let standard = Array((letters + "+/").utf8)
  private static let urlSafe = Array((letters + "-_").utf8)
}
