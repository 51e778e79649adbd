/// Makes text from the network safe to display.
extension String {
  /// The text with every character that could act on a terminal or mislead a reader written as an escape.
  ///
  /// Escapes C0 and C1 controls and DEL, line and paragraph separators, and the format characters of Unicode
  /// (including bidirectional overrides and isolates, Unicode UAX #9). Also escapes invisible characters:
  /// those that are ignorable by default (UAX #44) and those that look like a space. Everything else,
  /// including a backslash, stays unchanged, so that escaping twice changes nothing.
  package var escapedForDisplay: String {
    // Checking the bytes first keeps plain text, by far the most common case, cheap.
    guard utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }),
      unicodeScalars.contains(where: \.mustBeEscapedForDisplay)
    else { return self }
    var result = ""
    for scalar in unicodeScalars {
      if scalar.mustBeEscapedForDisplay {
        result += scalar.displayEscape
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// JSON with every character that could act on a terminal or mislead a reader written as an escape.
  ///
  /// Outside strings, JSON is ASCII only, and strings cannot contain a line break. So every escaped character
  /// is in a string, where the escape has the same meaning.
  package init(jsonForDisplay json: some Collection<UInt8>) {
    self.init(decoding: json, as: UTF8.self)
    guard utf8.contains(where: { ($0 < 0x20 && $0 != 0x0A) || $0 >= 0x7F }) else { return }
    var result = ""
    result.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      if scalar.mustBeEscapedForDisplay, scalar != "\n" {
        for unit in UTF16.encode(scalar) ?? .init() {
          result += "\\u" + unit.hexText(atLeast: 4)
        }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    self = result
  }

  /// Decodes wire bytes: as UTF-8 if they are valid UTF-8, otherwise as one character per byte (ISO 8859-1).
  ///
  /// RFC 9110 §5.5 leaves bytes above 0x7F in field values opaque; ISO 8859-1 loses none of them.
  package init(wireBytes bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self = text
    } else {
      self.init(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }
  }
}

extension Unicode.Scalar {
  /// Whether the character could act on a terminal or mislead a reader; see `String.escapedForDisplay`.
  package var mustBeEscapedForDisplay: Bool {
    if value >= 0x20 && value < 0x7F { return false }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    // U+2800 is a braille pattern without dots; U+1D159 is a musical note without a head.
    default: return properties.isDefaultIgnorableCodePoint || value == 0x2800 || value == 0x1D159
    }
  }

  fileprivate var displayEscape: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: value < 0x80 ? "\\x" + value.hexText(atLeast: 2) : "\\u{" + value.hexText(atLeast: 4) + "}"
    }
  }
}

/// A short, quoted excerpt of some bytes for a message.
///
/// Unsafe characters are escaped, quotes and backslashes are preceded by a backslash, and an ellipsis marks a
/// cut.
public struct Excerpt: Sendable, CustomStringConvertible {
  /// The quoted text, ready to be put into a sentence.
  public let description: String

  /// Quotes the start of the bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to quote.
  ///   - limit: The maximum number of bytes to show.
  public init(_ bytes: some Collection<UInt8>, limit: Int = 60) {
    let shown = bytes.prefix(limit)
    self.init(shown: shown, isCut: shown.count < bytes.count)
  }

  /// Quotes bytes that are already an excerpt.
  package init(shown: some Collection<UInt8>, isCut: Bool) {
    // A cut can fall inside a UTF-8 sequence; decoding repairs that to one replacement character.
    var text = String(decoding: shown, as: UTF8.self)
    // Escape backslashes first, to distinguish escapes added here from literal text that looks like one.
    text = text.withBackslashes(before: "\\").escapedForDisplay.withBackslashes(before: "\"")
    description = isCut ? "\"\(text)…\"" : "\"\(text)\""
  }

  /// Quotes the start of a text.
  public init(_ text: String, limit: Int = 60) {
    self.init(text.utf8, limit: limit)
  }
}

/// Keeps user names and passwords out of messages and reports.
extension String {
  /// The text without a possible user name and password of a URL, for a message or a report.
  ///
  /// A ``ProbeURL`` never has credentials; this is for text that could not be parsed as one. It redacts
  /// everything between the scheme and the last `@`, because a password can contain any other character.
  package var withoutCredentials: String {
    guard let at = utf8.lastIndex(of: UInt8(ascii: "@")) else { return self }
    let scheme = self[..<at].firstRange(of: "://").map { self[..<$0.upperBound] } ?? ""
    return scheme + "<redacted>" + self[at...]
  }
}
