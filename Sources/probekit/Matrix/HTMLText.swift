import ProbeCore

extension String {
  /// Escapes the text for HTML content and for attributes in double quotes; invisible and control characters
  /// too.
  var escapedForHTML: String {
    var bytes: [UInt8] = []
    for byte in escapedForDisplay.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "\""): bytes += "&quot;".utf8
      case UInt8(ascii: "'"): bytes += "&#39;".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
