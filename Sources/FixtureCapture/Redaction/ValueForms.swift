/// The spellings in which a value that is known is looked for everywhere.
struct ValueForm: Sendable {
  /// The bytes.
  let bytes: [UInt8]
  /// What takes their place, as many.
  let standIn: [UInt8]
  /// Whether it must be a word of its own there; long ones are themselves anywhere.
  let isWord: Bool

  private static let longest = 1024

  /// The spellings of a value, or none when it could be met by chance.
  static func all(of value: PrivateValue, standIn: [UInt8]) -> [ValueForm] {
    switch value.kind {
    case .mac:
      return [
        ValueForm(bytes: value.bytes, standIn: standIn, isWord: true),
        ValueForm(bytes: value.bytes.map(\.uppercased), standIn: standIn.map(\.uppercased), isWord: true),
      ]
    case .token where isDistinctive(value.bytes): return forms(of: value.bytes, standIn)
    // Addresses are found by what they look like.
    case .token, .email, .clientAddress: return []
    }
  }

  /// Whether a token is hardly ever met by chance.
  private static func isDistinctive(_ token: [UInt8]) -> Bool {
    guard token.count >= 6, token.count <= longest, !OpaqueWord.isWord(token) else { return false }
    let hasLetters = token.contains { $0.isWord && !$0.isDigit }
    return token.count >= 8 || hasLetters && token.contains(where: \.isDigit)
  }

  private static func forms(of token: [UInt8], _ standIn: [UInt8]) -> [ValueForm] {
    var seen: Set<[UInt8]> = []
    return encoders.compactMap { encode in
      let bytes = token.flatMap(encode)
      guard seen.insert(bytes).inserted else { return nil }
      return ValueForm(bytes: bytes, standIn: standIn.flatMap(encode), isWord: token.count < 16)
    }
      + (OpaqueWord.isHexadecimal(token) && token.contains(where: \.isLower)
        ? [
          ValueForm(
            bytes: token.map(\.uppercased), standIn: standIn.map(\.uppercased), isWord: token.count < 16)
        ] : [])
  }

  private static let encoders: [@Sendable (UInt8) -> [UInt8]] = [
    { [$0] },
    { percentEncoded($0, "%", uppercase: true) },
    { percentEncoded($0, "%", uppercase: false) },
    { percentEncoded($0, "%25", uppercase: true) },
    { percentEncoded($0, "%25", uppercase: false) },
    { escaped($0, ["/": "\\/"]) },
    { escaped($0, ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]) },
    { escaped($0, ["&": "&amp;", "+": "&#43;", "=": "&#61;", "/": "&#47;"]) },
    { escaped($0, ["&": "&amp;", "+": "&#x2b;", "=": "&#x3d;", "/": "&#x2f;", ":": "&#x3a;"]) },
    { escaped($0, ["&": "&amp;", "+": "&#43;"]) },
    { escaped($0, ["&": "\\u0026", "+": "\\u002b", "=": "\\u003d", "/": "\\u002f"]) },
    { escaped($0, ["&": "\\u0026", "+": "\\u002B", "=": "\\u003D", "/": "\\/"]) },
  ]

  private static func percentEncoded(_ byte: UInt8, _ sign: String, uppercase: Bool) -> [UInt8] {
    if byte.isWord || "-._~".utf8.contains(byte) { return [byte] }
    let digits = String(byte, radix: 16, uppercase: uppercase)
    return Array("\(sign)\(digits.utf8.count < 2 ? "0" : "")\(digits)".utf8)
  }

  private static func escaped(_ byte: UInt8, _ escapes: [Unicode.Scalar: String]) -> [UInt8] {
    escapes[Unicode.Scalar(byte)].map { Array($0.utf8) } ?? [byte]
  }
}
