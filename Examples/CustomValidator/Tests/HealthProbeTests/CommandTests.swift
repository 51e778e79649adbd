import Foundation
import ProbeCommand
import ProbeKit
import Testing

@testable import HealthProbe

/// The whole command line, run in memory, with the example's own plugins beside the bundled ones.
@Suite struct CommandTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  @Test func aHealthyService() async throws {
    let url = try folder.file("health.json", #"{ "status": "pass", "checks": {} }"#)
    let (code, text) = try await run(["check", "--validate", "health", url])
    #expect(code == .success)
    #expect(text.hasPrefix("healthy\n"), "\(text)")
  }

  @Test func aServiceWithAWarning() async throws {
    let url = try folder.file("health.json", #"{ "status": "warn" }"#)
    let (code, text) = try await run(["check", "--validate", "health", url])
    #expect(code == .notOnline)
    #expect(
      text.contains("body.mismatch: expected a health document with an accepted status, found"), "\(text)")
    let options = #"health={"accept":["pass","warn"]}"#
    #expect(try await run(["check", "--validate", options, url]).code == .success)
  }

  @Test func aFileThatIsNotThere() async throws {
    let (code, text) = try await run(["check", "file://localhost/nonexistent/health.json"])
    #expect(code == .notOnline)
    #expect(text.contains("file.unreadable: /nonexistent/health.json cannot be read, or is empty"), "\(text)")
  }

  @Test func aMisspelledName() async throws {
    let (code, text) = try await run(["check", "--validate", "helth", "file://localhost/x"])
    #expect(code == .usage)
    #expect(text == "health-probe check: --validate: unknown validator \"helth\": did you mean health?\n")
  }

  private func run(_ arguments: [String]) async throws -> (code: ExitCode, text: String) {
    var plugins = try PluginRegistry.bundled
    try plugins.register(HealthValidator.self)
    try plugins.register(FileTransport())
    let output = MemoryOutput()
    let code = await CommandLineTool(name: "health-probe", version: "1.0", plugins: plugins).run(
      arguments: arguments.map { Array($0.utf8) }, output: output.sink(), errors: output.sink())
    return (code, output.text)
  }
}
