/// The exit code of a command.
///
/// The values are part of its contract; those from 64 to 78 are those of sysexits(3).
public struct ExitCode: RawRepresentable, Hashable, Sendable {
  /// The number given to the operating system.
  public let rawValue: Int32

  /// Creates an exit code with this number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Everything as expected, no errors.
  public static let success = ExitCode(rawValue: 0)
  /// The command line is wrong; nothing was done.
  public static let usage = ExitCode(rawValue: 64)
  /// A named file cannot be read or is invalid.
  public static let badInput = ExitCode(rawValue: 65)
  /// A system resource is missing: trusted certificates, a free port, descriptors, space for the output.
  public static let unavailable = ExitCode(rawValue: 69)
  /// An internal error.
  public static let internalError = ExitCode(rawValue: 70)
  /// The work was interrupted; it can be started again.
  public static let interrupted = ExitCode(rawValue: 75)
  /// The reader closed the output: the process ends by SIGPIPE, which a shell reports as this code.
  public static let brokenPipe = ExitCode(rawValue: 141)
}

extension ExitCode {
  /// The meanings of a command's own codes together with those of the codes that every command has, in order.
  package static func withCommonCodes(
    _ own: [(code: ExitCode, meaning: String)]
  ) -> [(code: ExitCode, meaning: String)] {
    let common: [(code: ExitCode, meaning: String)] = [
      (.usage, "wrong command line; nothing was done"),
      (.internalError, "internal error (please report)"),
    ]
    return (own + common).sorted { $0.code.rawValue < $1.code.rawValue }
  }
}
