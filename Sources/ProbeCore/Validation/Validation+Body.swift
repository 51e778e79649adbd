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
    if response.bodyIsCut {
      let found = "none in the part received: the body was cut at \(response.body.count) bytes; raise maxBody"
      return .rejected(.bodyTooLarge, expected: expected, found: found)
    }
    if response.body.isEmpty { return .rejected(.bodyMismatch, expected: expected, found: "an empty body") }
    return .rejected(.bodyMismatch, expected: expected, foundBytes: response.body[...])
  }
}
