extension String {
  /// The text as a part of a JSON string (RFC 8259 §7): quotes, backslashes and control characters are escaped.
  package var escapedInJSON: String {
    var json = JSONBytes(reserving: utf8.count)
    json.escaped(utf8)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// The text as a JSON string, with its quotes.
  package var quotedInJSON: String { "\"\(escapedInJSON)\"" }
}
