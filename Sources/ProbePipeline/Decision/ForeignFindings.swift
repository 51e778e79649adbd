import PortalAnalysis
import ProbeCore

/// The answers that somebody gave in place of the servers that were asked, and that show no portal.
///
/// An answer without encryption that differs from the expected one is somebody else's; one that only tells of an error
/// may be the server's own, unless operators that have nothing to do with each other give it alike.
struct ForeignFindings {
  /// Answers that are made alike.
  struct Group {
    let first: ProbeResult
    /// What was found in them, each way to say it once and not more than some.
    var details: [String]
    /// Where all of them came from, or nil where they came from several places.
    var address: IPAddress?
    var probes: [String]
    var operators: Set<OperatorName>
    /// Whether one of them is not the server's own for itself.
    var isForeign: Bool
  }

  /// The groups, the largest first, among equals in the order of the plan.
  private(set) var groups: [Group] = []
  private(set) var operators: Set<OperatorName> = []
  private let keys: Set<Key>

  /// Groups them.
  ///
  /// - Parameter run: What was seen.
  init(_ run: RunFindings) {
    var groups: [Group] = []
    var positions: [Key: Int] = [:]
    for probe in run.answered where Self.mayBeForeign(probe) {
      Self.note(probe, in: &groups, &positions)
    }
    for probe in run.intercepted where probe.shownPortal == nil && !Self.mayBeForeign(probe) {
      Self.note(probe, in: &groups, &positions)
    }
    self.groups = groups.enumerated().filter { $0.element.isForeign || $0.element.operators.count >= 2 }
      .sorted { left, right in
        (-left.element.probes.count, left.offset) < (-right.element.probes.count, right.offset)
      }.map(\.element)
    operators = self.groups.reduce(into: []) { $0.formUnion($1.operators) }
    keys = Set(self.groups.map { Key($0.first) })
  }

  /// What answers share that are made alike: for those that were not read, what became of them.
  private struct Key: Hashable {
    let likeness: UInt64?
    let reason: ReasonCode?
    let status: Int?

    init(_ probe: ProbeResult) {
      likeness = probe.analysis?.likeness
      reason = likeness == nil ? probe.reason : nil
      status = likeness == nil ? probe.response?.status : nil
    }
  }

  /// Whether it is an answer that anybody could have given, and no portal's.
  private static func mayBeForeign(_ probe: ProbeResult) -> Bool {
    probe.shownPortal == nil && probe.response?.head != nil && probe.knownEncryption != .encrypted
  }

  private static func note(_ probe: ProbeResult, in groups: inout [Group], _ positions: inout [Key: Int]) {
    let key = Key(probe)
    let name = OperatorName(askedBy: probe)
    let isForeign = probe.outcome == .intercepted
    let address = probe.response?.remoteAddress?.address
    if let position = positions[key] {
      if let detail = probe.detail, groups[position].details.count <= Group.shownDetails,
        !groups[position].details.contains(detail)
      {
        groups[position].details.append(detail)
      }
      if groups[position].address != address { groups[position].address = nil }
      groups[position].probes.append(probe.url)
      groups[position].operators.insert(name)
      groups[position].isForeign = groups[position].isForeign || isForeign
    } else {
      positions[key] = groups.count
      groups.append(
        Group(
          first: probe, details: [probe.detail].compactMap(\.self), address: address, probes: [probe.url],
          operators: [name], isForeign: isForeign))
    }
  }

  /// Whether they prove that somebody answers in place of others beside what else was seen.
  ///
  /// - Parameter passed: The operators that gave the expected answer without encryption.
  /// - Returns: Whether they do.
  func prove(beside passed: Set<OperatorName>) -> Bool {
    guard !operators.isEmpty else { return false }
    let others = passed.subtracting(operators).count
    return others <= operators.count
      || (operators.count >= 2 && operators.count * 4 >= operators.count + others)
  }

  /// Whether a probe that failed is part of a group.
  func contains(_ probe: ProbeResult) -> Bool {
    Self.mayBeForeign(probe) && keys.contains(Key(probe))
  }
}

extension ForeignFindings.Group {
  /// How many ways to say what was found are shown.
  fileprivate static let shownDetails = 3

  /// What was found, behind a colon; empty where nothing is known of it.
  fileprivate var detailsInWords: String {
    guard !details.isEmpty else { return "" }
    let more = details.count > Self.shownDetails ? "; …" : ""
    return ": " + details.prefix(Self.shownDetails).joined(separator: "; ") + more
  }
}

extension ForeignFindings {
  /// Who answered in place of others, and how.
  var evidence: [Evidence] {
    groups.flatMap { group -> [Evidence] in
      var evidence: [Evidence] = []
      let from = group.address.map { " from \($0)" } ?? ""
      let words = "\(probeCount(group.probes.count)) got somebody else's answer\(from)\(group.detailsInWords)"
      evidence.append(Evidence(.intercepted, words, probes: group.probes))
      if group.operators.count >= 2 {
        evidence.append(
          Evidence(
            .sameAnswer,
            "\(group.operators.count) operators that have nothing to do with each other gave the same answer",
            probes: group.probes))
      }
      let signs = (group.first.analysis?.signs ?? []).filter { $0.kind == group.first.analysis?.kind }
        .prefix(3).map(\.words)
      if !signs.isEmpty {
        evidence.append(
          Evidence(.sign, "that answer: \(signs.joined(separator: "; "))", probes: group.probes))
      }
      return evidence
    }
  }
}
