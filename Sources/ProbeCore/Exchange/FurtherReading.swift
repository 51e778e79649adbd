/// Decides how much of a body a transport receives beyond ``ProbeRequest/maxBody``.
///
/// Validators judge a body up to that limit. A run also analyses what an unexpected response is, and the part
/// that shows it may come later, after inlined images for example. When a body exceeds the limit, a transport
/// calls ``room(after:)`` once, receives that many further bytes, and returns a body longer than the limit.
/// Whatever ends the body then, it is a response: what was received up to the limit was complete already, and the
/// durations are those of that moment.
///
/// A transport may ignore it.
package protocol FurtherReading: AnyObject, Sendable {
  /// The maximum total size of a body, in bytes.
  var mostBytes: Int { get }

  /// An exchange begins, after these redirects of the same probe.
  func begin(after redirects: [RedirectHop])

  /// How many further bytes to receive.
  ///
  /// - Parameter response: The response with a body of exactly the limit, marked as cut.
  /// - Returns: The number; 0 if the response is as expected, or if nothing more can be learned from it.
  func room(after response: ProbeResponse) -> Int
}

extension ProbeResponse {
  /// The response as it is with a limit for the body.
  package func cut(to maxBody: Int) -> ProbeResponse {
    guard body.count > maxBody else { return self }
    var response = self
    response.body = Array(body.prefix(maxBody))
    response.bodyIsCut = true
    return response
  }
}
