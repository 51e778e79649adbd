import BundledPlugins
import Foundation
import ProbeCore
import TestSupport

@testable import ProbeCommand
@testable import CommandKit

/// `probekit verify` in memory, over real servers.
struct VerifyRun {
  /// A network that responds to everything with the page that ``pipeline`` expects.
  static let open = fixture("open", "expect: { verdict: online }", "status: 200, body: hello.txt")
  /// A network that redirects everything to a login page.
  static let captive = fixture(
    "captive",
    "expect: { verdict: captivePortal, loginURL: \"http://login.example/welcome?room=1\" }",
    "status: 302, headers: [\"Location: http://login.example/welcome?room=2\"]")
  /// A pipeline for them, with few probes and its own rules.
  static let pipeline = """
    version: 1
    name: office
    policy: { https: optional }
    request: { timeout: 60s }
    sets: [{ name: web, validate: { contains: hello }, urls: [http://web.example/] }]
    decide:
      - { when: { set: web, met: true }, verdict: online }
      - { when: { set: web, outcome: intercepted }, verdict: captivePortal }
      - { when: { set: web, reason: "connect.*" }, verdict: offline }

    """

  let code: ExitCode
  let output: String
  let errors: String

  /// Runs it; `DIR` in the arguments and in the output means the folder.
  init(
    _ arguments: [String], in folder: TemporaryFolder, input: String = "", isTerminal: Bool = false,
    plugins: PluginRegistry? = nil
  ) async throws {
    let run = try await FolderRun(
      "verify", arguments, in: folder, input: input, isTerminal: isTerminal, plugins: plugins)
    (code, output, errors) = (run.code, run.output, run.errors)
  }

  /// A fixture with a single route for every plain HTTP request.
  static func fixture(_ name: String, _ expectation: String, _ response: String) -> String {
    """
    version: 1
    name: \(name)
    source: { kind: synthetic, reference: "made for a test" }
    \(expectation)
    listeners: { https: refused }
    routes:
      - { id: all, when: { listener: http }, respond: { \(response) } }

    """
  }

  /// A folder with fixtures by their paths, the page of ``open`` beside each, and ``pipeline`` as `office.yaml`.
  static func folder(_ fixtures: [String: String], _ files: [String: String] = [:]) throws -> TemporaryFolder
  {
    var all = files
    all["office.yaml"] = pipeline
    for (path, text) in fixtures {
      all["\(path)/fixture.yaml"] = text
      all["\(path)/hello.txt"] = "hello\n"
    }
    return try TemporaryFolder(all)
  }

  /// The lines of the table for fixtures, without the time in the last one.
  var lines: [String] {
    output.replacing(/, \d+(\.\d+)? m?s\n$/) { _ in "\n" }.split(separator: "\n").map(String.init)
  }

  /// The report, for output in JSON.
  func json() throws -> Report { try JSONDecoder().decode(Report.self, from: Data(output.utf8)) }

  /// The JSON report.
  struct Report: Decodable {
    let schema: Int
    let total: Int
    let passed: Int
    let failed: Int
    let fixtures: [Fixture]

    struct Fixture: Decodable {
      let path: String
      let name: String?
      let expected: Expected?
      let results: [Result]
    }

    struct Expected: Decodable {
      let verdict: Verdicts
      let loginURL: String?
    }

    struct Result: Decodable, Equatable {
      let profile: String
      let verdict: String
      let loginURL: String?
      let pass: Bool
    }

    enum Verdicts: Decodable, Equatable {
      case one(String)
      case list([String])

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let one = try? container.decode(String.self) {
          self = .one(one)
        } else {
          self = .list(try container.decode([String].self))
        }
      }
    }
  }
}
