extension Validation {
  /// Rejects a response because its body is not as expected.
  ///
  /// If the body was cut, the reason is `body.tooLarge` instead of `body.mismatch`, because the expected
  /// content may be in the part that was not received.
  ///
  /// - Parameters:
  ///   - response: The response whose body was judged.
  ///   - expected: What was expected, such as `a body that contains "Success"`.
  /// - Returns: The rejection.
  public static func rejectedBody(of response: ProbeResponse, expected: String) -> Validation {
    rejectedBody(of: response, expected: expected, text: response.body.span)
  }

  /// Rejects a response because its body is not as expected, and quotes the start of its text.
  ///
  /// - Parameters:
  ///   - response: The response whose body was judged.
  ///   - expected: What was expected, such as `a body that contains "Success"`.
  ///   - text: The body as it was judged, for example converted from its charset.
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
