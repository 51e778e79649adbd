import ProbeASCII

/// A part of a URL's path between two slashes, as servers and proxies may read it.
///
/// RFC 3986 §5.2.4 removes the parts `.` and `..`. Many programs do so only after they have decoded the part, once or
/// again (`%2e`, `%252e`), treat a backslash like a slash, or ignore what follows a semicolon (`..;x`). So a part
/// counts for all that any of them would read in it.
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

  /// The bytes without percent-encoding, however often it is applied.
  private static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      result.append(byte)
      // A decoded byte can end another encoding.
      while let decoded = result.suffix(3).percentDecodedByte {
        result.removeLast(3)
        result.append(decoded)
      }
    }
    return result
  }
}

extension ArraySlice<UInt8> {
  /// The byte that a percent sign and two digits stand for; nil if these are not three such bytes.
  fileprivate var percentDecodedByte: UInt8? {
    guard count == 3, self[startIndex] == UInt8(ascii: "%"), let high = self[startIndex + 1].hexDigitValue,
      let low = self[startIndex + 2].hexDigitValue
    else { return nil }
    return high << 4 | low
  }
}
