/// Whether an attempt failed for a reason that may pass, so that trying again makes sense.
///
/// Never tried again are requests that cannot be used, certificates, the policy, what this machine lacks, and what was
/// cancelled: they would come to the same end.
public enum TransientFailure {
  /// The statuses that curl tries again: those of RFC 9110 §15 that speak of a passing state, and RFC 6585 §4.
  private static let statuses: Set<Int> = [408, 429, 500, 502, 503, 504]

  /// Whether a probe that failed for this reason may succeed later; every timeout is one.
  public static func isTransient(_ reason: ReasonCode) -> Bool {
    reason.traits.contains(.transient)
  }

  /// Whether another answer than this one may come later.
  public static func isTransient(_ response: ProbeResponse) -> Bool {
    response.status.map(statuses.contains) ?? false
  }
}
