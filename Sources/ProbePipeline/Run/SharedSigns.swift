import PortalAnalysis

/// The signs that answers showed, each list kept once: where somebody answers in place of all others, a hundred thousand
/// answers are made alike.
struct SharedSigns {
  private static let limit = 1000

  private var signs: [UInt64: [AnswerSign]] = [:]

  /// Gives a result the signs of the first answer that was made like its own; of answers beyond a thousand kinds none are
  /// kept.
  mutating func share(with result: inout ProbeResult) {
    guard let likeness = result.analysis?.likeness, result.analysis?.signs.isEmpty == false else { return }
    if let known = signs[likeness] {
      result.analysis?.signs = known
    } else if signs.count < Self.limit {
      signs[likeness] = result.analysis?.signs
    } else {
      result.analysis?.signs = []
    }
  }
}
