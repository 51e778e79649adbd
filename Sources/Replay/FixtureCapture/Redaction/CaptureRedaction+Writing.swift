internal import ProbeCore

/// Replaces private values by placeholders.
extension CaptureRedaction {
  /// A URL with every private value replaced.
  func redacted(_ url: ProbeURL) -> ProbeURL {
    let text = redacted(url.string)
    guard text != url.string else { return url }
    // Only letters and digits change, so it remains a valid URL; if it did not, it would be replaced as a
    // whole.
    return (try? ProbeURL(text)) ?? (try? ProbeURL("\(url.scheme)://redacted.invalid/")) ?? url
  }

  /// The bytes of one direction without the secrets of the request, before private values are learnt and replaced; the
  /// number of bytes stays the same.
  ///
  /// Each byte of a secret becomes an `x`. The words and numbers that frame the message are kept, except lengths that are
  /// not those of what was received. In a Content-Length that differs, a digit of a secret becomes a 9, and a 9 an 8. In
  /// the size of a last chunk that is larger than what was received, it becomes an `f`, or a 0 before the last eleven
  /// digits. Compressed data that contains a secret, or may contain one because it cannot be searched as a whole, is
  /// replaced as a whole.
  ///
  /// - Returns: The bytes, and whether compressed content was replaced.
  func masked(_ wire: [UInt8], isRequest: Bool) -> (bytes: [UInt8], hasLostContent: Bool) {
    guard let secrets else { return (wire, false) }
    var masked = wire
    let text = WireText(wire, isRequest: isRequest)
    var budget = WireText.unpackedLimit
    // The header of gzip can have a file name and a comment, which are not compressed.
    let lost = text.packed.filter { data, ranges in
      secrets.mayContainSecret(data, &budget) || secrets.masked(ranges.flatMap { wire[$0] }) != nil
    }
    for offset in lost.lazy.flatMap(\.ranges).joined() { masked[offset] = UInt8(ascii: "x") }
    var hasLostContent = !lost.isEmpty
    for part in text.parts {
      guard let found = secrets.maskedWithData(part.bytes, &budget) else { continue }
      hasLostContent = hasLostContent || found.hasLostData
      var bytes = found.bytes
      for range in part.head?.fixed ?? [] { bytes.replaceSubrange(range, with: part.bytes[range]) }
      for length in part.head?.lengths ?? [] {
        Self.fixLength(at: length, of: part.bytes, in: &bytes, received: part.contentCount)
      }
      WireText.write(bytes, of: part, to: &masked)
    }
    if let size = text.unfinishedChunkSize, let digits = secrets.masked(Array(wire[size])) {
      // The maximum size that a decoder accepts has eleven digits; more would be another fault.
      for (index, digit) in zip(size, digits) where digit == UInt8(ascii: "x") {
        masked[index] = size.upperBound - index > 11 ? UInt8(ascii: "0") : UInt8(ascii: "f")
      }
    }
    return (masked, hasLostContent)
  }

  /// Restores the value of Content-Length if it is the number of received bytes; otherwise changes its masked digits into
  /// others.
  private static func fixLength(
    at value: Range<Int>, of text: [UInt8], in masked: inout [UInt8], received: Int
  ) {
    guard text[value].allSatisfy(\.isASCIIDigit), !text[value].elementsEqual(masked[value]) else { return }
    guard text[value].text != "\(received)" else { return masked.replaceSubrange(value, with: text[value]) }
    for index in value where text[index] != masked[index] {
      masked[index] = text[index] == UInt8(ascii: "9") ? UInt8(ascii: "8") : UInt8(ascii: "9")
    }
  }

  /// The bytes of one direction, with every private value replaced by its placeholder; secrets are masked before.
  func redacted(_ wire: [UInt8], isRequest: Bool) -> [UInt8] {
    guard !placeholders.isEmpty else { return wire }
    var redacted = wire
    for part in WireText(wire, isRequest: isRequest).parts {
      WireText.write(self.redacted(part), of: part, to: &redacted)
    }
    return redacted
  }

  /// Replaces private values in a text: first where they are recognized, then at all other positions.
  func redacted(_ part: WireText.Part) -> [UInt8] {
    let text = part.bytes
    var redacted = text
    var taken = part.head?.framing ?? []
    for finding in PrivateText.findings(in: text, head: part.head, isForm: part.isForm) {
      guard let placeholder = placeholders[finding.value] else { continue }
      write(placeholder, finding, of: text, to: &redacted)
      taken.append(finding.range)
    }
    var start = 0
    for range in taken.sorted(by: { $0.lowerBound < $1.lowerBound }) + [text.count..<text.count] {
      if start < range.lowerBound {
        replaceKnown(in: start..<range.lowerBound, of: text, in: &redacted)
      }
      start = max(start, range.upperBound)
    }
    return redacted
  }

