import ProbeCore

extension GoPattern {
  /// Whether the expression matches somewhere.
  ///
  /// - Throws: `ProbeFailure` with `match.limit` if the search was given up.
  func isFound(in bytes: [UInt8]) throws(ProbeFailure) -> Bool {
    do throws(GaveUp) { return try matches(bytes) } catch { throw limitFailure }
  }

  /// The failure of a probe for which the search was given up.
  var limitFailure: ProbeFailure {
    ProbeFailure(.matchLimit, "the search for \(Excerpt(text)) exceeded its limit of work or memory")
  }
}
