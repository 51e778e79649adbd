import Foundation
import TestSupport
import Testing

/// A network that a test makes for itself, with nothing in it but what the test puts there.
package enum OwnNetwork {
  /// A program in the network has not ended as it should.
  package struct Failed: Error, CustomStringConvertible {
    package let description: String
  }

  /// What every program begins with: the loopback interface is up, and `replace` gives a file of the machine, if it has
  /// one, another text.
  private static let prelude = """
    import os, subprocess
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    replaced = set()
    def replace(path, text):
        if not os.path.exists(path): return
        own = __file__ + path.replace("/", ".")
        with open(own, "w") as file: file.write(text)
        if path not in replaced: subprocess.run(["mount", "--bind", own, path], check=True)
        replaced.add(path)

    """

  /// Runs a Python program as root of network and mount namespaces that are made for it.
  ///
  /// Where this machine does not allow that, or lacks a tool, the test is skipped.
  ///
  /// - Parameters:
  ///   - script: The program, behind ``prelude``; each line that it prints is one value in JSON.
  ///   - arguments: Its arguments.
  ///   - tools: The commands that it needs besides `ip` and `mount`.
  /// - Returns: What it printed.
  /// - Throws: ``Failed`` with what it has to say when it exits with another code than 0.
  package static func run<Line: Decodable & Sendable>(
    _ script: String, _ arguments: [String], tools: [String] = []
  ) async throws -> [Line] {
    let files = try TemporaryFolder(["network.py": prelude + script])
    // With exec, so that no shell stands between the test and the namespaces.
    let enter = """
      exec >"$0/output" 2>"$0/errors"
      for tool in unshare ip mount python3 \(tools.joined(separator: " ")); do
        command -v $tool >/dev/null || { echo "there is no $tool"; exit 75; }
      done
      for options in "--net --mount" "--user --map-root-user --net --mount"; do
        unshare $options true 2>/dev/null && exec unshare $options python3 "$0/network.py" "$@"
      done
      echo "no network of its own can be made here"
      exit 75
      """
    let code = try await onAThread { try runProgram("sh", ["-c", enter, files.path] + arguments) }
    let text = readText(files.path + "/output")
    guard code != 75 else { try skipTest(text.trimmingCharacters(in: .whitespacesAndNewlines)) }
    guard code == 0 else {
      throw Failed(
        description:
          "exit code \(code.map(String.init) ?? "none"): \(readText(files.path + "/errors"))\(text)")
    }
    return try text.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }
}
