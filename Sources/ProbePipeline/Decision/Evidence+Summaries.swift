import ProbeCore

/// What a run saw, in words.
extension Evidence {
  /// How many of a set's probes were accepted.
  static func accepted(of set: SetResult) -> Evidence {
    let needed = set.met ? "enough" : "too few"
    let summary =
      "\(set.accepted) of \(probeCount(set.total)) in the set \(Excerpt(set.name)) got the expected answer: "
      + "\(needed) for its threshold of \(set.threshold)"
    return Evidence(.accepted, summary, probes: set.probes.filter { $0.outcome == .accepted }.map(\.url))
  }

  /// Who answered in place of others, and how, the most frequent first.
  static func intercepted(_ probes: [ProbeResult]) -> [Evidence] {
    struct Manner: Hashable {
      let reason: ReasonCode?
      let status: Int?
      let address: IPAddress?
    }
    func manner(_ probe: ProbeResult) -> Manner {
      Manner(
        reason: probe.reason, status: probe.response?.status,
        address: probe.response?.remoteAddress?.address)
    }
    return groups(probes, by: manner).map { manner, probes in
      let from = manner.address.map { " from \($0)" } ?? ""
      let detail = probes.first?.detail.map { ": \($0)" } ?? ""
      return Evidence(
        .intercepted, "\(probeCount(probes.count)) got somebody else's answer\(from)\(detail)",
        probes: probes.map(\.url))
    }
  }

  /// Why probes failed, the most frequent reason first.
  static func failed(_ probes: [ProbeResult]) -> [Evidence] {
    groups(probes, by: \.reason).map { reason, probes in
      Evidence(.failed, "\(probeCount(probes.count)) failed\(words(reason))", probes: probes.map(\.url))
    }
  }

  /// Why probes were skipped, the most frequent reason first.
  static func skipped(_ probes: [ProbeResult]) -> [Evidence] {
    groups(probes, by: \.reason).map { reason, probes in
      let why = reason.map { ": \($0)" } ?? ""
      return Evidence(.skipped, "\(probeCount(probes.count)) skipped\(why)", probes: probes.map(\.url))
    }
  }

  /// That no answer over HTTPS alone does not tell a portal from an outage.
  static func httpsOnly(_ probes: [ProbeResult]) -> [Evidence] {
    guard !probes.isEmpty else { return [] }
    let summary =
      "nothing got through, and the policy is HTTPS-only: a captive portal cannot be ruled out without an "
      + "unencrypted probe, because it cannot answer over HTTPS"
    return [Evidence(.httpsOnly, summary, probes: probes.map(\.url))]
  }

  private static let meanings = Dictionary(
    ReasonCode.all.map { ($0.code, $0.meaning) }, uniquingKeysWith: { first, _ in first })

  private static func words(_ reason: ReasonCode?) -> String {
    guard let reason else { return "" }
    let code = reason.rawValue.escapedForDisplay
    return meanings[reason].map { ": \(code) (\($0))" } ?? ": \(code)"
  }

  /// The probes by what they have in common, the largest group first, among equals in the order of the plan.
  private static func groups<Key: Hashable>(
    _ probes: [ProbeResult], by key: (ProbeResult) -> Key
  ) -> [(key: Key, probes: [ProbeResult])] {
    var groups: [(key: Key, probes: [ProbeResult])] = []
    var positions: [Key: Int] = [:]
    for probe in probes {
      let key = key(probe)
      if let position = positions[key] {
        groups[position].probes.append(probe)
      } else {
        positions[key] = groups.count
        groups.append((key, [probe]))
      }
    }
    // The sort of the standard library is stable in fact but not by contract, hence the position.
    return groups.enumerated().sorted { left, right in
      (-left.element.probes.count, left.offset) < (-right.element.probes.count, right.offset)
    }.map(\.element)
  }
}

/// A number of probes in words.
func probeCount(_ count: Int) -> String {
  count == 1 ? "1 probe" : "\(count) probes"
}
