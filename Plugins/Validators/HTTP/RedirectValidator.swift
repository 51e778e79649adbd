public import ProbeCore

/// Accepts a redirect to the expected target; `redirect` in a pipeline file.
///
/// It judges the last redirect that was received. With `redirects: 0`, the default of requests, this is the
/// response itself; for a request that follows redirects, it is the last one followed. The status of the
/// final response is ignored; to judge it too, combine this validator with ``StatusValidator``. A redirect with several
/// Location fields that lead to different URLs is rejected, because clients follow any of them, or none. So is one with
/// user information, as in `https://bank.example@evil.example/`, unless its target may be any.
public struct RedirectValidator: ConfigurableValidator {
  /// The target, the status of the redirect, or both: in a file `redirect: /new`, or `redirect: { to: https,
  /// status: [301, 308] }`.
  public struct Options: Hashable, Sendable {
    /// The target: a URL, or a path on the same origin, in which `*` matches any text of its part of the URL, or
    /// `https` for the same host over HTTPS; nil for any.
    ///
    /// A host is compared label by label; `*.example.com` is for the hosts below it. In a path, `*` also matches
    /// slashes, and at the end of the target all that follows.
    public var to: String?
    /// The statuses of the redirect; nil for any.
    public var status: StatusValidator.Options?

    /// Creates options.
    public init(to target: String? = nil, status: StatusValidator.Options? = nil) {
      to = target
      self.status = status
    }
  }

  /// The key in a pipeline file.
  public static let name = "redirect"
  /// A summary of the accepted responses.
  public static let summary: String? = "the response is a redirect, or was reached by one, to this target"

  private let target: RedirectTarget
  private let status: [ClosedRange<Int>]
  private let expected: String

  /// Creates a validator for a target.
  ///
  /// - Parameter target: A URL, or a path on the same origin, in which `*` matches any text of its part, or `https`.
  /// - Throws: `InvalidInput` for anything else.
  public init(to target: String) throws(InvalidInput) {
    try self.init(options: Options(to: target))
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if there is neither a target nor a status, or if one of them is invalid.
  public init(options: Options) throws(InvalidInput) {
    guard options.to != nil || options.status != nil else {
      throw InvalidInput("the redirect has no target", remedy: "add to, such as to: https, or a status")
    }
    target = try InvalidInput.at(key: "to", RedirectTarget(options.to ?? "*"))
    let statuses = options.status?.statuses ?? []
    status = try options.status == nil ? [] : InvalidInput.at(key: "status", StatusRange.parseAll(statuses))
    let words = statuses.isEmpty ? "" : " with status \(statuses.joined(separator: " or "))"
    expected = "a redirect\(target.words)\(words)"
  }

  /// The status and the fields of a redirect, which only HTTP has.
  public var judges: ResponseParts { [.status, .content, .http] }

  /// Judges the last redirect.
  public func validate(_ response: ProbeResponse) -> Validation {
    guard let hop = response.redirects.last ?? RedirectHop(of: response.head, from: response.url) else {
      let found = response.head?.statusForDisplay ?? "a response without an HTTP status"
      return .rejected(.httpStatus, expected: expected, found: found)
    }
    guard !hop.isAmbiguous else {
      return .rejected(
        .httpRedirect, expected: expected,
        found: "a redirect with status \(hop.status) and several Location fields that differ")
    }
    let location = hop.location.map { "\(Excerpt($0, limit: 200))" }
    let found = "a redirect with status \(hop.status) \(location.map { "to \($0)" } ?? "without a Location")"
    guard let to = hop.target else { return .rejected(.httpRedirect, expected: expected, found: found) }
    guard target.includes(to, from: hop.url), target.isAny || !hop.hasUserInformation else {
      return .rejected(.httpRedirect, expected: expected, found: found)
    }
    guard status.isEmpty || status.contains(where: { $0.contains(hop.status) }) else {
      return .rejected(.httpStatus, expected: expected, found: found)
    }
    return .accepted
  }
}

extension RedirectValidator.Options: DeclaredOptions {
  /// A target, or a mapping.
  public static let declaration = OptionsDeclaration(
    Self(), short: .value(target, of: { $0.to }, make: { Self(to: $0) }),
    [
      OptionField(
        "to", \.to, target, default: "any target",
        summary:
          "the target: a URL, or a path on the same origin, in which * matches any text of its part of the URL; or https: "
          + "the same host over HTTPS"
      ),
      OptionField(
        "status", \.status, default: "any",
        summary: "the status codes of the redirect, such as 301 or [301, 308]"),
    ])

  private static let target = ValueSchema.text(
    pattern: "[/*]|^https$", canBeEmpty: false, canBeNumber: false, canBeBoolean: false,
    examples: ["https://example.com/login", "/login", "https"])
}

/// The required target of a redirect.
enum RedirectTarget: Sendable {
  case any
  case url(ProbeURL)
  /// To this path, with its query, on the same origin.
  case path(String)
  /// To a URL that matches, without its fragment.
  case urlPattern(String, URLPattern)
  /// To a path with its query that matches, on the same origin.
  case pathPattern(String, TargetGlob)
  /// To the same host over HTTPS; `www.` and subdomains count as the same host.
  case https

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

extension RedirectValidator {
  /// Each kind of target, and a status.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(
        Options(to: "/new?a=1"), accepts: redirect(to: "new?a=1"), rejects: redirect(to: "/new")),
      ValidatorExample(
        Options(to: "https://login.example/", status: StatusValidator.Options(statuses: ["301", "308"])),
        accepts: redirect(to: "https://login.example", status: 308),
        rejects: redirect(to: "https://login.example", status: 302)),
      ValidatorExample(
        Options(to: "https"), accepts: redirect(to: "https://www.probe.example/"),
        rejects: redirect(to: "https://login.example/")),
      ValidatorExample(
        Options(to: "https://*.example/in?*"), accepts: redirect(to: "https://login.example/in?to=/"),
        rejects: redirect(to: "https://login.example/out")),
      ValidatorExample(
        Options(to: "/items/*"), accepts: redirect(to: "/items/7"), rejects: .example(body: "log in first")),
    ]
  }

  private static func redirect(to location: String, status: Int = 302) -> ProbeResponse {
    .example(status: status, fields: ["Location": location])
  }
}
