internal import ProbeCore
internal import ProbePatterns

/// Finds hardware addresses (MAC, EUI-48) in a text, in every notation with separators.
enum HardwareAddresses {
  private static let pattern = SearchPattern(
    """
    (?<a>[0-9a-f]{2}(?<s>[:-]|%(?:25)?(?:3a|2d)|&\\#58;|&\\#x3a;)\
    [0-9a-f]{2}(?:\\k<s>[0-9a-f]{2}){4})|\
    (?<d>[0-9a-f]{4}\\.[0-9a-f]{4}\\.[0-9a-f]{4})
    """)

  static var patterns: [SearchPattern] { [pattern] }

  /// The hardware addresses in a text.
  ///
  /// - Parameter text: The text.
  /// - Returns: The findings, each with its twelve digits in lower case.
  static func found(in text: [UInt8]) -> [PrivateFinding] {
    pattern.compactMap(in: text) { match in
      let range = match.range
      let isDotted = match["d"] != nil
      guard !isPart(text, range, separator: match["s"].map { Array(text[$0]) }) else { return nil }
      let digits = UnescapedText.bytes(range, of: text).filter { $0.hexDigitValue != nil }.lowercased
      // Three groups of decimal digits alone are a number with separators.
      if isDotted, digits.allSatisfy(\.isASCIIDigit) { return nil }
      return finding(range, digits, location: "a text")
    }
  }

  /// Creates a finding from twelve digits.
  static func finding(
    _ range: Range<Int>, _ digits: [UInt8], location: String
  ) -> PrivateFinding? {
    guard digits.count == 12 else { return nil }
    return PrivateFinding(
      range: range, value: PrivateValue(kind: .mac, bytes: digits), location: location,
      isPrivate: !isPublic(digits))
  }

  /// Whether an address identifies no device: one for documentation (RFC 7042 §2.1.2), broadcast, or all
  /// zeros.
  static func isPublic(_ digits: [UInt8]) -> Bool {
    digits.starts(with: "00005e0053".utf8) || digits.allSatisfy { $0 == UInt8(ascii: "0") }
      || digits.allSatisfy { $0 == UInt8(ascii: "f") }
  }

  /// Whether the match is part of something longer, such as a certificate fingerprint, an IPv6 address or a
  /// date.
  private static func isPart(_ text: [UInt8], _ range: Range<Int>, separator: [UInt8]?) -> Bool {
    let after = text[range.upperBound...].prefix(8)
    if let next = after.first, next.isWord { return true }
    let separator = separator ?? [UInt8(ascii: ".")]
    if after.starts(with: separator), let digit = after.dropFirst(separator.count).first,
      digit.hexDigitValue != nil
    {
      return true
    }
    let before = text[..<range.lowerBound].suffix(8)
    guard let last = before.last else { return false }
    if before.dropLast(separator.count).last.map({ $0.hexDigitValue != nil }) ?? false,
      before.suffix(separator.count).elementsEqual(separator)
    {
      return true
    }
    return last.isWord && !TextEscapes.endsInEscape(before)
  }
}

/// Recognizes escapes that end in letters or digits.
enum TextEscapes {
  /// Whether the text ends in an escape, such as `%3D`, `\u003d`, `\x3d` or `\n`, so that a new word starts
  /// after it.
  static func endsInEscape(_ text: ArraySlice<UInt8>) -> Bool {
    let tail = Array(text.suffix(7))
    func hex(_ count: Int) -> Bool {
      tail.count > count && tail.suffix(count).allSatisfy { $0.hexDigitValue != nil }
    }
    func byte(_ back: Int) -> UInt8? { tail.count >= back ? tail[tail.count - back] : nil }
    if hex(2), byte(3) == UInt8(ascii: "%") { return true }
    if hex(4), byte(5) == UInt8(ascii: "%"), byte(4) == UInt8(ascii: "2"), byte(3) == UInt8(ascii: "5") {
      return true
    }
    if hex(2), byte(3) == UInt8(ascii: "x"), byte(4) == UInt8(ascii: "\\") { return true }
    if hex(4), byte(5) == UInt8(ascii: "u"), byte(6) == UInt8(ascii: "\\") { return true }
    if (1...6).contains(where: { hex($0) && byte($0 + 1) == UInt8(ascii: "\\") }) { return true }
    guard byte(2) == UInt8(ascii: "\\"), let last = byte(1) else { return false }
    return "nrtbf".utf8.contains(last)
  }
}

