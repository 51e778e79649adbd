/// The order of verdicts from the best to the worst.
///
/// A login page is better than a permanently falsified response, which is better than no response; an inconclusive
/// run ranks between the last two. Verdicts of the two questions are compared by meaning: everything works,
/// some of it, or nothing.
enum VerdictRank {
  private static let ranks = [
    "online": 0, "healthy": 0, "partial": 1, "degraded": 1, "captivePortal": 2, "intercepted": 3,
    "inconclusive": 4, "offline": 5, "unhealthy": 5,
  ]

  /// The effect of a change of the verdict; neutral if the rank is the same or a verdict is not known.
  static func effect(from before: String, to after: String) -> ReportChange.Effect {
    guard let old = ranks[before], let new = ranks[after], old != new else { return .neutral }
    return new > old ? .worse : .better
  }
}
