/// Requires a 2xx status of an HTTP response, in addition to a validator or instead of one.
///
/// Without a validator, an HTTP response must not be the result of a redirect either. A TCP response is
/// accepted if the connection was established. A DNS response must have the code NOERROR and a record in its
/// answer section, unless the validator judges these itself.
///
/// A validator that judges only the connection needs no 2xx status over HTTPS: any response of the server
/// shows its certificate and its timings. Without encryption, the response may be that of a portal.
public struct SuccessfulStatus: ResponseValidator {
  private let validator: (any ResponseValidator)?
  /// Whether the validator judges the connection alone.
  private let isAboutConnection: Bool
  /// Whether a response after redirects is accepted like any other.
  private let acceptsRedirects: Bool

  /// Accepts any response with a 2xx status and without a redirect.
  public init() {
    self.init(acceptsRedirects: false)
  }

  private init(acceptsRedirects: Bool) {
    validator = nil
    isAboutConnection = false
    self.acceptsRedirects = acceptsRedirects
  }

  /// Accepts any response with a 2xx status, also after redirects, as `curl -L` does.
  package static let ofLastResponse = SuccessfulStatus(acceptsRedirects: true)

  private init(before validator: any ResponseValidator) {
    self.validator = validator
    isAboutConnection = validator.judges.isEmpty
    acceptsRedirects = true
  }

  /// Returns the validator with a check for a 2xx status before it, unless the validator judges the status
  /// itself.
  public static func guarding(_ validator: any ResponseValidator) -> any ResponseValidator {
    validator.judges.contains(.status) ? validator : SuccessfulStatus(before: validator)
  }

  /// The status and the content, and what a program finds if the validator has one.
  public var judges: ResponseParts {
    if acceptsRedirects, validator == nil { return .status }
    return ResponseParts([.status, .content]).union(validator?.judges.intersection(.program) ?? [])
  }

  /// The validator's findings in a failure.
  public func findings(in failure: ProbeFailure) -> [Validation.Rejection] {
    validator?.findings(in: failure) ?? []
  }

  /// Judges the status, then runs the validator.
  public func validate(_ response: ProbeResponse) -> Validation {
    guard let head = response.head else {
      if let dns = response.dns, validator?.judges.contains(.dns) != true, let rejection = dns.failure {
        return rejection
      }
      return validator?.validate(response) ?? .accepted
    }
    if isAboutConnection, let validator, response.isFromServer(head) { return validator.validate(response) }
    guard (200..<300).contains(head.status) else {
      return .rejected(.httpStatus, expected: "a 2xx status", found: head.statusForDisplay)
    }
    if let validator { return validator.validate(response) }
    guard !acceptsRedirects, let hop = response.redirects.last else { return .accepted }
    return .rejected(
      .httpStatus, expected: "a response without a redirect",
      found: "a redirect to \(Excerpt(hop.location ?? ""))")
  }
}

extension ProbeResponse {
  /// Whether only the server can have sent the response: over TLS, including all redirects to it.
  ///
  /// A response with status 511 is from a portal even then (RFC 6585 §6).
  fileprivate func isFromServer(_ head: HTTPResponseHead) -> Bool {
    tls != nil && head.status != 511 && redirects.allSatisfy { $0.url.scheme == .https }
  }
}

extension DNSFacts {
  /// The rejection of a response without records of the name; nil if it has some.
  fileprivate var failure: Validation? {
    let expected = "\(type) records of \(name)"
    guard code == .noError else {
      return .rejected(code.reason, expected: expected, found: "the response code \(code)")
    }
    return answer.isEmpty ? .rejected(.noSuchHost, expected: expected, found: "none") : nil
  }
}

extension DNSResponseCode {
  /// The reason code of a response that has this code instead of NOERROR.
  package var reason: ReasonCode { self == .noSuchName ? .noSuchHost : .dnsFailure }
}

extension HTTPResponseHead {
  /// The status, the reason phrase and, for a redirect, its target, for a message.
  package var statusForDisplay: String {
    // A reason phrase can be as long as the limit for the whole head.
    let isLong = reasonPhrase.utf8.count > 200
    let shown = isLong ? String(decoding: reasonPhrase.utf8.prefix(200), as: UTF8.self) + "…" : reasonPhrase
    let phrase = reasonPhrase.isEmpty ? "" : " \(shown.escapedForDisplay)"
    guard isRedirect else { return "\(status)\(phrase)" }
    guard let location = fields["Location"] else { return "\(status)\(phrase) without a Location" }
    guard Set(fields.values(for: "Location")).count == 1 else {
      return "\(status)\(phrase), a redirect with several Location fields that differ"
    }
    return "\(status)\(phrase), a redirect to \(Excerpt(location, limit: 200))"
  }
}
