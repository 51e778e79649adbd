/// Repeats a test's step that has a time limit, each time with three times the limit, while it was too short.
///
/// For limits that are under test, and are therefore short: a busy machine may need longer than that for what
/// precedes the event of interest. A correct result ends it; a wrong one is repeated up to a limit of a minute,
/// and remains wrong.
///
/// - Parameters:
///   - limit: The first limit.
///   - isTooShort: Whether a result shows, or may show, that the limit was too short.
///   - body: The step.
/// - Returns: The last result.
package func withGrowingLimit<Value>(
  from limit: Duration, while isTooShort: (Value) -> Bool, _ body: (_ limit: Duration) async throws -> Value
) async rethrows -> Value {
  var limit = limit
  while true {
    let value = try await body(limit)
    guard isTooShort(value), limit < .seconds(60) else { return value }
    limit *= 3
  }
}
