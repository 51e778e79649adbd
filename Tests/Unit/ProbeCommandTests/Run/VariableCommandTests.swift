import LoopbackServer
import ProbeCommand
import TestSupport
import Testing
@testable import CommandKit

/// `--set` and `--secrets` on the command line.
@Suite struct VariableCommandTests {
  private static func pipeline(_ host: String = "a.invalid") throws -> TemporaryFolder {
    try TemporaryFolder([
      "pipelines/p.yaml": """
      version: 1
      name: p
      policy: { https: optional }
      vars: { HOST: \(host), PATH: none }
      sets: [{ name: a, urls: ["http://${vars.HOST}/${vars.PATH}"] }]
      """
    ])
  }

  @Test(arguments: [
    ["lint"], ["run"], ["monitor"], ["verify", "--pipeline"], ["capture", "-o", "DIR/f", "--pipeline"],
  ])
  func anUnknownVariableIsAnError(_ command: [String]) async throws {
    let arguments = command.dropFirst() + ["DIR/pipelines/p.yaml", "--set", "PAHT=b"]
    let fixture = command[0] == "verify" ? ["DIR"] : []
    let run = try await FolderRun(command[0], arguments + fixture, in: Self.pipeline())
    #expect(
      run.errors.contains("--set: no pipeline has a variable \"PAHT\": did you mean PATH?\n"), "\(run.errors)"
    )
    #expect(run.code == .usage)
  }

  @Test(arguments: [
    ("A", "--set: \"A\" has no name and value: write it as NAME=TEXT"),
    ("=b", "--set: \"=b\" has no name and value: write it as NAME=TEXT"),
    ("A=a\nb", "--set: the value has a control character or a line end in it: give it in one line"),
  ])
  func errorsAreReported(_ value: String, _ error: String) async throws {
    let run = try await FolderRun("run", ["DIR/pipelines/p.yaml", "--set", value], in: Self.pipeline())
    #expect(run.code == .usage)
    #expect(run.errors.contains(error), "\(run.errors)")
  }

  @Test func lintChecksGivenValues() async throws {
    let folder = try Self.pipeline()
    let good = try await FolderRun("lint", ["DIR/pipelines", "--set", "HOST=b.example:1"], in: folder)
    #expect(good.code == .success, "\(good.output)")
    let bad = try await FolderRun("lint", ["DIR/pipelines", "--set", "HOST=b/c"], in: folder)
    #expect(bad.code == .badInput)
    #expect(bad.output.contains("p.yaml:5:34: the value of HOST contains \"/\", which no host of a URL does"))
  }

  @Test func secretFilesAreReadOnlyFromAllowedFolders() async throws {
    let server = try LoopbackServer.http { request in
      .response(
        request.target == "/x" && request.header("X-Key") == "canary-7f3a9c" ? 200 : 404,
        body: "canary-7f3a9c")
    }
    let folder = try TemporaryFolder([
      "pipelines/p.yaml": """
      version: 1
      name: p
      policy: { https: optional }
      vars: { HOST: a.invalid, PATH: none }
      request: { headers: { X-Key: { file: ../secrets/key } } }
      sets: [{ name: a, urls: ["http://${vars.HOST}/${vars.PATH}"] }]
      """,
      "secrets/key": "canary-7f3a9c\n",
    ])
    let arguments = ["DIR/pipelines/p.yaml", "--set", "HOST=127.0.0.1:\(server.port)", "--set=PATH=x", "-v"]
    let refused = try await FolderRun("run", arguments, in: folder)
    #expect(refused.code == .badInput)
    #expect(refused.errors.contains("outside of the pipeline's folder"))
    let run = try await FolderRun("run", arguments + ["--secrets", "DIR/secrets"], in: folder)
    #expect(run.code == .success, "\(run.output)\(run.errors)")
    #expect(!(run.output + run.errors).contains("canary"))
  }
}
