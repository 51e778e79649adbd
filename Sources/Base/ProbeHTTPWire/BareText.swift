internal import ProbeBase

/// A text instead of a response: it has no status line, as in HTTP/0.9.
extension Span<UInt8> {
  /// Whether a text in UTF-16 begins here, with its byte order mark (RFC 2781 §3.2).
  package var hasUTF16Mark: Bool {
    count >= 2 && (self[0] == 0xFE && self[1] == 0xFF || self[0] == 0xFF && self[1] == 0xFE)
  }

  /// Whether a byte occurs that no text has; NUL is a half of each ASCII character in UTF-16.
  package var hasBinaryData: Bool {
    for index in indices where self[index].isBinaryData && self[index] != 0 { return true }
    return false
  }
}
