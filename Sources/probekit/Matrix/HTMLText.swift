import ProbeCore

extension String {
  /// The text as it stands in HTML, in content and in attributes between double quotes; nothing in it acts or misleads.
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
