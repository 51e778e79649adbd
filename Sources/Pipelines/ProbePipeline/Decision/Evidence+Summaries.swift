import PortalAnalysis
import ProbeCore

/// Summaries of what a run found.
extension Evidence {
  /// The number of accepted probes of a set.
  package static func accepted(of set: SetResult) -> Evidence {
    let measure =
      switch set.isMet {
      case true?: "enough for its threshold of \(set.threshold)"
      case false?: "too few for its threshold of \(set.threshold)"
      case nil: "the verdict does not depend on the others"
      }
    let summary =
      "\(set.accepted) of \(probeCount(set.total)) in the set \(Excerpt(set.name)) received the expected response: "
      + measure
    let accepted = set.probes.indices.filter { set.probes[$0].outcome == .accepted }
    return Evidence(.accepted, summary, probes: accepted.map { set.probes[$0].url })
  }

  /// States that names of probes resolve to this machine itself; nil if none does.
  static func responseOfThisMachine(_ probes: some Sequence<ProbeResult>) -> Evidence? {
    var (urls, resolutions): ([String], [String]) = ([], [])
    for probe in probes {
      urls.append(probe.url)
      guard let response = probe.response, let address = response.remoteAddress?.address else { continue }
      let host = (try? ProbeURL(probe.url).host) ?? response.url.host
      let resolution = "\(host.escapedForDisplay) resolves to \(address)"
      if !resolutions.contains(resolution) { resolutions.append(resolution) }
    }
    guard !urls.isEmpty else { return nil }
    let shown = resolutions.prefix(3).joined(separator: ", ") + (resolutions.count > 3 ? ", …" : "")
    return Evidence(
      .responseOfThisMachine,
      "\(probeCount(urls.count)) reached this machine itself, and so say\(urls.count == 1 ? "s" : "") nothing "
        + "about the network: \(shown)", probes: urls)
  }

  /// Why probes failed, the most frequent reason first.
  static func failed(_ probes: some Sequence<ProbeResult>) -> [Evidence] {
    groups(probes, by: \.reason).map { group in
      Evidence(.failed, "\(probeCount(group.urls.count)) failed\(words(group.key))", probes: group.urls)
    }
  }

  /// The delays that servers request before the next request, the longest first.
  static func retryAfter(_ probes: some Sequence<ProbeResult>) -> [Evidence] {
    groups(probes.filter { $0.response?.retryAfter != nil }) { $0.response?.retryAfter ?? .zero }
      .sorted { $0.key > $1.key }.map { group in
        let seconds = group.key.components.seconds
        return Evidence(
          .retryAfter, "\(probeCount(group.urls.count)) received a request to retry after \(seconds) s",
          probes: group.urls)
      }
  }

  /// Why probes were skipped, the most frequent reason first.
  static func skipped(_ probes: some Sequence<ProbeResult>) -> [Evidence] {
    // A probe that was not needed has no reason code; its detail gives the reason.
    groups(probes) { $0.reason.map { ": \($0)" } ?? $0.detail.map { ", \($0)" } ?? "" }.map { group in
      let why = group.key
      return Evidence(.skipped, "\(probeCount(group.urls.count)) skipped\(why)", probes: group.urls)
    }
  }

  /// The response of the captive-portal API; nil if the run did not wait for it.
  static func capport(_ result: CapportResult) -> Evidence? {
    let api = "the captive-portal API \(result.url)"
    let summary: String
    switch (result.state, result.document?.userPortalURL) {
    case (.captive, let page?):
      let refusal = result.loginURL == nil ? refusalReason(page) : ""
      summary = "\(api) reports that a login is required, at \(page)\(refusal)"
    case (.captive, nil): summary = "\(api) reports that a login is required, and names no login page"
    case (.open, _): summary = "\(api) reports that this client has access"
    case (.unavailable, _):
      guard let reason = result.reason else { return nil }
      summary = "\(api) is unavailable: \(reason): \(result.detail ?? "")"
    }
    return Evidence(.capport, summary, probes: [])
  }

  /// States that a run with HTTPS only cannot distinguish a portal from an outage.
  static func httpsOnly(_ probes: some Sequence<ProbeResult>) -> [Evidence] {
    let urls = probes.map(\.url)
    guard !urls.isEmpty else { return [] }
    let summary =
      "no probe succeeded, and the policy is HTTPS-only: a captive portal cannot be ruled out without an "
      + "unencrypted probe, because a portal cannot respond over HTTPS"
    return [Evidence(.httpsOnly, summary, probes: urls)]
  }

  private static func words(_ reason: ReasonCode?) -> String {
    guard let reason else { return "" }
    let code = reason.rawValue.escapedForDisplay
    return reason.meaning.map { ": \(code) (\($0))" } ?? ": \(code)"
  }

  /// Probes that have something in common.
  private struct Group<Key> {
    let key: Key
    let first: ProbeResult
    var urls: [String]
  }

  /// Groups probes by a key: the largest group first, equal ones in the order of the plan.
  private static func groups<Key: Hashable>(
    _ probes: some Sequence<ProbeResult>, by key: (ProbeResult) -> Key
  ) -> [Group<Key>] {
    var groups: [Group<Key>] = []
    var positions: [Key: Int] = [:]
    for probe in probes {
      let key = key(probe)
      if let position = positions[key] {
        groups[position].urls.append(probe.url)
      } else {
        positions[key] = groups.count
        groups.append(Group(key: key, first: probe, urls: [probe.url]))
      }
    }
    // The standard library's sort is stable in practice but not by contract, so compare the position too.
    return groups.enumerated().sorted { left, right in
      (-left.element.urls.count, left.offset) < (-right.element.urls.count, right.offset)
    }.map(\.element)
  }
}

/// The number of probes, with its unit.
func probeCount(_ count: Int) -> String {
  count == 1 ? "1 probe" : "\(count) probes"
}
