import ProbeBase

/// A part of a URL's path between two slashes, as servers and proxies may read it.
///
/// RFC 3986 §5.2.4 removes the parts `.` and `..`. Many programs do so only after they have decoded the part, once or
/// again (`%2e`, `%252e`), treat a backslash like a slash, or ignore what follows a semicolon (`..;x`). So a part
/// counts for all that any of them would read in it:
///
/// - Percent-encoding, however often it is applied, and the `%u002e` of IIS, which is not in any standard.
/// - UTF-8 in more bytes than necessary, such as `%c0%ae` for a dot, as Tomcat (CVE-2008-2938) and IIS (MS00-078) did;
///   IIS accepted any second byte, as in `%c0%2f`.
/// - Fullwidth forms and other characters that Windows replaces by ASCII where a code page lacks them (WideCharToMultiByte,
///   best fit), or that a compatibility normalization replaces (NFKC, UAX #15).
///
/// Ideographic full stops (U+3002, U+FF61) are text: they are dots in host names only (UTS #46).
package struct PathPart {
  /// The parts that it consists of, decoded.
  private let parts: [ArraySlice<UInt8>]

  /// Reads a part, with or without its percent-encoding.
  package init(_ bytes: some Collection<UInt8>) {
    parts = Self.decoded(bytes).split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
    }
  }

  /// Whether it can be read as `.` or `..`, and so name another folder.
  package var namesOtherFolder: Bool {
    parts.contains { part in
      let name = part.prefix { $0 != UInt8(ascii: ";") }.filter { $0 > 0x20 && $0 != 0x7F }
      return name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
    }
  }

  /// Whether it can be read as an empty part, which some programs remove.
  ///
  /// - Parameter isLast: Whether it is the last part of a path, which may end with a slash.
  /// - Returns: Whether it can.
  package func isEmpty(isLast: Bool) -> Bool {
    parts.dropLast(isLast ? 1 : 0).contains(where: \.isEmpty)
  }

  /// The bytes as the most lenient server reads them.
  private static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var decoded = percentDecoded(bytes)
    // A fullwidth percent sign begins another encoding; each makes the text shorter.
    while decoded.contains(where: { $0 >= 0x80 }) {
      let again = percentDecoded(inASCII(decoded))
      guard again.count < decoded.count else { break }
      decoded = again
    }
    return decoded
  }

  private static func percentDecoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      result.append(byte)
      // A decoded byte can end another encoding.
      while let (length, decoded) = result.encodedSuffix {
        result.removeLast(length)
        result += decoded
      }
    }
    return result
  }

  /// The bytes with ASCII instead of the UTF-8 that counts as such.
  private static func inASCII(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[...]
    while let first = rest.first {
      if let (length, ascii) = rest.prefixLikeASCII {
        result += ascii
        rest = rest.dropFirst(length)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}

extension [UInt8] {
  /// The percent-encoding at the end, such as `%2e` or `%u002e`: its length, and the bytes that it represents.
  fileprivate var encodedSuffix: (length: Int, bytes: [UInt8])? {
    if let value = hexValue(ofLast: 2, after: "%") { return (3, [UInt8(truncatingIfNeeded: value)]) }
    guard let value = hexValue(ofLast: 4, after: "%u") ?? hexValue(ofLast: 4, after: "%U") else { return nil }
    return (6, Unicode.Scalar(value).map { Array(String($0).utf8) } ?? [])
  }

  private func hexValue(ofLast digits: Int, after mark: String) -> UInt32? {
    guard count >= digits + mark.utf8.count,
      self[..<(count - digits)].suffix(mark.utf8.count).elementsEqual(mark.utf8)
    else { return nil }
    return UInt32(hexDigits: suffix(digits))
  }
}

extension ArraySlice<UInt8> {
  /// The UTF-8 at the start that counts as ASCII: its length, and the ASCII.
  fileprivate var prefixLikeASCII: (length: Int, bytes: [UInt8])? {
    guard let first, first >= 0xC0, first < 0xFE else { return nil }
    let length = (~first).leadingZeroBitCount
    let rest = dropFirst().prefix(length - 1)
    guard rest.count == length - 1,
      rest.allSatisfy({ $0 & 0xC0 == 0x80 || first <= 0xC1 && $0 < 0x80 })
    else { return nil }
    let value = rest.reduce(UInt32(widening: first & 0x7F >> UInt8(truncatingIfNeeded: length))) {
      $0 << 6 | UInt32(widening: $1 & 0x3F)
    }
    switch value {
    case ..<0x80: return (length, [UInt8(truncatingIfNeeded: value)])
    // The fullwidth forms of `!` to `~`.
    case 0xFF01...0xFF5E: return (length, [UInt8(truncatingIfNeeded: value - 0xFEE0)])
    case 0x2024, 0xFE52: return (length, Array(".".utf8))
    case 0x2025, 0xFE30: return (length, Array("..".utf8))
    case 0x037E, 0xFE54: return (length, Array(";".utf8))
    case 0xFE6A: return (length, Array("%".utf8))
    case 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: return (length, Array(" ".utf8))
    // Invisible: a soft hyphen, and characters without width.
    case 0xAD, 0x200B...0x200D, 0x2060, 0xFEFF: return (length, [])
    case 0x2044, 0x2215: return (length, Array("/".utf8))
    case 0x20E5, 0x2216, 0xFE68: return (length, Array("\\".utf8))
    default: return nil
    }
  }
}
