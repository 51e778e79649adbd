internal import ProbeCore

/// Replaces private values by stand-ins.
extension CaptureRedaction {
  /// A URL with every private value replaced.
  func redacted(_ url: ProbeURL) -> ProbeURL {
    let text = redacted(url.string)
    guard text != url.string else { return url }
    // Only letters and digits change, so it remains a valid URL; if it did not, it would be replaced as a
    // whole.
    return (try? ProbeURL(text)) ?? (try? ProbeURL("\(url.scheme)://redacted.invalid/")) ?? url
  }

  /// The bytes of one direction without the secrets of the request; their number stays the same.
  ///
  /// The message framing is kept. Compressed content that contains a secret, or may contain one, is replaced
  /// as a whole.
  ///
  /// - Returns: The bytes, and whether compressed content was replaced.
  func blanked(_ wire: [UInt8], isRequest: Bool) -> (bytes: [UInt8], hasLostContent: Bool) {
    guard let secrets else { return (wire, false) }
    var blanked = wire
    let text = WireText(wire, isRequest: isRequest)
    let lost = text.packed.filter { packed in
      guard let bytes = packed.bytes, bytes.count < WireText.unpackedLimit else { return true }
      return secrets.blanked(bytes) != nil
    }
    for place in lost.lazy.flatMap(\.places).joined() { blanked[place] = UInt8(ascii: "x") }
    for part in text.parts {
      guard var bytes = secrets.blanked(part.bytes) else { continue }
      for range in part.head?.framing ?? [] { bytes.replaceSubrange(range, with: part.bytes[range]) }
      WireText.write(bytes, of: part, to: &blanked)
    }
    return (blanked, !lost.isEmpty)
  }

  /// The bytes of one direction, with every private value replaced.
  func redacted(_ wire: [UInt8], isRequest: Bool) -> [UInt8] {
    guard !standIns.isEmpty else { return wire }
    var redacted = wire
    for part in WireText(wire, isRequest: isRequest).parts {
      WireText.write(self.redacted(part), of: part, to: &redacted)
    }
    return redacted
  }

  /// Replaces private values in a text: first where they are recognized, then at all other places.
  func redacted(_ part: WireText.Part) -> [UInt8] {
    let text = part.bytes
    var redacted = text
    var taken = part.head?.framing ?? []
    for finding in PrivateText.findings(in: text, head: part.head, isForm: part.isForm) {
      guard let standIn = standIns[finding.value] else { continue }
      write(standIn, finding, of: text, to: &redacted)
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

  /// Replaces known values at all other places, in the spelling used there.
  private func replaceKnown(in range: Range<Int>, of text: [UInt8], in redacted: inout [UInt8]) {
    guard range.count >= known.shortest else { return }
    for match in known.found(in: Array(text[range])) {
      let place = match.range.moved(by: range.lowerBound)
      if text[place].elementsEqual(match.form.bytes) {
        redacted.replaceSubrange(place, with: match.form.standIn)
        continue
      }
      let spelled = SpelledText(place, of: text)
      if spelled.bytes.elementsEqual(match.form.bytes) {
        spelled.write(match.form.standIn, to: &redacted)
      } else {
        // With nested escapes or another charset, the bytes cannot be mapped, so the whole match is replaced.
        for index in place where redacted[index].isASCIILetter || redacted[index].isASCIIDigit {
          redacted[index] = UInt8(ascii: "x")
        }
      }
    }
  }

  private func write(
    _ standIn: [UInt8], _ finding: PrivateFinding, of text: [UInt8], to redacted: inout [UInt8]
  ) {
    let spelled = SpelledText(finding.range, of: text)
    switch finding.value.kind {
    case .mac: spelled.write(Self.digits(standIn, like: spelled.bytes), to: &redacted)
    case .token:
      let isUpper =
        OpaqueWord.isHexadecimal(spelled.bytes) && !spelled.bytes.contains(where: \.isASCIILowercase)
      spelled.write(isUpper ? standIn.map(\.asciiUppercased) : standIn, to: &redacted)
    case .email:
      let sign = spelled.spelling(of: UInt8(ascii: "@"), in: text)
      var address = standIn.flatMap { $0 == UInt8(ascii: "@") ? sign : [$0] }
      // If other characters are encoded too, lengthen the name.
      let missing = finding.range.count - address.count
      address.insert(contentsOf: [UInt8](repeating: UInt8(ascii: "x"), count: max(0, missing)), at: 0)
      if missing >= 0 { redacted.replaceSubrange(finding.range, with: address) }
    case .clientAddress:
      let isSame = spelled.bytes == finding.value.bytes
      let number = numbers[finding.value, default: 1]
      let address = isSame ? standIn : AddressStandIns.v6(like: spelled.bytes, number: number)
      let colon = spelled.spelling(of: UInt8(ascii: ":"), in: text)
      let bytes = address.flatMap { $0 == UInt8(ascii: ":") ? colon : [$0] }
      if bytes.count == finding.range.count { redacted.replaceSubrange(finding.range, with: bytes) }
    }
  }

  /// The digits of a stand-in, with the separators and the case of the original hardware address.
  private static func digits(_ standIn: [UInt8], like spelled: [UInt8]) -> [UInt8] {
    let isUpper =
      spelled.contains(where: \.isASCIIUppercase)
      || !spelled.contains(where: \.isASCIILowercase) && spelled.contains(UInt8(ascii: "-"))
    var digits = standIn[...]
    return spelled.map { byte in
      guard byte.hexDigitValue != nil, let digit = digits.popFirst() else { return byte }
      return isUpper ? digit.asciiUppercased : digit
    }
  }
}
