import FixtureReplay
import TestRequirements
import TestSupport

/// A program of this machine, run to its end.
struct ToolRun: Sendable {
  /// The exit code.
  let code: Int32
  /// Its standard output and standard error.
  let output: String

  /// Runs a program found in PATH.
  ///
  /// If there is no such program, the test is skipped.
  static func run(_ name: String, _ arguments: [String], input: String = "") async throws -> ToolRun {
    let (input, output) = (try TemporaryFile(input), try TemporaryFile(""))
    let script = #"command -v "$3" >/dev/null || exit 75; exec <"$1" >"$2" 2>&1; shift 2; exec "$@""#
    let code = try await onAThread {
      try runProgram("sh", ["-c", script, "sh", input.path, output.path, name] + arguments)
    }
    guard let code, code != 75 else { try skipTest("there is no \(name)") }
    return ToolRun(code: code, output: readText(output.path))
  }
}

/// Runs an operation for each element, a few at a time: on a small machine, more would only wait.
func forEachOfSome<Element: Sendable>(
  _ elements: [Element], _ body: @escaping @Sendable (Element) async throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for (index, element) in elements.enumerated() {
      if index >= 6 { try await group.next() }
      group.addTask { try await body(element) }
    }
    try await group.waitForAll()
  }
}
