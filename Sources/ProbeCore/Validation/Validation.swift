/// What a validator says of a response: accepted, or rejected and why.
public struct Validation: Hashable, Sendable {
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

  /// The response is not what was expected; the start of what was found is quoted.
  ///
  /// - Parameters:
  ///   - reason: Why, as a stable word.
  ///   - expected: What was expected, in words.
  ///   - foundBytes: What was found instead.
  ///   - offset: Where in the body, in bytes from its start.
  /// - Returns: The rejection.
  public static func rejected(
    _ reason: ReasonCode, expected: String, foundBytes: ArraySlice<UInt8>, offset: Int? = nil
  ) -> Validation {
    let rejection = Rejection(reason, expected: expected, foundBytes: foundBytes, offset: offset)
    return Validation(rejection: rejection, captures: [:])
  }

  /// A rejection by its parts.
  init(_ rejection: Rejection) {
    self.init(rejection: rejection, captures: [:])
  }

  private init(rejection: Rejection?, captures: [String: String]) {
    self.rejection = rejection
    self.captures = captures
  }

  /// Whether the response was accepted.
  public var isAccepted: Bool { rejection == nil }
}
