import ProbeBase

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
    if isASCIILetter { return true }
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
  func percentEncoded(_ part: URLPart) -> String { percentEncodedText(where: { !$0.mayStay(in: part) }) }

  /// The text with non-ASCII bytes percent-encoded, and everything else unchanged.
  var asciiReference: String { percentEncodedText(where: { $0 >= 0x80 }) }
}
