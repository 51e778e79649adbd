/// What became of a probe.
public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
  /// The answer is what was expected.
  case accepted
  /// Somebody else answered in place of the one that was asked.
  case intercepted
  /// No answer, or not the expected one; a reason code says why.
  case failed
  /// Not needed any more, or never started.
  case skipped
}