  /// Replaces known values at all other positions, in the spelling used there.
  private func replaceKnown(in range: Range<Int>, of text: [UInt8], in redacted: inout [UInt8]) {
    guard range.count >= known.shortest else { return }
    for match in known.found(in: Array(text[range])) {
      let matched = match.range.moved(by: range.lowerBound)
      if text[matched].elementsEqual(match.form.bytes) {
        redacted.replaceSubrange(matched, with: match.form.placeholder)
        continue
      }
      if let unescaped = UnescapedText.decoded(matched, of: text, where: { $0 == match.form.bytes }) {
        unescaped.write(match.form.placeholder, to: &redacted)
      } else {
        // In another charset, the bytes cannot be mapped, so the whole match is replaced.
        Self.blank(matched, of: &redacted)
      }
    }
  }

  private func write(
    _ placeholder: [UInt8], _ finding: PrivateFinding, of text: [UInt8], to redacted: inout [UInt8]
  ) {
    guard let unescaped = finding.unescaped(in: text) else {
      return Self.blank(finding.range, of: &redacted)
    }
    switch finding.value.kind {
    case .mac: unescaped.write(Self.digits(placeholder, like: unescaped.bytes), to: &redacted)
    case .token:
      let isUpper =
        OpaqueWord.isHexadecimal(unescaped.bytes) && !unescaped.bytes.contains(where: \.isASCIILowercase)
      unescaped.write(isUpper ? placeholder.map(\.asciiUppercased) : placeholder, to: &redacted)
    case .email:
      let sign = unescaped.spelling(of: UInt8(ascii: "@"), in: text)
      var address = placeholder.flatMap { $0 == UInt8(ascii: "@") ? sign : [$0] }
      // If other characters are encoded too, lengthen the name.
      let missing = finding.range.count - address.count
      address.insert(contentsOf: [UInt8](repeating: UInt8(ascii: "x"), count: max(0, missing)), at: 0)
      guard missing >= 0 else { return Self.blank(finding.range, of: &redacted) }
      redacted.replaceSubrange(finding.range, with: address)
    case .clientAddress:
      let isSame = unescaped.bytes == finding.value.bytes
      let number = numbers[finding.value, default: 1]
      let address = isSame ? placeholder : AddressPlaceholders.v6(like: unescaped.bytes, number: number)
      let colon = unescaped.spelling(of: UInt8(ascii: ":"), in: text)
      let bytes = address.flatMap { $0 == UInt8(ascii: ":") ? colon : [$0] }
      if bytes.count == finding.range.count {
        redacted.replaceSubrange(finding.range, with: bytes)
      } else {
        // Other characters are encoded too.
        unescaped.write(address, to: &redacted)
      }
    }
  }

  /// Replaces the letters and digits of a value whose placeholder cannot be written in its spelling by `x`.
  private static func blank(_ range: Range<Int>, of text: inout [UInt8]) {
    for index in range where text[index].isASCIILetter || text[index].isASCIIDigit {
      text[index] = UInt8(ascii: "x")
    }
  }

  /// The digits of a placeholder, with the separators and the case of the original hardware address.
  private static func digits(_ placeholder: [UInt8], like unescaped: [UInt8]) -> [UInt8] {
    // Without letters, the case is unknown; addresses with dashes are usually in upper case (RFC 3580 §3.20).
    let isUpper =
      unescaped.contains(where: \.isASCIIUppercase)
      || !unescaped.contains(where: \.isASCIILowercase) && unescaped.contains(UInt8(ascii: "-"))
    var digits = placeholder[...]
    return unescaped.map { byte in
      guard byte.hexDigitValue != nil, let digit = digits.popFirst() else { return byte }
      return isUpper ? digit.asciiUppercased : digit
    }
  }
}

extension PrivateFinding {
  /// Its text, decoded as often as it takes to be the value; nil if it never is.
  fileprivate func unescaped(in text: [UInt8]) -> UnescapedText? {
    UnescapedText.decoded(range, of: text) { bytes in
      switch value.kind {
      case .mac: bytes.filter { $0.hexDigitValue != nil }.lowercased == value.bytes
      case .token, .email: bytes.lowercased == value.bytes.lowercased
      case .clientAddress:
        bytes == value.bytes || IPAddress(bytes.text).map(InternetAddresses.value(of:)) == value
      }
    }
  }
}
