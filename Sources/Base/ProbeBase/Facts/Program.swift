/// A program that a pipeline file names, and the resources it may use.
///
/// It is started without a shell, in a separate process group, with only the standard descriptors.
package struct Program: Hashable, Sendable {
  /// The program and its arguments.
  ///
  /// A name without a slash is searched for in ``searchPath``; a relative path starts at ``folder``.
  package var arguments: [String]
  /// Its working directory; empty for the current one.
  package var folder = ""
  /// The folders to search for a name without a slash, in order, before those of PATH.
  package var searchPath: [String] = []
  /// The names of the environment variables to pass to it; it receives no others.
  package var environment: [String] = []
  package var limits = ProgramLimits()
  /// Whether it runs without access to the network and to files, except its own file and the system's
  /// libraries.
  package var isSandboxed = false

  /// Creates a program with the default limits.
  package init(_ arguments: [String], in folder: String = "") {
    self.arguments = arguments
    self.folder = folder
  }

  /// The name of the program without its folders, for messages.
  package var name: String {
    String((arguments.first ?? "").split(separator: "/").last ?? "")
  }
}

/// The resource limits of a program.
package struct ProgramLimits: Hashable, Sendable {
  /// The maximum data size of each of its processes, in bytes (`RLIMIT_DATA`, getrlimit(2)).
  package var memory = 512 << 20
  /// The maximum output of a program that runs once, in bytes; beyond it, the program is terminated.
  package var output = 1 << 20
  /// The maximum length of an output line of a long-running program, in bytes; beyond it, the program is
  /// terminated.
  package var line = 8 << 20

  package init() {}
}

/// The result of a program that ran once.
package struct ProgramRun: Hashable, Sendable {
  package enum End: Hashable, Sendable {
    /// It exited with this code.
    case exited(Int)
    /// It was terminated by this signal.
    case signal(Int)
    /// It was terminated because it took too long.
    case timedOut
    /// It was terminated because its output was too long.
    case tooMuchOutput
    /// It was terminated because the task was cancelled.
    case cancelled
    /// It could not be started, for this reason.
    case notStarted(String)

    /// A verb phrase to follow the name of the program or `it`.
    package var words: String {
      switch self {
      case .exited(let code): "exited with code \(code)"
      case .signal(let number): "was ended by signal \(number)"
      case .timedOut: "timed out and was terminated"
      case .tooMuchOutput: "exceeded its output limit and was terminated"
      case .cancelled: "was terminated because the probe was cancelled"
      case .notStarted(let reason): "could not be started: \(reason)"
      }
    }
  }

  package var end: End
  /// Its standard output, up to the limit.
  package var output: [UInt8] = []
  /// The last part of its standard error, at most 4 KiB.
  package var errors: [UInt8] = []

  package init(_ end: End, output: [UInt8] = [], errors: [UInt8] = []) {
    (self.end, self.output, self.errors) = (end, output, errors)
  }
}
