/// Decides how much of a body a transport receives beyond ``ProbeRequest/maxBody``.
///
/// Validators judge a body up to that limit. A run also determines the kind of an unexpected response, and
/// the relevant part may come later, for example after inlined images. When a body exceeds the limit, a
/// transport calls ``room(after:)`` once, receives that many further bytes, and returns a body longer than
/// the limit. However the body ends then, the response is valid: it was complete when the limit was reached,
/// and the durations are those of that moment.
///
/// A transport may ignore it.
package protocol FurtherReading: AnyObject, Sendable {
  /// The maximum total size of a body, in bytes.
  var maximumBytes: Int { get }

  /// Called when an exchange begins, after these redirects of the same probe.
  func begin(after redirects: [RedirectHop])

  /// The number of further bytes to receive.
  ///
  /// - Parameter response: The response with a body of exactly the limit, marked as cut.
  /// - Returns: The number; 0 if the response is as expected, or if nothing more can be learned from it.
  func room(after response: ProbeResponse) -> Int
}

extension ProbeResponse {
  /// The response, with its body cut to a limit.
  package func cut(to maxBody: Int) -> ProbeResponse {
    guard body.count > maxBody else { return self }
    var response = self
    response.body = Array(body.prefix(maxBody))
    response.bodyIsCut = true
    return response
  }
}
