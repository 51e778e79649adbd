extension Validation {
  /// The response's body does not have what was expected.
  ///
  /// For a body that is cut this is `body.tooLarge` instead of `body.mismatch`, because what was looked for may
  /// stand in the part that was not received.
  ///
  /// - Parameters:
  ///   - response: Whose body was judged.
  ///   - expected: What was expected, in words, such as `a body that contains "Success"`.
  ///   - text: The text of the body, of which the start is quoted, where it is not the body itself.
  /// - Returns: The rejection.
  public static func rejectedBody(
    of response: ProbeResponse, expected: String, text: ArraySlice<UInt8>? = nil
  ) -> Validation {
    if response.bodyIsCut {
      return Validation(Rejection(expected: expected, cutAt: response.body.count))
    }
    let start = text.map(FoundBytes.init) ?? FoundBytes(response.body[...])
    if start.isEmpty { return .rejected(.bodyMismatch, expected: expected, found: "an empty body") }
    return Validation(Rejection(.bodyMismatch, expected: expected, found: start))
  }
}
