import ProbeBase

/// The forms of a secret to search for; each is found in any spelling, and in ASCII letters of either case.
struct SecretForms {
  /// One form of a secret.
  struct Form: Hashable {
    /// The bytes of the form.
    var bytes: [UInt8]
    /// The number of Base64 characters before the form, and behind it, that encode a part of the secret.
    var partsBefore = 0
    var partsBehind = 0
    /// The replacement for a form in UTF-16 or UTF-32; nil for other forms.
    var wideMark: [UInt8]?
  }

  /// The minimum length of a secret in bytes; a shorter one would match everywhere.
  static let minimumLength = 4

  /// The forms, without duplicates.
  private(set) var all: [Form] = []
  private var known: Set<[UInt8]> = []

  /// Adds the forms of a secret.
  mutating func add(_ secret: String) {
    let text = Array(secret.utf8)
    guard text.count >= Self.minimumLength else { return }
    addWithBase64(text)
    addWide(secret.utf16.map { UInt32(widening: $0) }, size: 2)
    addWide(secret.unicodeScalars.map(\.value), size: 4)
    add(
      Form(
        bytes: text.hexDigits))
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
    let before = all.count
    for offset in 0..<3 { addBase64(Form(bytes: text), behind: offset) }
    // Base64 of Base64, as of a cookie that is encoded as a whole.
    for form in all[before...] { for offset in 0..<3 { addBase64(form, behind: offset) } }
  }

  private mutating func add(_ form: Form) {
    guard form.bytes.count >= Self.minimumLength, known.insert(form.bytes.map { $0.asciiLowercased }).inserted
    else {
      return
    }
    all.append(form)
  }

  /// Adds UTF-16 or UTF-32 in both byte orders, without the zeros at one end, so that the two are equal for ASCII.
  private mutating func addWide(_ units: [UInt32], size: Int) {
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    let mark = Array(Secret.placeholder.utf8.map { [$0] }.joined(separator: zeros(size - 1)))
    let little = units.flatMap { unit in (0..<size).map { UInt8(truncatingIfNeeded: unit >> (8 * $0)) } }
    let big = units.flatMap { unit in
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: unit >> (8 * $0)) }
    }
    let before = big.prefix(size - 1).prefix { $0 == 0 }.count
    let behind = little.reversed().prefix(size - 1).prefix { $0 == 0 }.count
    add(Form(bytes: Array(big.dropFirst(before)), wideMark: zeros(size - 1 - before) + mark))
    add(Form(bytes: little.dropLast(behind), wideMark: mark + zeros(size - 1 - behind)))
  }

  /// Adds the Base64 characters (RFC 4648 §4 and §5) that the text alone determines, after `offset` bytes of
  /// a three-byte group.
  private mutating func addBase64(_ form: Form, behind offset: Int) {
    let text = form.bytes
    let bits = 8 * (offset + text.count)
    let characters = ((8 * offset + 5) / 6)..<(bits / 6)
    for alphabet in [Self.standard, Self.urlSafe] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(characters.count)
      var character = characters.lowerBound
      while character < characters.upperBound {
        let index = character * 6 / 8 - offset
        let first = index < 0 ? 0 : Int(widening: text[index])
        let second = index + 1 < text.count ? Int(widening: text[index + 1]) : 0
        bytes.append(alphabet[(first << 8 | second) >> (10 - character * 6 % 8) & 0x3F])
        character += 1
      }
      // A character of the inner encoding is in two of the outer one.
      add(
        Form(
          bytes: bytes, partsBefore: (offset > 0 ? 1 : 0) + 2 * form.partsBefore,
          partsBehind: (bits % 6 > 0 ? 1 : 0) + 2 * form.partsBehind))
    }
  }

  private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  private static let standard = Array((letters + "+/").utf8)
  private static let urlSafe = Array((letters + "-_").utf8)
}
