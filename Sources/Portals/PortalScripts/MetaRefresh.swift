internal import ProbeCore

/// The content of a `<meta http-equiv="refresh">` (HTML standard, "shared declarative refresh steps").
package struct MetaRefresh {
  /// The delay in seconds; a very large number is capped.
  package let seconds: Int
  /// The target, as written; nil if the page only reloads itself.
  package let url: String?

  /// Parses the content attribute.
  ///
  /// - Returns: nil if it is invalid, for instance without a leading number.
  package init?(_ content: String) {
    var rest = Substring(content).utf8.drop(while: \.isASCIISpace)
    let time = rest.prefix { $0.isDigitOrPoint }
    rest = rest[time.endIndex...]
    guard !time.isEmpty else { return nil }
    seconds = time.prefix { $0 != UInt8(ascii: ".") }.prefix(6).reduce(0) {
      $0 * 10 + Int(widening: $1 & 0x0F)
    }
    // A space alone may separate time and URL, as in browsers.
    let separated = rest.drop(while: \.isASCIISpace)
    if let separator = separated.first, separator == UInt8(ascii: ";") || separator == UInt8(ascii: ",") {
      rest = separated.dropFirst().drop(while: \.isASCIISpace)
    } else if separated.startIndex != rest.startIndex {
      rest = separated
    } else {
      url = nil
      // Anything else directly after the number invalidates the whole.
      guard separated.isEmpty else { return nil }
      return
    }
    if rest.prefix(3).elementsEqual("url".utf8, by: { $0 | 0x20 == $1 }) {
      let name = rest.dropFirst(3).drop(while: \.isASCIISpace)
      if name.first == UInt8(ascii: "=") { rest = name.dropFirst().drop(while: \.isASCIISpace) }
    }
    if let quote = rest.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
      rest = rest.dropFirst().prefix { $0 != quote }
    }
    rest = rest.trimmingEnd(where: \.isASCIISpace)
    url = rest.isEmpty ? nil : String(Substring(rest))
  }
}

extension UInt8 {
  fileprivate var isDigitOrPoint: Bool {
    isASCIIDigit || self == UInt8(ascii: ".")
  }
}
