internal import FoundationEssentials
internal import ProbeCore

extension HeaderFields {
  /// The delay that the server requests before the next request (Retry-After, RFC 9110 §10.2.3), in seconds
  /// or as a date.
  ///
  /// - Returns: nil if there is no such field, or if it is not a time in the future.
  func retryAfter(at now: @autoclosure () -> Date = .now) -> Duration? {
    guard let value = self["Retry-After"] else { return nil }
    if let seconds = Int32(text: value) { return seconds > 0 ? .seconds(seconds) : nil }
    let now = now()
    guard let seconds = Date(httpDate: value, now: now)?.timeIntervalSince(now) else { return nil }
    return seconds > 0 && seconds < Double(Int32.max) ? .seconds(seconds) : nil
  }
}
