/// The exit code of the command; the values are part of its contract.
public struct ExitCode: RawRepresentable, Hashable, Sendable {
  /// The number given to the operating system.
  public let rawValue: Int32

  /// Creates an exit code with this number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Online or healthy; or everything as expected, no errors.
  public static let success = ExitCode(rawValue: 0)
  /// Offline, partial, intercepted or inconclusive; degraded or unhealthy; or a mismatch.
  public static let notOnline = ExitCode(rawValue: 1)
  /// A captive portal.
  public static let captivePortal = ExitCode(rawValue: 2)
  /// The command line is wrong; nothing was done.
  public static let usage = ExitCode(rawValue: 64)
  /// A named file cannot be read or is invalid.
  public static let badInput = ExitCode(rawValue: 65)
  /// A system resource is missing: trusted certificates, a free port, descriptors, space for the output.
  public static let unavailable = ExitCode(rawValue: 69)
  /// An internal error.
  public static let internalError = ExitCode(rawValue: 70)
  /// A scan was interrupted; it can be started again.
  public static let interrupted = ExitCode(rawValue: 75)
  /// The reader closed the output: the process ends by SIGPIPE, which a shell reports as this code.
  public static let brokenPipe = ExitCode(rawValue: 141)
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
  public static func worst(of codes: some Sequence<ExitCode>) -> ExitCode {
    let codes = Array(codes)
    if codes.contains(.usage) { return .usage }
    return fromTheWorst.dropLast().first(where: codes.contains) ?? codes.first { $0 != .success } ?? .success
  }

  /// The meanings of the codes, for the help.
  package static let meanings: [(code: ExitCode, meaning: String)] = [
    (.success, "online or healthy"),
    (.notOnline, "offline, partial, intercepted, inconclusive, degraded or unhealthy"),
    (.captivePortal, "a captive portal"),
    (.usage, "wrong command line; nothing was done"),
    (.badInput, "a named file or standard input cannot be read or is wrong"),
    (.unavailable, "missing on this machine: certificates, a free port or disk space"),
    (.internalError, "internal error (please report)"),
  ]
}
