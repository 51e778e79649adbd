import Foundation
import TestSupport
import Testing

@testable import ProbeCommand
@testable import CommandKit

/// `probekit verify`: which fixtures pass, which do not, and the report.
@Suite struct VerifyCommandTests {
  @Test func matchingFixturesPass() async throws {
    let folder = try VerifyRun.folder(["all/a": VerifyRun.open, "all/b": VerifyRun.captive])
    let run = try await VerifyRun(["DIR/all", "--pipeline=DIR/office.yaml"], in: folder)
    #expect(run.code == .success)
    #expect(run.errors.isEmpty)
    #expect(
      run.lines.dropFirst() == [
        "✓ DIR/all/a  online         online",
        "✓ DIR/all/b  captivePortal  captivePortal  http://login.example/welcome?room=2",
        "2 fixtures, 2 passed, 0 failed",
      ])
  }

  @Test func theBuiltInPipelineIsTheDefault() async throws {
    let folder = try VerifyRun.folder(["b": VerifyRun.captive])
    let run = try await VerifyRun(["DIR/b", "--format=json"], in: folder)
    #expect(run.code == .success)
    let result = try #require(try run.json().fixtures.first?.results.first)
    #expect(
      result
        == .init(
          profile: "default", verdict: "captivePortal", loginURL: "http://login.example/welcome?room=2",
          pass: true))
  }

  @Test func theQueryIsComparedOnlyWithStrict() async throws {
    let folder = try VerifyRun.folder(["b": VerifyRun.captive])
    let run = try await VerifyRun(["DIR/b", "--pipeline=DIR/office.yaml", "--strict"], in: folder)
    #expect(run.code == .notOnline)
    #expect(
      run.lines.contains(
        "    expected the login URL http://login.example/welcome?room=1, found http://login.example/welcome?room=2"
      ))
    #expect(run.lines.last == "1 fixture, 0 passed, 1 failed")
  }

  @Test func aMismatchIsShownWithItsEvidence() async throws {
    let other = VerifyRun.fixture(
      "other", "expect: { verdict: [offline, partial] }", "status: 200, body: hello.txt")
    let folder = try VerifyRun.folder(["a": VerifyRun.open, "b": other])
    let arguments = ["DIR/b", "DIR/a", "--pipeline=DIR/office.yaml"]
    let run = try await VerifyRun(arguments, in: folder)
    #expect(run.code == .notOnline)
    #expect(run.lines[1] == "✗ DIR/b  offline or partial  online")
    #expect(run.lines[2] == "    expected offline or partial, found online")
    #expect(run.lines.contains("    rule 1 of decide applies: the set \"web\" is met"))
    #expect(
      run.lines.suffix(2) == ["✓ DIR/a  online              online", "2 fixtures, 1 passed, 1 failed"])
    let verbose = try await VerifyRun(arguments + ["-v"], in: folder)
    #expect(verbose.lines.count { $0 == "    rule 1 of decide applies: the set \"web\" is met" } == 2)
    let json = try await VerifyRun(arguments + ["--format=json"], in: folder).json()
    #expect((json.schema, json.total, json.passed, json.failed) == (1, 2, 1, 1))
    #expect(json.fixtures.map(\.name) == ["other", "open"])
    #expect(json.fixtures.map(\.expected?.verdict) == [.list(["offline", "partial"]), .one("online")])
    #expect(json.fixtures.flatMap(\.results).map(\.pass) == [false, true])
  }

  @Test func aFixtureWithoutExpectationPassesIfItReplays() async throws {
    let folder = try VerifyRun.folder(["a": VerifyRun.fixture("x", "vendor: nobody", "status: 500")])
    let run = try await VerifyRun(["DIR/a", "--pipeline=DIR/office.yaml"], in: folder)
    #expect(run.code == .success)
    #expect(run.lines[1].hasPrefix("✓ DIR/a  -         "))
    let json = try await VerifyRun(["DIR/a", "--pipeline=DIR/office.yaml", "--format=json"], in: folder)
    #expect(json.output.contains("\"expected\":null"))
    #expect(try json.json().passed == 1)
  }

  @Test func anExpectedLoginURLMustBeFound() async throws {
    let noPortal = VerifyRun.fixture(
      "x", "expect: { verdict: online, loginURL: \"http://login.example/\" }", "status: 200, body: hello.txt")
    let folder = try VerifyRun.folder(["a": noPortal])
    let run = try await VerifyRun(["DIR/a", "--pipeline=DIR/office.yaml"], in: folder)
    #expect(run.code == .notOnline)
    #expect(run.lines[2] == "    expected the login URL http://login.example/, found no login URL")
  }

  @Test func anInvalidFixtureFailsWithoutAffectingOthers() async throws {
    let folder = try VerifyRun.folder([
      "all/a": VerifyRun.open, "all/b": "version: 1\nname: broken\nroutes: []\n", "all/c": VerifyRun.open,
    ])
    let arguments = ["DIR/all", "DIR/gone", "--pipeline=DIR/office.yaml"]
    let run = try await VerifyRun(arguments, in: folder)
    #expect(run.code == .badInput)
    #expect(run.errors.contains("DIR/all/b/fixture.yaml:1:1: a fixture has no source"))
    #expect(run.errors.contains("DIR/gone: cannot be read: No such file or directory"))
    #expect(
      run.lines[2...] == [
        "✗ DIR/all/b  -         wrong", "✓ DIR/all/c  online    online", "✗ DIR/gone   -         wrong",
        "4 fixtures, 2 passed, 2 failed",
      ])
    let json = try await VerifyRun(arguments + ["--format=json"], in: folder)
    #expect(json.code == .badInput)
    let fixtures = try json.json().fixtures
    #expect(fixtures.map(\.path) == ["DIR/all/a", "DIR/all/b", "DIR/all/c", "DIR/gone"])
    #expect(fixtures.map(\.name) == ["open", nil, "open", nil])
    #expect(fixtures.map(\.results.count) == [1, 0, 1, 0])
    #expect(fixtures[1].expected == nil)
  }

  @Test func theWorstExitCodeWins() async throws {
    let folder = try VerifyRun.folder([
      "a": "", "b": VerifyRun.fixture("x", "expect: { verdict: partial }", "status: 204"),
    ])
    let run = try await VerifyRun(["DIR/b", "DIR/a", "--pipeline=DIR/office.yaml"], in: folder)
    #expect(run.code == .badInput)
  }

  @Test func aFolderWithoutFixtures() async throws {
    let folder = try TemporaryFolder(["empty/notes.txt": ""])
    let run = try await VerifyRun(["DIR/empty"], in: folder)
    #expect(run.code == .badInput)
    #expect(
      run.errors == "DIR/empty: the folder contains no fixture: a fixture is a folder with a fixture.yaml\n")
  }

  @Test func repeatedFixturesAreVerifiedOnce() async throws {
    let folder = try VerifyRun.folder(["all/a": VerifyRun.open, "all/b": VerifyRun.open])
    let paths = ["DIR/all/b", "DIR/all", "DIR/all/../all/a/", "DIR/all/b/fixture.yaml"]
    let run = try await VerifyRun(paths + ["--pipeline=DIR/office.yaml", "--format=json"], in: folder)
    // Two fixtures with the same name are distinct.
    #expect(try run.json().fixtures.map(\.path) == ["DIR/all/b", "DIR/all/a"])
    #expect(try run.json().fixtures.map(\.name) == ["open", "open"])
  }

  @Test func pipelines() async throws {
    let folder = try VerifyRun.folder(
      ["a": VerifyRun.open], ["wrong.yaml": "version: 1\nname: x\nsets: []\nextra: 1\n"])
    let wrong = try await VerifyRun(["DIR/a", "--pipeline=DIR/wrong.yaml"], in: folder)
    #expect(wrong.code == .badInput)
    #expect(wrong.output.isEmpty)
    #expect(wrong.errors.contains("DIR/wrong.yaml:4:1: a pipeline has an unknown key \"extra\""))
    let gone = try await VerifyRun(["DIR/a", "--pipeline=DIR/gone.yaml"], in: folder)
    #expect(gone.code == .badInput)
    let read = try await VerifyRun(
      ["DIR/a", "--pipeline=-", "--format=json"], in: folder, input: VerifyRun.pipeline)
    #expect(read.code == .success)
    #expect(try read.json().fixtures.first?.results.first?.profile == "office")
  }

  static let wrong: [(arguments: [String], error: String)] = [
    ([], "FIXTURE-OR-FOLDER"), ([""], "the path is empty"), (["x", "--concurrency=0"], "--concurrency"),
    (["x", "--timeout=soon"], "--timeout"), (["x", "--pipeline="], "--pipeline"),
    (["x", "--profile=appel"], "--profile"),
  ]

  @Test(arguments: wrong)
  func invalidCommandLinesAreRejected(_ arguments: [String], error: String) async throws {
    let run = try await VerifyRun(arguments, in: try TemporaryFolder())
    #expect(run.code == .usage)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(error))
  }

  @Test func help() async throws {
    let run = try await VerifyRun(["--help"], in: try TemporaryFolder())
    #expect(run.code == .success)
    #expect(try run.output == Snapshot("help-verify", is: run.output).text)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
