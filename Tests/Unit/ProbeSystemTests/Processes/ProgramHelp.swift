import Glibc
import ProbeCore
@testable import ProbeSystem
import TestSupport
import Testing

/// Helpers for tests of programs.
enum ProgramHelp {
  /// The loop of all tests.
  static let loop = EventLoop(named: "test-programs")

  /// The environment of most tests.
  static let environment = ["PATH": "/usr/bin:/bin"]

  /// A shell that runs a script.
  static func shell(_ script: String, in folder: String = "") -> Program {
    Program(["/bin/sh", "-c", script], in: folder)
  }

  /// Waits until a process has ended; its new parent may leave it as a zombie.
  ///
  /// A process that still runs at the test's time limit is recorded as an issue, and killed.
  static func waits(forEndOf process: pid_t) async {
    while isRunning(process), !Task.isCancelled { await Task.yield() }
    guard isRunning(process) else { return }
    Issue.record("the process \(process) still runs")
    kill(process, SIGKILL)
  }

  /// Whether a process runs.
  static func isRunning(_ process: pid_t) -> Bool {
    kill(process, 0) == 0 && !readText("/proc/\(process)/stat").contains(") Z ")
  }

  /// Waits for a line that a program writes into a file.
  static func line(of path: String) async -> String {
    while true {
      let text = readText(path)
      if text.hasSuffix("\n") { return String(text.dropLast()) }
      await Task.yield()
    }
  }
}

extension Program {
  /// Runs it with the environment of the tests.
  func run(
    _ input: [UInt8] = [], within limit: Duration = .seconds(60),
    environment: [String: String] = ProgramHelp.environment
  ) async -> ProgramRun {
    await run(input: input, within: limit, environment: environment, on: ProgramHelp.loop)
  }
}

extension ProgramRun {
  /// The output as text.
  var text: String { String(decoding: output, as: UTF8.self) }
  /// The errors as text.
  var errorText: String { String(decoding: errors, as: UTF8.self) }
}
