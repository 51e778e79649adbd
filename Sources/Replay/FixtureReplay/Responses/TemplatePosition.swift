internal import ProbeCore

/// The position of a variable in a template, which determines how its value is escaped.
///
/// Regardless of the value, it cannot end the syntax around it: it adds no header field, no element, no
/// string and no parameter.
struct TemplatePosition: Hashable, Sendable {
  /// The syntax around it.
  enum Syntax: Hashable, Sendable {
    /// A text without syntax.
    case plain
    /// The value of a header field, or a quoted string in it.
    case header(isQuoted: Bool)
    /// A text or an attribute of HTML or XML.
    case markup(isUnquoted: Bool)
    /// A string of JavaScript; outside of strings, the escaped value is not code either.
    case script
    case jsonString
    case jsonValue
  }

  /// The part of a URL that it is in.
  enum URLPart: Hashable, Sendable {
    /// It is the start of the URL.
    case start
    /// It is before the query, and a colon could still turn the preceding text into a scheme.
    case relative
    /// It is before the query.
    case path
    /// It is in the query or the fragment.
    case query
  }

  var syntax: Syntax
  var url: URLPart?

  /// Escapes a value for this position.
  ///
  /// - Parameters:
  ///   - value: The value, or nil for a number that does not exist.
  ///   - variable: The variable that has it.
  /// - Returns: The escaped value.
  func escaped(_ value: String?, of variable: TemplateVariable) -> String {
    guard let value else { return [.jsonValue, .script].contains(syntax) ? "null" : "" }
    let inURL = url.map { Self.escaped(value, in: $0, isEncoded: variable.isURLPart) } ?? value
    switch syntax {
    case .plain: return inURL
    case .header(isQuoted: true): return inURL.escapedInQuotedString
    case .header(isQuoted: false): return url == nil ? inURL.escapedInHeader : inURL
    case .markup(let isUnquoted): return inURL.escapedInMarkup(isUnquoted: isUnquoted)
    case .script: return variable.isNumber ? inURL : inURL.escapedInScript
    case .jsonString: return inURL.escapedInJSON
    case .jsonValue: return variable.isNumber ? inURL : inURL.quotedInJSON
    }
  }

  private static func escaped(_ value: String, in part: URLPart, isEncoded: Bool) -> String {
    switch part {
    case .query: return value.utf8.percentEncodedComponent()
    case .relative:
      return value.utf8.percentEncodedComponent {
        "/!$&()*+,;=[]".utf8.contains($0) || isEncoded && $0 == UInt8(ascii: "%")
      }
    case .path:
      return value.utf8.percentEncodedComponent {
        "/:!$&()*+,;=[]".utf8.contains($0) || isEncoded && $0 == UInt8(ascii: "%")
      }
    case .start:
      // A URL of another scheme, such as javascript, could be code.
      let text = value.lowercased()
      let isPlain = value.isEmpty || ["http://", "https://", "/", "?", "#"].contains { text.hasPrefix($0) }
      return isPlain ? value.utf8.percentEncodedComponent { ":/?#[]@!$&()*+,;=%".utf8.contains($0) } : "#"
    }
  }
}

extension String {
  /// The text in a quoted string (RFC 9110 §5.6.4), with control characters percent-encoded.
  fileprivate var escapedInQuotedString: String {
    let text = utf8.flatMap { "\"\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
    return text.percentEncodedComponent { $0 >= 0x20 && $0 < 0x7F }
  }

  /// The text with everything percent-encoded that could separate values in a header field.
  fileprivate var escapedInHeader: String {
    utf8.percentEncodedComponent { $0 >= 0x20 && $0 < 0x7F && !"\"\\,;".utf8.contains($0) }
  }

  /// The text with character references, regardless of the charset of the page.
  fileprivate func escapedInMarkup(isUnquoted: Bool) -> String {
    var result = ""
    for scalar in withMarkupReferences().unicodeScalars {
      switch scalar {
      case "'", "`", "=": result += "&#\(scalar.value);"
      case " ", "\t", "\n", "\r", "\u{C}": result += isUnquoted ? "&#\(scalar.value);" : "\(scalar)"
      // XML has no references to control characters.
      case ..<" ", "\u{7F}"..."\u{9F}": result += "&#65533;"
      case "\u{80}"...: result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text with all but letters and digits as escapes of JavaScript strings.
  fileprivate var escapedInScript: String {
    var result = ""
    for unit in utf16 {
      if unit < 0x80,
        UInt8(truncatingIfNeeded: unit).isASCIILetter || UInt8(truncatingIfNeeded: unit).isASCIIDigit
          || unit == 0x5F
      {
        result.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: unit)))
      } else {
        result += "\\u" + unit.hexText(atLeast: 4)
      }
    }
    return result
  }
}

/// Follows a text byte by byte, and determines whether it is in a URL, and in which part.
struct URLRun {
  private enum State {
    case none
    case slashes(Int)
    case path
    case query
  }

  private var state = State.none
  /// Whether a URL is expected, relative or absolute, as in an attribute for one.
  private var isURL = false
  /// Whether nothing has followed the last delimiter.
  private var isStart = true
  private var last: UInt8 = 0

  /// Starts a text that is a URL as a whole.
  mutating func startURL() {
    (state, isURL, isStart) = (.none, true, true)
  }

  /// Starts a text that may have URLs in it.
  mutating func start() {
    (state, isURL, isStart) = (.none, false, true)
  }

  /// The part of a URL that the next byte belongs to, or nil outside of URLs.
  var part: TemplatePosition.URLPart? {
    switch state {
    case .query: .query
    case .path: .path
    case .none, .slashes: isURL ? (isStart ? .start : .relative) : nil
    }
  }

  mutating func read(_ byte: UInt8) {
    defer { last = byte }
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\""),
      UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "<"), UInt8(ascii: ">"):
      if !isURL { start() }
    case UInt8(ascii: "?"), UInt8(ascii: "#"):
      if isURL || part != nil { state = .query }
      isStart = false
    case UInt8(ascii: ":"):
      if case .none = state { state = .slashes(0) }
      isStart = false
    case UInt8(ascii: "/"):
      if case .slashes(let count) = state { state = count == 1 ? .path : .slashes(1) }
      isStart = false
    default:
      if case .slashes = state { state = .none }
      isStart = false
    }
  }

  /// Notes a variable in the text.
  mutating func read(_ variable: TemplateVariable) {
    if isStart, variable == .requestURL || variable == .sessionURL { state = .path }
    isStart = false
  }
}
