/// The outcome of a probe.
public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
  /// The response is as expected.
  case accepted
  /// A third party responded instead of the requested server.
  case intercepted
  /// There was no response, or not the expected one; a reason code gives the reason.
  case failed
  /// The probe was no longer needed, or never started.
  case skipped
}
