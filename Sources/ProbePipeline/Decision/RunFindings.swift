import PortalAnalysis
import ProbeCore

/// All that a run saw, sorted by what it tells of the network.
///
/// Probes are taken by position: looking at one of a hundred thousand results as a whole copies it, which takes longer
/// than the question.
struct RunFindings {
  /// Probes that somebody else answered.
  private(set) var intercepted: [ProbeResult] = []
  /// Probes that failed.
  private(set) var failed: [ProbeResult] = []
  /// Probes that were not needed, or never started.
  private(set) var skipped: [ProbeResult] = []
  /// The operators that gave the expected answer without encryption.
  private(set) var openlyAccepted: Set<OperatorName> = []
  /// The operators that gave any answer over a verified connection: nobody else can.
  private(set) var verified: Set<OperatorName> = []
  /// Whether any probe was accepted.
  private(set) var isAnyAccepted = false
  /// What passes, and what does not, by the kind of traffic.
  private(set) var traffic = TrafficFindings()

  private var names = OperatorNames()

  /// Sorts what came of every set; a fallback that was not needed counts with what was asked of it.
  init(_ sets: [SetResult]) {
    for set in sets {
      for index in set.probes.indices {
        switch set.probes[index].outcome {
        case .accepted: isAnyAccepted = true
        case .skipped: skipped.append(set.probes[index])
        case .intercepted: intercepted.append(set.probes[index])
        case .failed: failed.append(set.probes[index])
        }
      }
    }
    // Where nothing is to be explained, who was accepted tells nothing more.
    guard !intercepted.isEmpty || !failed.isEmpty else { return }
    for set in sets {
      for index in set.probes.indices where set.probes[index].outcome == .accepted {
        accept(set.probes[index])
      }
    }
    for probe in failed { fail(probe) }
    // Where certificates are good otherwise, a bad one is its server's own fault and stops no traffic.
    if verified.isEmpty {
      for probe in failed where probe.hasBadCertificate {
        traffic.stopped(probe, names.name(askedBy: probe))
      }
    }
  }

  /// All probes that somebody answered, but not as expected.
  var answered: some Sequence<ProbeResult> {
    [intercepted, failed].joined().lazy.filter { $0.response?.head != nil }
  }

  private mutating func accept(_ probe: ProbeResult) {
    let name = names.name(askedBy: probe)
    switch probe.knownEncryption {
    case .encrypted: verified.insert(name)
    case .plaintext: openlyAccepted.insert(name)
    case nil: break
    }
    traffic.passed(probe, name)
  }

  private mutating func fail(_ probe: ProbeResult) {
    if probe.isAnswered {
      guard probe.knownEncryption == .encrypted else { return }
      let name = names.name(askedBy: probe)
      verified.insert(name)
      traffic.passed(probe, name)
    } else if probe.wasStopped, !probe.hasBadCertificate {
      traffic.stopped(probe, names.name(askedBy: probe))
    }
  }
}

extension URLScheme {
  /// Whether it is encrypted, of the schemes that everybody knows.
  var usualEncryption: Encryption? {
    switch self {
    case .https: .encrypted
    case .http, .tcp: .plaintext
    default: nil
    }
  }
}

extension ProbeResult {
  /// Whether it was asked over an encrypted exchange: as was noted, or as its URL tells.
  var knownEncryption: Encryption? {
    if let encryption { return encryption }
    return (try? ProbeURL(url))?.scheme.usualEncryption
  }

  /// Whether an answer came, complete or not: then there is a connection to whoever answered.
  var isAnswered: Bool {
    guard let response else { return false }
    if response.status != nil { return true }
    // What was received and judged without a status, over TCP, is an answer, too: a refusal is no outage.
    return response.timings.firstByte != nil && failed(with: .aboutContent)
  }

  /// Whether what came of it came over verified connections alone: then nobody but the server can have given it.
  var isVerified: Bool {
    knownEncryption == .encrypted && response?.redirects.contains { $0.url.scheme == .http } != true
  }

  /// Whether a failure says something of the network, rather than of the plan or of this machine.
  var saysSomethingOfTheNetwork: Bool {
    !failed(with: [.byCaller, .thisMachine])
  }

  /// Whether the network stopped it; a run that ran out of time, or a transport that gives no reason, does not tell.
  var wasStopped: Bool { failed(with: .stopsTraffic) }

  /// Whether it failed because of what a certificate says.
  var hasBadCertificate: Bool { failed(with: .badCertificate) }
}
