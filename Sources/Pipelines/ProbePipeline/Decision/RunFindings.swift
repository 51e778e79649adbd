import PortalAnalysis
import ProbeCore

/// All findings of a run, grouped by what they show about the network.
///
/// Probes are accessed by position, because copying each of a hundred thousand results takes longer than
/// examining it.
struct RunFindings {
  /// Probes to which a third party responded.
  private(set) var intercepted: [ProbeResult] = []
  private(set) var failed: [ProbeResult] = []
  /// Probes whose names resolve to this machine itself instead of the network, whatever their outcome.
  ///
  /// They are in none of the other groups, because they are no evidence about the network.
  private(set) var ofThisMachine: [ProbeResult] = []
  /// Probes that were not needed, or never started.
  private(set) var skipped: [ProbeResult] = []
  /// The operators that gave the expected response without encryption.
  private(set) var openlyAccepted: Set<OperatorName> = []
  /// The operators that gave any response over a verified connection, which no third party can do.
  private(set) var verified: Set<OperatorName> = []
  /// Whether encrypted traffic passes; known only if a probe was not accepted.
  private(set) var encrypted = EncryptedTraffic()
  /// Whether any probe was accepted.
  private(set) var isAnyAccepted = false
  /// The kinds of traffic that pass, and those that do not.
  private(set) var traffic = TrafficFindings()

  private var names = OperatorNames()

  /// Groups the results of all sets; a fallback that was not needed counts with the probes it made.
  init(_ sets: [SetResult]) {
    for set in sets {
      for index in set.probes.indices {
        guard !set.probes[index].isFromThisMachine || set.probes[index].outcome == .skipped else {
          ofThisMachine.append(set.probes[index])
          continue
        }
        switch set.probes[index].outcome {
        case .accepted: isAnyAccepted = true
        case .skipped: skipped.append(set.probes[index])
        case .intercepted: intercepted.append(set.probes[index])
        case .failed: failed.append(set.probes[index])
        }
      }
    }
    // If every probe was accepted, there is nothing to explain.
    guard !intercepted.isEmpty || !failed.isEmpty else { return }
    for set in sets {
      for index in set.probes.indices
      where set.probes[index].outcome == .accepted && !set.probes[index].isFromThisMachine {
        encrypted.record(set.probes[index])
        accept(set.probes[index])
      }
    }
    for probe in failed {
      encrypted.record(probe)
      fail(probe)
    }
    // If other certificates are valid, a refused one is the fault of its server, and no traffic was stopped.
    if verified.isEmpty {
      for probe in failed where probe.hasBadCertificate {
        traffic.stopped(probe, names.name(requestedBy: probe))
      }
    }
  }

  /// All probes with an unexpected HTTP response.
  var withResponse: some Sequence<ProbeResult> {
    [intercepted, failed].joined().lazy.filter { $0.response?.head != nil }
  }

  private mutating func accept(_ probe: ProbeResult) {
    // The findings of another program are no evidence about the network.
    guard probe.knownEncryption != .unknown else { return }
    let name = names.name(requestedBy: probe)
    switch probe.knownEncryption {
    case .encrypted: verified.insert(name)
    case .plaintext: openlyAccepted.insert(name)
    case .unknown, nil: break
    }
    traffic.passed(probe, name)
  }

  private mutating func fail(_ probe: ProbeResult) {
    if probe.hasResponse {
      guard probe.knownEncryption == .encrypted else { return }
      let name = names.name(requestedBy: probe)
      verified.insert(name)
      traffic.passed(probe, name)
    } else if probe.wasStopped, !probe.hasBadCertificate {
      traffic.stopped(probe, names.name(requestedBy: probe))
    }
  }
}

extension URLScheme {
  /// Whether every response has a status, so that data without one is only the beginning of a response.
  fileprivate var hasStatus: Bool { self == .http || self == .https || self == .dnsHTTPS }

  /// The encryption of the well-known schemes.
  var usualEncryption: Encryption? {
    switch self {
    case .https, .tls, .dnsTLS, .dnsHTTPS: .encrypted
    case .http, .tcp, .udp, .dns, .icmp: .plaintext
    case .check: .unknown
    default: nil
    }
  }
}

extension ProbeResult {
  /// Whether the request was encrypted: as recorded, or according to its URL.
  var knownEncryption: Encryption? {
    if let encryption { return encryption }
    return (try? ProbeURL(url))?.scheme.usualEncryption
  }

  /// Whether a response was received, complete or not, which means that a server can be reached.
  var hasResponse: Bool {
    guard let response else { return false }
    if response.status != nil || response.dns != nil { return true }
    guard response.timings.firstByte != nil else { return false }
    // Data without a status is a response where no status is expected, whatever is wrong with it: a refusal over TCP,
    // an invalid DNS message, a datagram that is not the expected one.
    return !response.url.scheme.hasStatus || failed(with: .aboutContent)
  }

  /// Whether something at the other end was reached: there is a response, or a certificate, even a refused one.
  ///
  /// This decides by what was received, and not by the reason of the failure.
  var isReached: Bool { hasResponse || response?.tls != nil || hasBadCertificate }

  /// Whether it automatically redirects to a login of the probed operator itself, in its own domain.
  ///
  /// - Parameter name: The operator.
  /// - Returns: Whether it does.
  func redirectsToOwnLogin(of name: OperatorName) -> Bool {
    guard let analysis, let portal = analysis.shown, !analysis.isStated, !analysis.isLocal,
      portal.source.isAutomatic
    else { return false }
    return OperatorName(ofHost: portal.loginURL.host) == name
  }

  /// Whether all of its responses were received over verified connections, and so only from the server.
  var isVerified: Bool {
    knownEncryption == .encrypted && response?.redirects.contains { $0.url.scheme == .http } != true
  }

  /// Whether a failure concerns the network, rather than the plan or this machine.
  var concernsNetwork: Bool {
    !failed(with: [.byCaller, .thisMachine])
  }

  /// Whether the network stopped it; a deadline of the run, or a transport without a reason code, is not
  /// evidence of that.
  var wasStopped: Bool { failed(with: .stopsTraffic) }

  /// Whether it failed because a certificate was refused.
  var hasBadCertificate: Bool { failed(with: .badCertificate) }
}
