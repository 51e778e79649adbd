/// Whether an attempt failed for a transient reason, so that a retry makes sense.
///
/// Invalid requests, certificate errors, policy violations, local shortages and cancellations are never
/// retried, because the result would be the same.
public enum TransientFailure {
  /// The statuses that curl retries: the temporary ones of RFC 9110 §15, and 429 (RFC 6585 §4).
  private static let statuses: Set<Int> = [408, 429, 500, 502, 503, 504]

  /// Whether a probe that failed for this reason may succeed later; true for every timeout.
  public static func isTransient(_ reason: ReasonCode) -> Bool {
    reason.traits.contains(.transient)
  }

  /// Whether a later response may differ from this one.
  public static func isTransient(_ response: ProbeResponse) -> Bool {
    response.status.map(statuses.contains) ?? (response.dns?.code == .serverFailure)
  }
}
