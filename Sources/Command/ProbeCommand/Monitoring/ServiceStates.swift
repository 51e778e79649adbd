import FoundationEssentials
import ProbeCore
import ProbePipeline
import ProbeReporting

/// The states of sets of services: each state changes after enough consecutive contradicting checks.
struct ServiceStates: Sendable {
  private struct Known {
    var isMet: Bool
    /// The number of consecutive checks that have contradicted the state.
    var contradictions = 0
  }

  /// The number of consecutive checks after which an unmet set counts as met.
  let rise: Int
  /// The number of consecutive checks after which a met set counts as unmet.
  let fall: Int
  private var sets: [String: Known] = [:]

  /// Creates the states before the first check, all of whose results are adopted.
  init(rise: Int, fall: Int) {
    self.rise = rise
    self.fall = fall
  }

  /// Processes the result of a check.
  ///
  /// A set whose state the check did not determine, such as a fallback that was not needed, keeps its state.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - time: The time of the check.
  /// - Returns: The changes, in the order of the pipeline.
  mutating func changes(after result: RunResult, at time: Date) -> [ServiceChange] {
    sets = sets.filter { known in result.sets.contains { $0.name == known.key } }
    return result.sets.compactMap { set in
      guard set.isNeeded, let isMet = set.isMet else { return nil }
      let known = sets[set.name]
      if let known, known.isMet == isMet {
        sets[set.name]?.contradictions = 0
        return nil
      }
      if let known, known.contradictions + 1 < (isMet ? rise : fall) {
        sets[set.name]?.contradictions += 1
        return nil
      }
      sets[set.name] = Known(isMet: isMet)
      return ServiceChange(time: time, result: result, set: set, isMet: isMet, wasMet: known?.isMet)
    }
  }
}

/// The change of the state of a set of services.
struct ServiceChange: Sendable {
  /// The time of detection.
  var time: Date
  /// The check that confirmed the change.
  var result: RunResult
  var set: SetResult
  /// Whether the set is met.
  var isMet: Bool
  /// Whether the set was met before, as last reported; nil for the first state.
  var wasMet: Bool?
}

extension ServiceChange {
  /// The evidence for the change: first that for all services, then that for the set.
  var evidence: [Evidence] {
    let common = isMet ? [] : result.evidence.filter { [.unreached, .portal].contains($0.kind) }
    return common + [Evidence.unmet(set) ?? .accepted(of: set)]
  }

  /// The probes of the set that were not accepted.
  var failed: [ProbeResult] { self.set.probes.filter { $0.outcome != .accepted } }

  /// The state as a word.
  static func word(_ isMet: Bool?) -> String { isMet.map { $0 ? "met" : "unmet" } ?? "" }
}

/// A change of a set in JSON; the names are part of the format.
struct ServiceRecord: Encodable {
  private enum Key: CodingKey {
    case schema, type, time, pipeline, verdict, set, previousMet, evidence
  }

  private let change: ServiceChange

  init(_ change: ServiceChange) {
    self.change = change
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(1, forKey: .schema)
    try container.encode("set", forKey: .type)
    try container.encode(change.time.inUTCWithMilliseconds, forKey: .time)
    try container.encode(change.result.pipeline, forKey: .pipeline)
    try container.encode(change.result.verdict.rawValue, forKey: .verdict)
    try container.encode(SetRecord(change.set, hasProbes: true), forKey: .set)
    try container.encode(change.wasMet, forKey: .previousMet)
    try container.encode(change.evidence.map(EvidenceRecord.init), forKey: .evidence)
  }
}
