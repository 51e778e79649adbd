/// A program that a pipeline file names, and what it may use.
///
/// It starts without a shell, in a process group of its own, with no descriptors but the standard ones.
package struct Program: Hashable, Sendable {
  /// The program and its arguments.
  ///
  /// A name without a slash is looked for in ``searchPath``; a relative path starts at ``folder``.
  package var arguments: [String]
  /// Its working directory; empty for the current one.
  package var folder = ""
  /// The folders where a name without a slash is looked for, in this order, before those of PATH.
  package var searchPath: [String] = []
  /// The names of the environment variables that it gets; it has no others.
  package var environment: [String] = []
  /// What it may use.
  package var limits = ProgramLimits()
  /// Whether it runs without network and files, except for its own file and the system's libraries.
  package var isSandboxed = false

  /// Creates a program with the usual limits.
  package init(_ arguments: [String], in folder: String = "") {
    self.arguments = arguments
    self.folder = folder
  }

  /// The name of the program without its folders, for messages.
  package var name: String {
    String((arguments.first ?? "").split(separator: "/").last ?? "")
  }
}

/// What a program may use.
package struct ProgramLimits: Hashable, Sendable {
  /// The data that each of its processes may have, in bytes (`RLIMIT_DATA`, getrlimit(2)).
  package var memory = 512 << 20
  /// The output of a run in bytes, for a program that runs once; beyond it, it is ended.
  package var output = 1 << 20
  /// The length of a line of its output in bytes, for a program that stays; beyond it, it is ended.
  package var line = 8 << 20

  /// Creates the usual limits.
  package init() {}
}

/// The result of a program that ran once.
package struct ProgramRun: Hashable, Sendable {
  /// How a run ended.
  package enum End: Hashable, Sendable {
    /// It exited with this code.
    case exited(Int)
    /// It was ended by this signal.
    case signal(Int)
    /// It was ended because it took too long.
    case timedOut
    /// It was ended because its output was too long.
    case tooMuchOutput
    /// It was ended because the task was cancelled.
    case cancelled
    /// It could not be started, for this reason.
    case notStarted(String)

    /// What happened, to follow the name of the program or `it`.
    package var words: String {
      switch self {
      case .exited(let code): "exited with code \(code)"
      case .signal(let number): "was ended by signal \(number)"
      case .timedOut: "took too long and was ended"
      case .tooMuchOutput: "printed too much and was ended"
      case .cancelled: "was ended, because the probe was cancelled"
      case .notStarted(let reason): "could not be started: \(reason)"
      }
    }
  }

  /// How it ended.
  package var end: End
  /// Its standard output, up to the limit.
  package var output: [UInt8] = []
  /// The last part of its standard error, at most 4 KiB.
  package var errors: [UInt8] = []

  /// Creates a result.
  package init(_ end: End, output: [UInt8] = [], errors: [UInt8] = []) {
    (self.end, self.output, self.errors) = (end, output, errors)
  }
}
