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
  case urlPattern(String, URLPattern)
  /// To a path with its query that matches, on the same origin.
  case pathPattern(String, TargetGlob)
  /// To the same host over HTTPS; `www.` and subdomains count as the same host.
  case https

  /// Whether it is ``any``.
  var isAny: Bool { if case .any = self { true } else { false } }

  /// The word for ``https``.
  static let httpsWord = "https"
  /// The kinds of redirects in conditions of rules, which use the same key.
  private static let kinds = ["any", "offHost", "downgrade", "invalid"]

  /// Parses a target: a URL or a path, in which `*` matches any text of its part, or `https`.
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
      if text.hasPrefix("/") {
        self = .pathPattern(text, try TargetGlob(text))
        return
      }
      // Without a scheme it begins with a whole label, so that *example.com is not taken for a host and those below it.
      guard text.contains("://") || ["*.", "*/", "*:", "*?"].contains(where: text.hasPrefix) else {
        throw Self.noTarget(text)
      }
      self = .urlPattern(text, try URLPattern(text))
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

  /// Whether the URL of a redirect matches the target.
  func includes(_ target: ProbeURL, from url: ProbeURL) -> Bool {
    switch self {
    case .any: return true
    case .https: return target.scheme == .https && !url.isOffHost(target)
    case .url(let expected):
      return target.hasSameOrigin(as: expected) && target.requestTarget == expected.requestTarget
        && (expected.fragment == nil || expected.fragment == target.fragment)
    case .path(let path):
      return target.hasSameOrigin(as: url) && target.requestTarget == url.resolve(path)?.requestTarget
    case .urlPattern(_, let pattern): return pattern.matches(target)
    case .pathPattern(_, let pattern): return target.hasSameOrigin(as: url) && pattern.matches(target)
    }
  }
}
