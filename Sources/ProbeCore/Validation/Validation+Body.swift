extension Validation {
  /// The response's body does not have what was expected.
  ///
  /// For a body that is cut this is `body.tooLarge` instead of `body.mismatch`, because what was looked for may
  /// stand in the part that was not received.
  ///
  /// - Parameters:
  ///   - response: Whose body was judged.
  ///   - expected: What was expected, in words, such as `a body that contains "Success"`.
  /// - Returns: The rejection.
  public static func rejectedBody(of response: ProbeResponse, expected: String) -> Validation {
    rejectedBody(of: response, expected: expected, text: response.body.span)
  }

  /// The response's body does not have what was expected; of its text, the start is quoted.
  ///
  /// - Parameters:
  ///   - response: Whose body was judged.
  ///   - expected: What was expected, in words, such as `a body that contains "Success"`.
  ///   - text: The body as it was read, such as converted from its charset.
  /// - Returns: The rejection.
  public static func rejectedBody(
    of response: ProbeResponse, expected: String, text: Span<UInt8>
  ) -> Validation {
    if response.bodyIsCut {
      return Validation(Rejection(expected: expected, cutAt: response.body.count))
    }
    if text.isEmpty { return .rejected(.bodyMismatch, expected: expected, found: "an empty body") }
    return Validation(Rejection(.bodyMismatch, expected: expected, found: FoundBytes(text)))
  }
}
