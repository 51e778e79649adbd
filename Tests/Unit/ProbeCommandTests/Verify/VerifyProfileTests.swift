import BundledPlugins
import EngineProfiles
import ProbeCore
import ProbePipeline
import TestSupport
import Testing

@testable import ProbeCommand
@testable import ProbeSystem
@testable import CommandKit

/// `probekit verify --profile`: the profiles, the output, and the exit code.
@Suite struct VerifyProfileTests {
  /// A network with the response that Apple's devices expect, over HTTP only.
  private static let success = """
    version: 1
    name: success
    source: { kind: synthetic, reference: "made for a test" }
    expect: { verdict: intercepted }
    listeners: { https: refused }
    routes:
      - { id: all, when: { listener: http }, respond: { status: 200, body: success.html } }

    """
  private static let page =
    "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"

  private static func folder() throws -> TemporaryFolder {
    try VerifyRun.folder(
      ["all/a": success, "all/b": VerifyRun.captive], ["all/a/success.html": page])
  }

  @Test func aMatrixExitsWithZeroForAllVerdicts() async throws {
    let run = try await VerifyRun(
      ["DIR/all", "--profile", "apple", "--profile", "default"], in: try Self.folder())
    #expect(run.code == .success)
    #expect(run.errors.isEmpty)
    let lines = run.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("DIR/all/a") && $0.contains("  I         O!") })
    #expect(lines.contains { $0.hasPrefix("DIR/all/b") && $0.hasSuffix("  P         P*P") })
    #expect(lines.contains { $0.hasPrefix("apple ") && $0.contains(" 0/2 ") })
    #expect(lines.contains { $0.hasPrefix("default ") && $0.contains(" 2/2 ") })
  }

  @Test func columnsFollowTheOrderOfTheProfiles() async throws {
    let folder = try Self.folder()
    func profiles(_ arguments: String...) async throws -> [String] {
      let run = try await VerifyRun(["DIR/all/b", "--format=json"] + arguments, in: folder)
      return try run.json().fixtures.flatMap { $0.results.map(\.profile) }
    }
    #expect(try await profiles("--profile=default") == ["default"])
    #expect(try await profiles("--profile=apple,default") == ["apple", "default"])
    #expect(try await profiles("--profile=apple", "--profile=default,apple") == ["apple", "default"])
    let all = EngineProfile.all.map(\.name)
    #expect(try await profiles("--profile=all") == all)
    #expect(try await profiles("--profile=apple,all") == ["apple"] + all.filter { $0 != "apple" })
  }

  @Test func everyProfileUsesTheGivenTimeout() throws {
    var options = VerifyCommand.Options()
    try options.add(profile: "all")
    options.probing.settings.add("--timeout", of: "timeout", value: "") { request, _ in
      request.timeout = .milliseconds(1234)
    }
    let output = MemoryOutput()
    let context = CommandContext(
      of: ToolName(version: probeKitVersion),
      output: output.sink(), errors: output.sink(), input: InputSource(""), environment: [:])
    let plans = try VerifyCommand(plugins: .bundled).plans(options, in: context)
    #expect(plans.map(\.name) == EngineProfile.all.map(\.name))
    #expect(plans.allSatisfy { $0.stopsEarly })
    let timeouts = try plans.flatMap { try $0.probes.map { try $0.request.get().timeout } }
    #expect(Set(timeouts) == [.milliseconds(1234)])
    #expect(output.text.isEmpty)
  }

  @Test func profileResultsInJSONIncludeEvidence() async throws {
    let run = try await VerifyRun(
      ["DIR/all/b", "--profile=android", "--format=json"], in: try Self.folder())
    let report = try run.json()
    #expect((report.total, report.passed, report.failed) == (1, 1, 0))
    #expect(report.fixtures.first?.results.map(\.verdict) == ["captivePortal"])
    #expect(run.output.contains("\"evidence\":[\"rule "))
    let plain = try await VerifyRun(["DIR/all/b", "--format=json"], in: try Self.folder())
    #expect(!plain.output.contains("evidence"))
  }

  @Test func matricesInHTMLAndMarkdown() async throws {
    let folder = try Self.folder()
    let page = try await VerifyRun(["DIR/all", "--profile=all", "--format=html"], in: folder)
    #expect(page.code == .success)
    #expect(page.output.hasPrefix("<!DOCTYPE html>\n") && page.output.hasSuffix("</html>\n"))
    #expect(page.output.contains("login.example/welcome?room=2"))
    let document = try await VerifyRun(["DIR/all", "--profile=all", "--format=markdown"], in: folder)
    #expect(document.code == .success)
    #expect(document.output.contains("| a | I | "))
    let again = try await VerifyRun(["DIR/all", "--profile=all", "--format=markdown"], in: folder)
    #expect(document.output == again.output)
  }

  @Test(arguments: ["html", "markdown"])
  func onlyAMatrixHasTheseFormats(_ format: String) async throws {
    let run = try await VerifyRun(["DIR/all", "--format", format], in: try Self.folder())
    #expect(run.code == .usage)
    #expect(run.output.isEmpty)
    #expect(
      run.errors
        == "probekit verify: --format \(format): only a matrix has this form: add --profile all\n")
  }

  @Test func profilesReplaceTheFixturesPipeline() async throws {
    let folder = try VerifyRun.folder(
      ["a": VerifyRun.captive, "b": VerifyRun.captive],
      ["a/pipeline.yaml": VerifyRun.pipeline, "b/pipeline.yaml": "this is no pipeline"])
    let run = try await VerifyRun(["DIR/a", "DIR/b", "--profile=apple", "--format=json"], in: folder)
    #expect(run.code == .success)
    #expect(try run.json().fixtures.map { $0.results.map(\.profile) } == [["apple"], ["apple"]])
  }

  @Test func anInvalidFixtureDoesNotAffectOthers() async throws {
    let folder = try VerifyRun.folder([
      "all/a": "version: 1\nname: broken\nroutes: []\n", "all/b": VerifyRun.captive,
    ])
    // So many profiles that the path of the folder fits into 80 columns.
    let run = try await VerifyRun(["DIR/all", "DIR/gone", "--profile=default,android,apple"], in: folder)
    #expect(run.code == .badInput)
    #expect(run.errors.contains("DIR/all/a/fixture.yaml:1:1: a fixture has no source"))
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("DIR/all/a") && $0.hasSuffix("not replayed") })
    #expect(lines.contains("    DIR/gone: cannot be read: No such file or directory"))
    #expect(lines.contains { $0.hasPrefix("DIR/all/b") && $0.contains("  P         P") })
    let page = try await VerifyRun(["DIR/all", "--profile=all", "--format=html"], in: folder)
    #expect(page.code == .badInput)
    #expect(page.output.contains("<td class=\"c none\" aria-label=\"not replayed\""))
  }

  @Test func resourceShortagesAreReportedWithoutAVerdict() async throws {
    var plugins = try PluginRegistry.bundled
    plugins.transports = plugins.transports.wrapping { ShortTransport(transport: $0) }
    let run = try await VerifyRun(["DIR/all/b", "--profile=all"], in: try Self.folder(), plugins: plugins)
    #expect(run.code == .unavailable)
    #expect(run.errors == "probekit verify: DIR/all/b: no descriptor is left\n")
    #expect(run.output.contains("not replayed\n    no descriptor is left\n"))
  }

  private static let names = EngineProfile.all.map(\.name).alternatives

  static let wrong: [(arguments: [String], error: String)] = [
    (["--profile=appel"], #"--profile: "appel" is not a profile: did you mean apple?"#),
    (["--profile=apple,zzzzzz"], "--profile: \"zzzzzz\" is not a profile: use \(names)"),
    (["--profile="], "--profile: \"\" is not a profile: use \(names)"),
    (["--profile", "--strict"], "--profile: the value is missing: write --profile NAME"),
    (
      ["--profile=all", "--pipeline=x"],
      "--profile and --pipeline cannot be combined: omit one of them"
    ),
    (["--profile=all", "--format=htm"], "\"htm\" is not a format: did you mean html?"),
  ]

  @Test(arguments: wrong)
  func invalidCommandLinesAreRejected(_ arguments: [String], error: String) async throws {
    let run = try await VerifyRun(["DIR/all"] + arguments, in: try Self.folder())
    #expect(run.code == .usage)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(error), "\(run.errors)")
  }

  @Test func allErrorsAreReported() async throws {
    let run = try await VerifyRun(["DIR/all", "--profile=appel", "--pipeline=x"], in: try Self.folder())
    #expect(run.code == .usage)
    #expect(run.errors.split(separator: "\n").count == 2)
  }
}

/// A transport on a machine that is short of descriptors.
private struct ShortTransport: ProbeTransport {
  let transport: any ProbeTransport

  var schemes: [URLScheme: Encryption] { transport.schemes }
  var executors: [any TaskExecutor] { transport.executors }
  func requestKeys(for scheme: URLScheme) -> [RequestKey] { transport.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    throw ProbeFailure(.noDescriptors, "no descriptor is left")
  }
}
