/// What a validator says of a response: accepted, or rejected and why.
public struct Validation: Hashable, Sendable {
  /// Why a response was rejected.
  public struct Rejection: Hashable, Sendable {
    /// Why, as a stable word.
    public var reason: ReasonCode
    /// What was expected, in words, such as `a body that contains "Success"`.
    public var expected: String
    /// What was found instead, in words; safe to print.
    public var found: String
    /// Where in the body it was found, in bytes from its start, or nil when no place says more than the whole.
    public var offset: Int?

    /// A rejection.
    public init(_ reason: ReasonCode, expected: String, found: String, offset: Int? = nil) {
      self.reason = reason
      self.expected = expected.escapedForDisplay
      self.found = found.escapedForDisplay
      self.offset = offset
    }
  }

  /// Why it was rejected, or nil when it was accepted.
  public var rejection: Rejection?
  /// What the named groups of patterns matched, by name; filled on acceptance.
  public var captures: [String: String]

  /// The response is what was expected.
  public static let accepted = Validation(rejection: nil, captures: [:])

  /// The response is what was expected, and patterns matched these named groups.
  public static func accepted(captures: [String: String]) -> Validation {
    Validation(rejection: nil, captures: captures)
  }

  /// The response is not what was expected.
  ///
  /// - Parameters:
  ///   - reason: Why, as a stable word.
  ///   - expected: What was expected, in words.
  ///   - found: What was found instead, in words.
  ///   - offset: Where in the body, in bytes from its start.
  /// - Returns: The rejection.
  public static func rejected(
    _ reason: ReasonCode = .rejected, expected: String, found: String, offset: Int? = nil
  ) -> Validation {
    Validation(rejection: Rejection(reason, expected: expected, found: found, offset: offset), captures: [:])
  }

  private init(rejection: Rejection?, captures: [String: String]) {
    self.rejection = rejection
    self.captures = captures
  }

  /// Whether the response was accepted.
  public var isAccepted: Bool { rejection == nil }
}

extension Validation.Rejection: CustomStringConvertible {
  /// The rejection as one sentence.
  public var description: String {
    let place = offset.map { " at byte \($0)" } ?? ""
    return "expected \(expected), found \(found)\(place)"
  }
}
