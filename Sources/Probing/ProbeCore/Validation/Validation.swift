/// The result of a validator: accepted, or rejected with a reason.
public struct Validation: Hashable, Sendable {
  /// The reason for a rejection, or nil if the response was accepted.
  public var rejection: Rejection?
  /// The text matched by named groups of patterns, by name; set on acceptance.
  public var captures: [String: String]

  /// The response is as expected.
  public static let accepted = Validation(rejection: nil, captures: [:])

  /// The response is as expected, and named groups of patterns matched this text.
  public static func accepted(captures: [String: String]) -> Validation {
    Validation(rejection: nil, captures: captures)
  }

  /// The response is not as expected.
  ///
  /// - Parameters:
  ///   - reason: The reason, as a stable code.
  ///   - expected: What was expected.
  ///   - found: What was found instead.
  ///   - offset: The position in the body, in bytes from its start.
  /// - Returns: The rejection.
  public static func rejected(
    _ reason: ReasonCode = .rejected, expected: String, found: String, offset: Int? = nil
  ) -> Validation {
    Validation(rejection: Rejection(reason, expected: expected, found: found, offset: offset), captures: [:])
  }

  /// The response is not as expected; the start of what was found is quoted.
  ///
  /// - Parameters:
  ///   - reason: The reason, as a stable code.
  ///   - expected: What was expected.
  ///   - foundBytes: The bytes that were found instead.
  ///   - offset: The position in the body, in bytes from its start.
  /// - Returns: The rejection.
  public static func rejected(
    _ reason: ReasonCode, expected: String, foundBytes: ArraySlice<UInt8>, offset: Int? = nil
  ) -> Validation {
    let rejection = Rejection(reason, expected: expected, foundBytes: foundBytes, offset: offset)
    return Validation(rejection: rejection, captures: [:])
  }

  /// A validation that consists of a rejection.
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
