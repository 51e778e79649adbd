public import CommandKit

/// The codes for the results of probes; a network that is online, or a service that is healthy, is a success.
extension ExitCode {
  /// Offline, partial, intercepted or inconclusive; degraded or unhealthy; or a mismatch.
  public static let notOnline = ExitCode(rawValue: 1)
  /// A captive portal.
  public static let captivePortal = ExitCode(rawValue: 2)
}

extension ExitCode {
  /// The codes from the worst to the best, for a run that has several results.
  ///
  /// The code for a wrong command line is not included, because such a run has no results.
  private static let fromTheWorst: [ExitCode] = [
    .internalError, .unavailable, .badInput, .captivePortal, .notOnline, .success,
  ]

  /// The worst of several codes; success when there are none.
  ///
  /// A code that ProbeKit does not define is worse than success and better than all others.
  package static func worst(of codes: some Sequence<ExitCode>) -> ExitCode {
    let codes = Array(codes)
    if codes.contains(.usage) { return .usage }
    return fromTheWorst.dropLast().first(where: codes.contains) ?? codes.first { $0 != .success } ?? .success
  }

  /// The meanings of the codes, for the help.
  package static let meanings = withCommonCodes(ofVerdicts)

  /// The meanings of the codes for verdicts, and for what prevents one.
  static let ofVerdicts: [(code: ExitCode, meaning: String)] = [
    (.success, "online or healthy"),
    (.notOnline, "offline, partial, intercepted, inconclusive, degraded or unhealthy"),
    (.captivePortal, "a captive portal"),
    (.badInput, "a named file or standard input cannot be read or is wrong"),
    (.unavailable, "missing on this machine: certificates, a free port or disk space"),
  ]
}
