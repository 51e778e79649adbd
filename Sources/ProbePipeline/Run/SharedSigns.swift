import PortalAnalysis

/// The signs that answers showed, each list kept once: where somebody answers in place of all others, a hundred thousand
/// answers are made alike.
struct SharedSigns {
  private static let limit = 1000

  private var signs: [UInt64: [AnswerSign]] = [:]

  /// The result with the signs of the first answer that was made like its own; of answers beyond a thousand kinds none
  /// are kept.
  mutating func shared(with result: ProbeResult) -> ProbeResult {
    guard var analysis = result.analysis, !analysis.signs.isEmpty else { return result }
    if let known = signs[analysis.likeness] {
      analysis.signs = known
    } else if signs.count < Self.limit {
      signs[analysis.likeness] = analysis.signs
    } else {
      analysis.signs = []
    }
    var result = result
    result.analysis = analysis
    return result
  }
}
