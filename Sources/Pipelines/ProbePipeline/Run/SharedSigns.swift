import PortalAnalysis

/// Stores each list of signs only once.
///
/// If a third party responds instead of all servers, a hundred thousand responses may have the same signs.
struct SharedSigns {
  private static let limit = 1000

  private var signs: [UInt64: [ResponseSign]] = [:]

  /// The result with the signs of the first similar response.
  ///
  /// After a thousand kinds of responses, the signs of further kinds are not kept.
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
