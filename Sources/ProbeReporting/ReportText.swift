import ProbeCore

extension String {
  /// The text escaped for display, and its noncharacters too: XML (1.0 §2.2) and YAML (1.2 §5.1) cannot hold all of
  /// them, and readers in Perl refuse every one.
  var withoutNoncharacters: String {
    let shown = escapedForDisplay
    guard shown.unicodeScalars.contains(where: \.properties.isNoncharacterCodePoint) else { return shown }
    var result = ""
    for scalar in shown.unicodeScalars {
      if scalar.properties.isNoncharacterCodePoint {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text with each of these ASCII characters replaced.
  func replacing(_ replacements: [Character: String]) -> String {
    var table: [UInt8: String] = [:]
    for (character, replacement) in replacements { table[character.asciiValue ?? 0] = replacement }
    guard utf8.contains(where: { table[$0] != nil }) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count + utf8.count / 8)
    for byte in utf8 {
      if let replacement = table[byte] { bytes += replacement.utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
