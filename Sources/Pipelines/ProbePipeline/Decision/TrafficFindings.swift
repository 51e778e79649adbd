import ProbeCore

/// The kinds of traffic that pass, and those that do not.
struct TrafficFindings {
  /// The results of one kind of traffic.
  private struct Kind {
    var isPassed = false
    var stopped: [String] = []

    var isCut: Bool { !isPassed && !stopped.isEmpty }
  }

  private var kinds: [Encryption: Kind] = [:]
  private var families: [IPFamily: Kind] = [:]
  private var stoppedOperators: [OperatorName: [String]] = [:]
  private var passedOperators: Set<OperatorName> = []
  /// The hosts and ports that could be reached.
  private var passedDestinations: Set<String> = []

  /// A probe received a response from the requested server.
  mutating func passed(_ probe: ProbeResult, _ name: OperatorName) {
    if let encryption = probe.knownEncryption { kinds[encryption, default: Kind()].isPassed = true }
    if let family = probe.family { families[family, default: Kind()].isPassed = true }
    passedOperators.insert(name)
    if let destination = Self.destination(of: probe.url) { passedDestinations.insert(destination) }
  }

  /// A probe received no response, because of the network.
  mutating func stopped(_ probe: ProbeResult, _ name: OperatorName) {
    if let encryption = probe.knownEncryption { kinds[encryption, default: Kind()].stopped.append(probe.url) }
    if let family = probe.family { families[family, default: Kind()].stopped.append(probe.url) }
    stoppedOperators[name, default: []].append(probe.url)
  }
}

extension TrafficFindings {
  /// Whether some traffic passes and some does not.
  var isPartial: Bool { !passedOperators.isEmpty && !stoppedOperators.isEmpty }

  /// The kinds of traffic that pass and those that do not, as evidence; empty if there is no difference.
  var evidence: [Evidence] {
    guard isPartial else { return [] }
    var evidence: [Evidence] = []
    if let stopped = cut(kinds[.encrypted], beside: kinds[.plaintext]) {
      evidence.append(
        Evidence(.traffic, "unencrypted traffic passes, encrypted traffic does not", probes: stopped))
    }
    if let stopped = cut(kinds[.plaintext], beside: kinds[.encrypted]) {
      evidence.append(
        Evidence(.traffic, "encrypted traffic passes, unencrypted traffic does not", probes: stopped))
    }
    if let stopped = cut(families[.v6], beside: families[.v4]) {
      evidence.append(Evidence(.traffic, "IPv4 passes, IPv6 does not", probes: stopped))
    }
    if let stopped = cut(families[.v4], beside: families[.v6]) {
      evidence.append(Evidence(.traffic, "IPv6 passes, IPv4 does not", probes: stopped))
    }
    guard evidence.isEmpty else { return evidence }
    let cut = stoppedOperators.filter { !passedOperators.contains($0.key) }
    let probes = (cut.isEmpty ? stoppedOperators : cut).values.flatMap(\.self).sorted()
    let count = cut.count
    let summary =
      count == 0
      ? stoppedDestinationsDescription(probes)
      : "some operators can be reached, \(count) other\(count == 1 ? "" : "s") cannot"
    return [Evidence(.traffic, summary, probes: probes)]
  }

  /// The unreachable hosts and ports of reachable operators, or that some of them could be reached only at
  /// times.
  private func stoppedDestinationsDescription(_ stopped: [String]) -> String {
    let destinations = Set(stopped.compactMap(Self.destination)).subtracting(passedDestinations).sorted()
    guard !destinations.isEmpty else { return "one probe reaches a server that another does not reach" }
    let shown = destinations.prefix(3).map { "\($0)".escapedForDisplay }.joined(separator: ", ")
    let more = destinations.count > 3 ? " and \(destinations.count - 3) more" : ""
    return "\(shown)\(more) cannot be reached, while other ports or hosts of the same operator can"
  }

  private static func destination(of url: String) -> String? {
    guard let url = try? ProbeURL(url) else { return nil }
    return "\(url.host.bracketedHost):\(url.port.map { "\($0)" } ?? "")"
  }

  /// Evidence that encrypted traffic is stopped while a third party responds to unencrypted traffic;
  /// otherwise nil.
  func evidence(ofInterception intercepted: [ProbeResult]) -> Evidence? {
    guard let encrypted = kinds[.encrypted], encrypted.isCut,
      intercepted.contains(where: { $0.knownEncryption == .plaintext })
    else { return nil }
    return Evidence(
      .traffic, "encrypted traffic is blocked, and a third party responds to unencrypted requests",
      probes: encrypted.stopped)
  }

  private func cut(_ kind: Kind?, beside other: Kind?) -> [String]? {
    guard let kind, kind.isCut, other?.isPassed == true else { return nil }
    return kind.stopped
  }
}

/// Whether encrypted traffic reaches its servers: nobody on the path can respond to it instead of them.
struct EncryptedTraffic {
  /// What is known.
  enum State {
    /// A server responded over a verified connection.
    case verified
    /// The network stopped encrypted connections, or presented certificates of its own, and none was verified.
    case stopped
    /// No encrypted probe shows either.
    case unknown
  }

  private var isVerified = false
  private var isStopped = false
  private var pending = 0

  /// What is known so far.
  var state: State { isVerified ? .verified : isStopped ? .stopped : .unknown }
  /// Whether pending responses cannot change it.
  var isSettled: Bool { isVerified || pending == 0 }
  /// Whether a server responds over a verified connection, or still may.
  var mayPass: Bool { isVerified || pending > 0 }
  /// Whether it is stopped, or still may be.
  var mayBeStopped: Bool { !isVerified && (isStopped || pending > 0) }

  /// An encrypted probe is pending.
  mutating func expect() { pending += 1 }

  /// An encrypted probe is no longer pending.
  mutating func end() { pending -= 1 }

  /// Records the result of a probe; those that are not encrypted, or that reached this machine, do not count.
  mutating func record(_ probe: ProbeResult) {
    guard probe.outcome == .accepted || probe.outcome == .failed, !probe.isFromThisMachine,
      probe.knownEncryption == .encrypted
    else { return }
    if probe.outcome == .accepted || probe.hasResponse {
      isVerified = true
    } else if probe.wasStopped, !probe.failed(with: .certificateDate) {
      // A wrong date is the fault of a clock, and not of the network.
      isStopped = true
    }
  }
}
