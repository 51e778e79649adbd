internal import ProbeCore

/// Distinguishes human-readable words from machine-generated ones.
enum OpaqueWord {
  /// Whether a word is long and machine-generated: 16 hex digits, a UUID (RFC 9562), or 20 characters of
  /// Base64 with letters of both cases and digits.
  static func isLong(_ word: [UInt8]) -> Bool {
    guard word.count >= 16 else { return false }
    let letters = word.filter(\.isWord)
    if isHexadecimal(word) { return letters.count >= 16 }
    guard word.count >= 20, word.allSatisfy({ $0.isWord || "-_.~+/=:|!*@,$".utf8.contains($0) }) else {
      return false
    }
    return word.contains(where: \.isASCIIDigit) && word.contains(where: \.isASCIILowercase)
      && word.contains(where: \.isASCIIUppercase)
      && !isReadable(letters)
  }

  /// Whether a word consists of hex digits only, with hyphens as in a UUID or without.
  static func isHexadecimal(_ word: [UInt8]) -> Bool {
    guard word.allSatisfy({ $0.hexDigitValue != nil || $0 == UInt8(ascii: "-") }) else { return false }
    guard word.contains(UInt8(ascii: "-")) else { return !word.isEmpty }
    return word.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(\.count) == [
      8, 4, 4, 4, 12,
    ]
  }

  /// Whether a word is human-readable, such as `TermsAndConditions2024`.
  ///
  /// It is split into words, with or without a capital, and numbers. On average these pieces have three or
  /// more characters; in random letters of both cases and digits they have less than two.
  static func isReadable(_ letters: [UInt8]) -> Bool {
    var pieces = 0
    var previous: UInt8?
    for byte in letters {
      let isSame =
        previous.map { previous in
          byte.isASCIIDigit == previous.isASCIIDigit
            && (byte.isASCIILowercase || byte.isASCIIDigit
              || byte.isASCIIUppercase == previous.isASCIIUppercase)
        } ?? false
      if !isSame { pieces += 1 }
      previous = byte
    }
    return pieces * 3 <= letters.count
  }

  /// Whether a value is one or a few words without digits: `SmartClient`, `pre-auth`.
  static func isWord(_ value: [UInt8]) -> Bool {
    let letters = value.filter(\.isWord)
    return !letters.contains(where: \.isASCIIDigit) && isReadable(letters) && letters.count < 24
  }

  /// Words that identify no one, although they occur instead of a token.
  static let common: Set<String> = [
    "true", "false", "null", "none", "undefined", "deleted", "login", "guest", "test", "admin", "user",
    "password",
    "utf-8", "sha1", "sha256", "sha384", "sha512", "md5", "wpa2", "wpa3", "hs256", "rs256", "es256", "base64",
    "oauth2",
    "no-cache", "bearer", "basic", "digest",
  ]

  /// Whether a value can be a token: it is long enough, and not a URL.
  static func canBeToken(_ value: [UInt8]) -> Bool {
    guard value.count >= 4, value.count <= 65_536, value.contains(where: { $0.isWord || $0 >= 0x80 }) else {
      return false
    }
    switch value[0].asciiLowercased {
    case UInt8(ascii: "h"), UInt8(ascii: "w"):
      let start = value.prefix(8).lowercased
      if ["http:", "https:", "www."].contains(where: { start.starts(with: $0.utf8) }) { return false }
    case UInt8(ascii: "/"): if !isLong(value) { return false }
    default: break
    }
    return value.count > 9 || !common.contains(value.text.lowercased())
  }

  /// Whether a value as written is one piece, and not a template placeholder such as `{{name}}` or `$NAME`.
  static func isPlain(_ value: ArraySlice<UInt8>) -> Bool {
    value.first != UInt8(ascii: "$")
      && value.allSatisfy { byte in
        switch byte {
        case 0...0x20, 0x7F, UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "<"), UInt8(ascii: ">"),
          UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"),
          UInt8(ascii: "^"):
          false
        default: true
        }
      }
  }
}
