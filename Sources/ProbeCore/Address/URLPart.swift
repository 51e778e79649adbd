import ProbeASCII

/// A part of a URL, which determines the characters that must be percent-encoded.
///
/// The sets are those of browsers (WHATWG URL §1.3), because portals compare the bytes they receive with
/// those they sent.
enum URLPart: CaseIterable {
  case path
  case query
  /// The query of an http or https URL.
  case specialQuery
  case fragment
}

extension URLScheme {
  /// Whether browsers parse URLs of this scheme by the lenient rules (WHATWG URL §3.1).
  var isSpecial: Bool { self == .http || self == .https }

  /// The kind of part that the query of its URLs is.
  var query: URLPart { isSpecial ? .specialQuery : .query }
}

extension UInt8 {
  fileprivate func mayStay(in part: URLPart) -> Bool {
    guard self > 0x20, self < 0x7F else { return false }
    return switch self {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): false
    case UInt8(ascii: "#"): part == .fragment
    case UInt8(ascii: "`"): part == .query || part == .specialQuery
    case UInt8(ascii: "'"): part != .specialQuery
    case UInt8(ascii: "?"), UInt8(ascii: "^"), UInt8(ascii: "{"), UInt8(ascii: "}"): part != .path
    default: true
    }
  }
}

extension Collection<UInt8> {
  /// The text with every byte that the part cannot contain percent-encoded; existing percent-encoding is
  /// kept.
  func percentEncoded(_ part: URLPart) -> String { percentEncoded { !$0.mayStay(in: part) } }

  /// The text with non-ASCII bytes percent-encoded, and everything else unchanged.
  var asciiReference: String { percentEncoded { $0 >= 0x80 } }

  /// The text with every byte percent-encoded that is not unreserved (RFC 3986 §2.3), except those that
  /// `isKept` names.
  package func percentEncodedText(keeping isKept: (UInt8) -> Bool = { _ in false }) -> String {
    percentEncoded { !($0.isASCIILetter || $0.isASCIIDigit || "-._~".utf8.contains($0) || isKept($0)) }
  }

  private func percentEncoded(where mustBe: (UInt8) -> Bool) -> String {
    if !contains(where: mustBe) { return String(decoding: self, as: UTF8.self) }
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in self {
      if mustBe(byte) {
        result += [UInt8(ascii: "%"), digits[Int(widening: byte >> 4)], digits[Int(widening: byte & 15)]]
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
