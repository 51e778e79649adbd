import Foundation
import Testing
import TestRequirements
import TestSupport

/// A third-party parser that reads a report and prints the result as JSON.
struct OtherParser: Sendable {
  /// The program with its leading arguments; Debian's own Python has Debian's packages.
  private let command: [String]

  /// A Python script that prints the content of the file `sys.argv[1]`.
  static func python(_ script: String) -> OtherParser {
    OtherParser(command: [
      "/usr/bin/python3", "-c", "import json, sys\nsys.stdout.reconfigure(encoding='utf-8')\n" + script,
    ])
  }

  /// A Perl script that prints the content of the file `$ARGV[0]`.
  static func perl(_ script: String) -> OtherParser {
    OtherParser(command: ["/usr/bin/perl", "-Mstrict", "-Mwarnings=FATAL,all", "-MJSON::PP", "-e", script])
  }

  /// The parser's result for a report.
  ///
  /// If there is no such program, the test is skipped; `make setup` installs all of them.
  func read<Value: Decodable>(_ report: String, as type: Value.Type = Value.self) throws -> Value {
    let files = try TemporaryFolder(["report": report, "answer": ""])
    let shell = "exec \"$@\" >\"$0\""
    let arguments = ["-c", shell, "\(files.path)/answer"] + command + ["\(files.path)/report"]
    guard FileManager.default.isExecutableFile(atPath: command[0]) else {
      try skipTest("there is no \(command[0])")
    }
    #expect(try runProgram("sh", arguments) == 0, "\(report)")
    return try JSONDecoder().decode(type, from: Data(readText("\(files.path)/answer").utf8))
  }
}
