import PortalAnalysis
import ProbeCore

/// Responses that come from third parties instead of the requested servers, and do not show a portal.
///
/// An unencrypted response that differs from the expected one is from a third party. An error response may be
/// from the server itself, unless unrelated operators return the same one.
struct ThirdPartyFindings {
  /// Similar responses.
  struct Group {
    let first: ProbeResult
    /// The details found in them, without duplicates, up to a limit.
    var details: [String]
    /// The address that all of them were received from, or nil if there were several.
    var address: IPAddress?
    var probes: [String]
    var operators: Set<OperatorName>
    /// Whether at least one of them is certainly from a third party.
    var isFromThirdParty: Bool
  }

  /// The groups, the largest first; groups of equal size are in the order of the plan.
  private(set) var groups: [Group] = []
  private(set) var operators: Set<OperatorName> = []
  private let keys: Set<Key>

  /// Groups the responses of a run.
  ///
  /// - Parameter run: The findings of the run.
  init(_ run: RunFindings) {
    var groups: [Group] = []
    var positions: [Key: Int] = [:]
    for probe in run.withResponse where Self.mayBeFromThirdParty(probe) {
      Self.note(probe, in: &groups, &positions)
    }
    for probe in run.intercepted where probe.shownPortal == nil && !Self.mayBeFromThirdParty(probe) {
      Self.note(probe, in: &groups, &positions)
    }
    self.groups = groups.enumerated().filter {
      $0.element.isFromThirdParty || $0.element.operators.count >= 2
    }
    .sorted { left, right in
      (-left.element.probes.count, left.offset) < (-right.element.probes.count, right.offset)
    }.map(\.element)
    operators = self.groups.reduce(into: []) { $0.formUnion($1.operators) }
    keys = Set(self.groups.map { Key($0.first) })
  }

  /// The common features of similar responses; for responses that were not analysed, the reason and the
  /// status.
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

  /// Whether it is a response that a third party could have sent, and that shows no portal.
  private static func mayBeFromThirdParty(_ probe: ProbeResult) -> Bool {
    probe.shownPortal == nil && probe.response?.head != nil && probe.knownEncryption != .encrypted
  }

  private static func note(_ probe: ProbeResult, in groups: inout [Group], _ positions: inout [Key: Int]) {
    let key = Key(probe)
    let name = OperatorName(requestedBy: probe)
    let isFromThirdParty = probe.outcome == .intercepted
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
      groups[position].isFromThirdParty = groups[position].isFromThirdParty || isFromThirdParty
    } else {
      positions[key] = groups.count
      groups.append(
        Group(
          first: probe, details: [probe.detail].compactMap(\.self), address: address, probes: [probe.url],
          operators: [name], isFromThirdParty: isFromThirdParty))
    }
  }

  /// Whether the responses prove that a third party intercepts requests.
  ///
  /// - Parameter passed: The operators with the expected response without encryption.
  /// - Returns: Whether they prove it.
  func prove(beside passed: Set<OperatorName>) -> Bool {
    guard !operators.isEmpty else { return false }
    let others = passed.subtracting(operators).count
    return others <= operators.count
      || (operators.count >= 2 && operators.count * 4 >= operators.count + others)
  }

  /// Whether most of the responses are a portal's to a client that is logged in or has logged out.
  var isAdmission: Bool { groups.first?.first.analysis?.kind.role == .admitted }

  /// Whether a failed probe belongs to a group.
  func contains(_ probe: ProbeResult) -> Bool {
    Self.mayBeFromThirdParty(probe) && keys.contains(Key(probe))
  }
}

extension ThirdPartyFindings.Group {
  /// The maximum number of details to show.
  fileprivate static let shownDetails = 3

  /// The details, after a colon; empty if there are none.
  fileprivate var detailsDescription: String {
    guard !details.isEmpty else { return "" }
    let more = details.count > Self.shownDetails ? "; …" : ""
    return ": " + details.prefix(Self.shownDetails).joined(separator: "; ") + more
  }
}

extension ThirdPartyFindings {
  /// Third-party responses as evidence.
  ///
  /// - Parameters:
  ///   - run: The findings of the run.
  ///   - verdict: The verdict.
  /// - Returns: The evidence.
  func evidence(of run: RunFindings, for verdict: Verdict) -> [Evidence] {
    let isNetworkWide = verdict == .intercepted && isFromEveryOperator(run)
    let encrypted = run.encrypted.state == .stopped ? ", and encrypted traffic is stopped" : ""
    let network =
      isNetworkWide
      ? "; no other response passed\(encrypted): the network decides the verdict, and not the page, which shows no login"
      : ""
    return groups.flatMap { group -> [Evidence] in
      var evidence: [Evidence] = []
      let from = group.address.map { " from \($0)" } ?? ""
      let words =
        "\(probeCount(group.probes.count)) received the response of a third party\(from)\(group.detailsDescription)"
      evidence.append(Evidence(.intercepted, words, probes: group.probes))
      if group.operators.count >= 2 {
        evidence.append(
          Evidence(
            .sameResponse,
            "\(group.operators.count) unrelated operators returned the same response, so it is not their own"
              + network,
            probes: group.probes))
      }
      if let analysis = group.first.analysis, let sign = Evidence.signs(analysis.signs, of: analysis.kind) {
        evidence.append(Evidence(.sign, sign, probes: group.probes))
      }
      return evidence
    }
  }

  /// Whether every probed operator returned one and the same response.
  private func isFromEveryOperator(_ run: RunFindings) -> Bool {
    groups.count == 1 && operators.count >= 2 && run.openlyAccepted.isEmpty
      && run.withResponse.allSatisfy { $0.knownEncryption == .encrypted || contains($0) }
  }
}

extension Evidence {
  /// The strongest signs of a kind in words, for it and against it; nil if there are none for it.
  static func signs(_ signs: [ResponseSign], of kind: ResponseKind) -> String? {
    func strongest(_ count: Int, where counts: (ResponseSign) -> Bool) -> [String] {
      var words: [String] = []
      for sign in signs where counts(sign) && words.count < count && !words.contains(sign.words) {
        words.append(sign.words)
      }
      return words
    }
    let reasons = strongest(3, where: \.isFor)
    guard !reasons.isEmpty else { return nil }
    let objections = strongest(2) { !$0.isFor && $0.weight >= minimumObjection }
    let finding = kind == .login ? "signs of a captive portal" : "this response is \(kind.words)"
    let against = objections.isEmpty ? "" : "; against it: \(objections.joined(separator: "; "))"
    return "\(finding): \(reasons.joined(separator: "; "))\(against)"
  }

  /// How much a sign against a finding weighs at least to be named; see ``ResponseSign/weight``.
  private static let minimumObjection = 2
}
