import ProbeProcesses

extension ProcessEnd {
  /// The exit code that represents the end of the process, as in a shell.
  var exitCode: ExitCode {
    switch self {
    case .code(let code): ExitCode(rawValue: code)
    case .signal(let number): ExitCode(rawValue: 128 + number)
    }
  }
}
