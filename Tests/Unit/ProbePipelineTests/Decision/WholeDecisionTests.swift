import PortalAnalysis
import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import ProbePipeline

/// Properties of every decision, for any results.
@Suite(.heavy) struct WholeDecisionTests {
  /// A possible result of a probe.
  private static func anything(_ index: Int, _ random: inout SeededNumbers) throws -> ProbeResult {
    let scheme = Bool.random(using: &random) ? "http" : "https"
    let url = "\(scheme)://h\(index).operator\(Int.random(in: 0..<6, using: &random)).example/"
    let address = ["10.0.0.1", "192.0.2.1", "0.0.0.0"].randomElement(using: &random) ?? ""
    let likeness = UInt64.random(in: 0...2, using: &random)
    switch Int.random(in: 0..<14, using: &random) {
    case 0...3: return Seen.accepted(url)
    case 4: return Seen.failed(url)
    case 5: return try Seen.failed(url, at: address)
    case 6: return try Seen.error(url, likeness: likeness == 0 ? nil : likeness)
    case 7: return try Seen.thirdParty(url, likeness: likeness == 0 ? nil : likeness, from: address)
    case 8: return try Seen.portal(url, isStated: likeness == 0, isLocal: likeness == 1)
    case 9: return try Seen.portal(url, at: "http://\(address)/%1B", .form, outcome: .failed)
    case 10: return try Seen.certificate(url, likeness == 0 ? .certificateExpired : .certificateUntrusted)
    case 11: return try Seen.certificate(url, .certificateWrongHost, issuer: "CN=\u{202E}\n")
    case 12: return ProbeResult(url: url, outcome: .skipped, reason: .cancelled)
    default: return Seen.failed(url, .invalidRequest)
    }
  }

  @Test(arguments: 0..<20) func everyProbeIsPartOfTheEvidence(_ block: Int) throws {
    for seed in (block * 20)..<(block * 20 + 20) {
      var random = SeededNumbers(seed: UInt64(seed))
      let sets = try (0..<Int.random(in: 1...3, using: &random)).map { set in
        SetResult(
          name: "s\(set)", threshold: try .percent(50), required: set == 0 || Bool.random(using: &random),
          probes: try (0..<Int.random(in: 1...8, using: &random)).map {
            try Self.anything(set * 100 + $0, &random)
          })
      }
      let decision = EvidenceDecision(sets, success: .all, policy: .plaintextAllowed)
      let probes = sets.flatMap(\.probes)
      #expect(
        Set(decision.evidence.flatMap(\.probes)) == Set(probes.map(\.url)), "seed \(seed)")
      for probe in probes where probe.outcome == .failed {
        let isReported = decision.evidence.contains {
          [.failed, .portal, .intercepted].contains($0.kind) && $0.probes.contains(probe.url)
        }
        #expect(isReported, "seed \(seed): why \(probe.url) failed")
      }
      for evidence in decision.evidence {
        #expect(!evidence.summary.isEmpty, "seed \(seed)")
        #expect(evidence.summary == evidence.summary.escapedForDisplay, "seed \(seed)")
      }
      check(decision, sets, "seed \(seed)")
    }
  }

  /// Checks the guarantees of each verdict.
  private func check(_ decision: EvidenceDecision, _ sets: [SetResult], _ comment: Comment) {
    let probes = sets.flatMap(\.probes)
    let required = sets.filter(\.isRequired)
    #expect(decision.verdict != .captivePortal || decision.portal != nil, comment)
    #expect([.captivePortal, .online].contains(decision.verdict) || decision.portal == nil, comment)
    switch decision.verdict {
    case .online: #expect(required.allSatisfy { $0.isMet == true }, comment)
    case .captivePortal: #expect(probes.contains { $0.portal != nil }, comment)
    case .intercepted:
      #expect(
        decision.evidence.contains { [.intercepted, .certificates, .address].contains($0.kind) }, comment)
    case .partial: #expect(decision.evidence.contains { [.traffic, .clock].contains($0.kind) }, comment)
    case .offline: #expect(probes.allSatisfy { $0.outcome != .accepted }, comment)
    case .inconclusive: #expect(!required.allSatisfy { $0.isMet == true }, comment)
    case .healthy, .degraded, .unhealthy: Issue.record(comment)
    }
  }

  /// All results differ, so a search for each among all others would be slow.
  @Test(arguments: 0..<8) func manyDifferentResultsAreHandled(_ kind: Int) throws {
    let count = 2000
    let probes = try (0..<count).map { index in
      let url = "\(kind < 5 ? "http" : "https")://www.operator\(index).example/"
      return switch kind {
      case 0: Seen.accepted(url)
      case 1: Seen.failed(url, ReasonCode(rawValue: "connect.r\(index)"))
      case 2: try Seen.thirdParty(url, likeness: UInt64(index))
      case 3: try Seen.portal(url, at: "http://login\(index).example/")
      case 4: try Seen.failed(url, at: "10.0.\(index / 256).\(index % 256)")
      case 5: try Seen.certificate(url, .certificateUntrusted, issuer: "CN=\(index)")
      case 6: try Seen.error(url, likeness: UInt64(index))
      default: try Seen.certificate(url, .certificateExpired)
      }
    }
    let decision = decision(probes)
    let verdicts: [Verdict] = [
      .online, .offline, .intercepted, .captivePortal, .intercepted, .intercepted, .inconclusive,
      .inconclusive,
    ]
    #expect(decision.verdict == verdicts[kind])
    #expect(Set(decision.evidence.flatMap(\.probes)).count == count)
  }
}
