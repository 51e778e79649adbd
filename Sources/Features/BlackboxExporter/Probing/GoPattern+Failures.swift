import ProbeBase
import ProbePatterns
import ProbeCore

/// Searches of probes, which fail if a search exceeds its limit.
extension GoPattern {
  /// Whether the expression matches somewhere.
  ///
  /// - Throws: `ProbeFailure` with `match.limit`.
  func isFound(in bytes: [UInt8]) throws(ProbeFailure) -> Bool {
    do throws(GaveUp) { return try matches(bytes) } catch { throw gaveUp }
  }

  /// The first match; nil if there is none.
  ///
  /// - Throws: `ProbeFailure` with `match.limit`.
  func firstMatch(in bytes: [UInt8]) throws(ProbeFailure) -> Match? {
    do throws(GaveUp) { return try match(in: bytes) } catch { throw gaveUp }
  }

  private var gaveUp: ProbeFailure {
    ProbeFailure(.matchLimit, "the search for \(Excerpt(text)) exceeded its limit")
  }
}
