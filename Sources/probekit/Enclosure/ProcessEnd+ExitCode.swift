import ProbeProcesses

extension ProcessEnd {
  /// The exit code of a command that passes on how the process ended, as a shell does.
  var exitCode: ExitCode {
    switch self {
    case .code(let code): ExitCode(rawValue: code)
    case .signal(let number): ExitCode(rawValue: 128 + number)
    }
  }
}