/// Finds IP addresses in a text.
enum InternetAddresses {
  /// No word may precede, except the digits of an escape.
  private static let start = "(?:(?<![0-9a-z.])|(?<=%[0-9a-f][0-9a-f])|(?<=%25[0-9a-f][0-9a-f]))"
  private static let v4 = SearchPattern(start + "(?:[0-9]{1,3}\\.){3}[0-9]{1,3}(?![0-9a-z])(?!\\.[0-9])")
  private static let v6 = SearchPattern(
    start + "[0-9a-f]{0,4}(?:(?::|%(?:25)?3a)[0-9a-f]{0,4}){2,7}(?![0-9a-z:])(?!\\.[0-9])")

  static var patterns: [SearchPattern] { [v4, v6] }

  /// The addresses in a text; none is marked as private, because an address alone does not show that.
  ///
  /// - Parameter text: The text.
  /// - Returns: The findings, each in canonical form.
  static func found(in text: [UInt8]) -> [PrivateFinding] {
    [v4, v6].flatMap { pattern in
      pattern.compactMap(in: text) { finding($0.range, in: text, location: "a text") }
    }
  }

  /// Creates a finding if the text is an address.
  static func finding(
    _ range: Range<Int>, in text: [UInt8], location: String
  ) -> PrivateFinding? {
    let unescaped = UnescapedText.bytes(range, of: text)
    guard canBeAddress(unescaped), let address = IPAddress(unescaped.text) else { return nil }
    // Only one notation of an IPv4 address is accepted.
    let value =
      address.family == .v4 ? PrivateValue(kind: .clientAddress, bytes: unescaped) : value(of: address)
    return PrivateFinding(range: range, value: value, location: location, isPrivate: false)
  }

  /// Whether a text may be an address, by its length and separators.
  static func canBeAddress(_ text: [UInt8]) -> Bool {
    (2...45).contains(text.count) && text.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
  }

  static func value(of address: IPAddress) -> PrivateValue {
    PrivateValue(kind: .clientAddress, bytes: Array(address.description.utf8))
  }

  /// Whether a finding is the host of a URL.
  static func isHost(_ range: Range<Int>, in text: [UInt8]) -> Bool {
    var before = text[..<range.lowerBound].suffix(16)
    // A quick refusal of most others.
    guard let last = before.last, "/fF:[bB ".utf8.contains(last),
      last != UInt8(ascii: " ") || before.dropLast().last == UInt8(ascii: ":")
    else { return false }
    if before.ends(with: "[") {
      before.removeLast()
    } else if before.ends(with: "%5b") {
      before.removeLast(3)
    }
    return ["://", ":\\/\\/", "%3a%2f%2f", "%253a%252f%252f", "\nhost: ", "\nhost:"].contains {
      before.ends(with: $0)
    }
  }

  /// Whether an address identifies no client: a placeholder, loopback, zero, multicast or reserved.
  static func isPublic(_ address: IPAddress) -> Bool {
    if AddressPlaceholders.isPlaceholder(address) || address.isLoopback || address.bits == 0 { return true }
    switch address.family {
    case .v4: return address.bits >> 28 >= 0xE
    case .v6: return address.bits >> 120 == 0xFF
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether it ends with an ASCII text in lower case, whatever the case of its own letters.
  fileprivate func ends(with text: String) -> Bool {
    suffix(text.utf8.count).lazy.map(\.asciiLowercased).elementsEqual(text.utf8)
  }
}
