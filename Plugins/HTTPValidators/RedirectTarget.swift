internal import PCRE2Validator
internal import ProbeCore

/// The required target of a redirect.
enum RedirectTarget: Sendable {
  /// Anywhere.
  case any
  /// To this URL.
  case url(ProbeURL)
  /// To this path, with its query, on the same origin.
  case path(String)
  /// To a URL that matches, without its fragment.
  case urlPattern(String, TextPattern)
  /// To a path with its query that matches, on the same origin.
  case pathPattern(String, TextPattern)
  /// To the same host over HTTPS; `www.` and subdomains count as the same host.
  case https

  /// The word for ``https``.
  static let httpsWord = "https"
  /// The kinds of redirects in conditions of rules, which use the same key.
  private static let kinds = ["any", "offHost", "downgrade", "invalid"]

  /// Parses a target: a URL or a path, in which `*` matches any text, or `https`.
  ///
  /// - Throws: `InvalidInput` for anything else.
  init(_ text: String) throws(InvalidInput) {
    if text == Self.httpsWord {
      self = .https
    } else if text == "*" {
      self = .any
    } else if Self.kinds.contains(text) {
      throw InvalidInput(
        "\(text) is a kind of redirect for conditions of classify, not a target",
        remedy: "write * for any target, or a URL, a path or https")
    } else if text.contains("*") {
      let isPath = text.hasPrefix("/")
      guard isPath || text.contains("://") || text.hasPrefix("*") else { throw Self.noTarget(text) }
      let pattern = try Self.pattern(of: text)
      self = isPath ? .pathPattern(text, pattern) : .urlPattern(text, pattern)
    } else if text.hasPrefix("/"), !text.hasPrefix("//") {
      guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        throw InvalidInput("the path has a character that must be encoded", remedy: "write it as %20")
      }
      self = .path(text)
    } else if text.contains("://") {
      self = .url(try ProbeURL(text))
    } else {
      throw Self.noTarget(text)
    }
  }

  private static func noTarget(_ text: String) -> InvalidInput {
    InvalidInput(
      "\(Excerpt(text)) is not the target of a redirect",
      remedy: "write a URL such as https://example.com/login, a path such as /login, or https")
  }

  /// A pattern in which only `*` is special.
  private static func pattern(of text: String) throws(InvalidInput) -> TextPattern {
    // A backslash could end the quotation, and no URL has one.
    guard !text.utf8.contains(UInt8(ascii: "\\")) else {
      throw InvalidInput("the target contains a backslash", remedy: "use / or write it as %5C")
    }
    let parts = text.split(separator: "*", omittingEmptySubsequences: false).map { "\\Q\($0)\\E" }
    return try TextPattern(
      MatchesValidator.Options(
        pattern: parts.joined(separator: ".*") + "\\z", options: [.anchored, .dotall]))
  }

  /// The approximate size of its pattern in bytes.
  var compiledSize: Int {
    switch self {
    case .urlPattern(_, let pattern), .pathPattern(_, let pattern): pattern.compiledSize
    case .any, .url, .path, .https: 0
    }
  }

  /// The description of the target, for use after `a redirect`.
  var words: String {
    switch self {
    case .any: ""
    case .url(let url): " to \(Excerpt(url.string))"
    case .path(let path), .pathPattern(let path, _): " to \(Excerpt(path)) on the same origin"
    case .urlPattern(let text, _): " to \(Excerpt(text))"
    case .https: " to the same host over https"
    }
  }

  /// Whether the URL of a redirect matches the target; nil if the pattern reached its limits.
  func includes(_ target: ProbeURL, from url: ProbeURL) -> Bool? {
    switch self {
    case .any: return true
    case .https: return target.scheme == .https && !url.isOffHost(target)
    case .url(let expected):
      return target.hasSameOrigin(as: expected) && target.requestTarget == expected.requestTarget
        && (expected.fragment == nil || expected.fragment == target.fragment)
    case .path(let path):
      return target.hasSameOrigin(as: url) && target.requestTarget == url.resolve(path)?.requestTarget
    case .urlPattern(_, let pattern):
      return Self.matches(String(target.string.prefix { $0 != "#" }), pattern)
    case .pathPattern(_, let pattern):
      guard target.hasSameOrigin(as: url) else { return false }
      return Self.matches(target.requestTarget, pattern)
    }
  }

  private static func matches(_ text: String, _ pattern: TextPattern) -> Bool? {
    switch pattern.search(Array(text.utf8).span) {
    case .match: true
    case .noMatch: false
    case .limit: nil
    }
  }
}
