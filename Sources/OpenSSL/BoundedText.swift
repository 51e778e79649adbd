/// Text of at most this many bytes of a stranger's, cut with an ellipsis; what would not show becomes `\xNN`.
func boundedText(_ bytes: [UInt8], limit: Int) -> String {
  var end = min(limit, bytes.count)
  // Not inside a character: no UTF-8 sequence has more than three bytes behind its first.
  for _ in 0..<3 where end > 0 && end < bytes.count && bytes[end] & 0xC0 == 0x80 { end -= 1 }
  let shown = bytes[..<end]
  var text = ""
  if let whole = String(validating: shown, as: UTF8.self) {
    for scalar in whole.unicodeScalars {
      if scalar.properties.generalCategory == .control {
        text += scalar.utf8.map(escape).joined()
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  } else {
    // Not UTF-8.
    for byte in shown { text += (0x20..<0x7F).contains(byte) ? String(Unicode.Scalar(byte)) : escape(byte) }
  }
  return bytes.count > limit ? text + "…" : text
}

/// Bytes in lower-case hexadecimal.
func hexText(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map(hexDigits).joined()
}

/// The text form of the bytes of an IP address (RFC 5280 §4.2.1.6): dotted decimal, or RFC 5952.
///
/// - Returns: nil when there are neither 4 nor 16 bytes.
func addressText(_ bytes: [UInt8]) -> String? {
  switch bytes.count {
  case 4:
    return bytes.map { String($0) }.joined(separator: ".")
  case 16:
    let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    let text = { (part: ArraySlice<UInt16>) in part.map { String($0, radix: 16) }.joined(separator: ":") }
    var gap = 0..<0
    var run = 0
    for (index, group) in groups.enumerated() {
      run = group == 0 ? run + 1 : 0
      if run > gap.count { gap = (index - run + 1)..<(index + 1) }
    }
    guard gap.count > 1 else { return text(groups[...]) }
    return text(groups[..<gap.lowerBound]) + "::" + text(groups[gap.upperBound...])
  default:
    return nil
  }
}

private func escape(_ byte: UInt8) -> String {
  "\\x" + hexDigits(byte)
}

private func hexDigits(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16)
}
