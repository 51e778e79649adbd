import ProbeSystem

extension ProcessEnd {
  /// The exit code that represents the end of the process, as in a shell.
  package var exitCode: Int32 {
    switch self {
    case .code(let code): code
    case .signal(let number): 128 + number
    }
  }
}
