/// What is asked of an answer besides, or in place of, a validator: an HTTP answer must have a 2xx status.
///
/// Without a validator an HTTP answer must not have come by a redirect either; a TCP answer is accepted when
/// the connection stood.
public struct SuccessfulStatus: ResponseValidator {
  private let validator: (any ResponseValidator)?

  /// Accepts any answer with a 2xx status that came without a redirect.
  public init() {
    validator = nil
  }

  private init(before validator: any ResponseValidator) {
    self.validator = validator
  }

  /// The validator with a 2xx status asked for first, unless it judges the status itself.
  public static func guarding(_ validator: any ResponseValidator) -> any ResponseValidator {
    validator.judges.contains(.status) ? validator : SuccessfulStatus(before: validator)
  }

  /// This one judges the status.
  public var judges: AnswerParts { [.status, .content] }

  /// What the validator has to say of a failure.
  public func findings(in failure: ProbeFailure) -> [Validation.Rejection] {
    validator?.findings(in: failure) ?? []
  }

  /// Judges the status, then asks the validator.
  public func validate(_ response: ProbeResponse) -> Validation {
    guard let head = response.head else { return validator?.validate(response) ?? .accepted }
    guard (200..<300).contains(head.status) else {
      return .rejected(.httpStatus, expected: "a 2xx status", found: head.statusForDisplay)
    }
    if let validator { return validator.validate(response) }
    guard let hop = response.redirects.last else { return .accepted }
    return .rejected(
      .httpStatus, expected: "an answer without a redirect",
      found: "a redirect to \(Excerpt(hop.location ?? ""))")
  }
}

extension HTTPResponseHead {
  /// Status, reason phrase and, for a redirect, where it leads, for a message.
  public var statusForDisplay: String {
    // A phrase can be as long as the whole head may be.
    let isLong = reasonPhrase.utf8.count > 200
    let shown = isLong ? String(decoding: reasonPhrase.utf8.prefix(200), as: UTF8.self) + "…" : reasonPhrase
    let phrase = reasonPhrase.isEmpty ? "" : " \(shown.escapedForDisplay)"
    guard isRedirect else { return "\(status)\(phrase)" }
    guard let location = fields["Location"] else { return "\(status)\(phrase) without a Location" }
    return "\(status)\(phrase), a redirect to \(Excerpt(location, limit: 200))"
  }
}
