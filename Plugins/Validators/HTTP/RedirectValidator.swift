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
    target = try InvalidInput.at("to") { () throws(InvalidInput) in try RedirectTarget(options.to ?? "*") }
    let statuses = options.status?.statuses ?? []
    status = try InvalidInput.at("status") { () throws(InvalidInput) in
      guard let options = options.status else { return [] }
      return try StatusRange.parseAll(options.statuses)
    }
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

extension RedirectValidator.Options: SchemaProviding {
  /// A target, or a mapping.
  public static let schema = ValueSchema.anyOf([
    target,
    .mapping([
      .key(
        "to", target, default: "any target",
        summary:
          "the target: a URL, or a path on the same origin, in which * matches any text of its part of the URL; or https: "
          + "the same host over HTTPS"
      ),
      .key(
        "status", StatusValidator.Options.schema, default: "any",
        summary: "the status codes of the redirect, such as 301 or [301, 308]"),
    ]),
  ])

  private static let target = ValueSchema.text(
    pattern: "[/*]|^https$", canBeEmpty: false, canBeNumber: false, canBeBoolean: false,
    examples: ["https://example.com/login", "/login", "https"])
}

extension RedirectValidator.Options: Codable {
  private enum CodingKeys: String, CodingKey {
    case to, status
  }

  /// Decodes a target, or a mapping.
  public init(from decoder: any Decoder) throws {
    if let target = try? decoder.singleValueContainer().decode(String.self) {
      self.init(to: target)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      to: try container.decodeIfPresent(String.self, forKey: .to),
      status: try container.decodeIfPresent(StatusValidator.Options.self, forKey: .status))
  }

  /// Encodes only the target if that is sufficient, otherwise a mapping.
  public func encode(to encoder: any Encoder) throws {
    if let to, status == nil {
      var container = encoder.singleValueContainer()
      try container.encode(to)
      return
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(to, forKey: .to)
    try container.encodeIfPresent(status, forKey: .status)
  }
}
