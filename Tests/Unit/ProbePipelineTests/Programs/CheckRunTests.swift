import BundledPlugins
import ProbeCore
import ProbeBase
import ProbePipeline
import SourceDocuments
import Testing

/// Checks of pipeline files, run with a host without processes.
@Suite struct CheckRunTests {
  /// A host whose programs all end in the same way.
  private final class Host: ProgramHost {
    private let result: ProgramRun
    private let log = Guarded<[Program]>([])

    init(_ end: ProgramRun.End, _ output: String) {
      result = ProgramRun(end, output: Array(output.utf8))
    }

    var programs: [Program] { log.withLock(\.self) }

    func run(_ program: Program, input: [UInt8], within limit: Duration) async -> ProgramRun {
      log.withLock { $0.append(program) }
      return result
    }

    func query(_ plugin: PluginProgram, _ message: [UInt8], within limit: Duration) async -> PluginResponse {
      .none(.pluginFailed, "there is no plugin")
    }
  }

  private static func load(_ sets: String) throws -> LoadedPipeline {
    let text = """
      version: 1
      name: p
      question: services
      vars: { HOST: 192.0.2.1 }
      sets:
      \(sets)
      """
    return PipelineLoader(try .bundled).load(path: "etc/p.yaml", bytes: Array(text.utf8))
  }

  private static func run(_ sets: String, with host: Host) async throws -> [ProbeResult] {
    let plan = try load(sets).plan(in: RequestContext.environment([:]).allowingPrograms(host))
    return await PipelineRunner(try PluginRegistry.bundled.transports).run(plan).sets.flatMap(\.probes)
  }

  @Test func aCheckRunsWithTheArgumentsFromTheFile() async throws {
    let host = Host(.exited(0), "SSH OK | time=0.5s")
    let probes = try await Self.run(
      """
        - name: a
          request: { timeout: 10s, memory: 64MiB }
          urls:
            - { check: [check_ssh, -H, "${vars.HOST}", -p, 22], request: { environment: [HOME], sandbox: true } }
      """, with: host)
    #expect(probes.map(\.outcome) == [.accepted])
    #expect(probes.map(\.url) == ["check://check_ssh"])
    #expect(probes.map(\.captures) == [["time": "0.5"]])
    #expect(probes.map { $0.response?.performance.map(\.unit) } == [["s"]])
    let program = try #require(host.programs.first)
    #expect(program.arguments == ["check_ssh", "-H", "192.0.2.1", "-p", "22"])
    #expect(program.folder == "etc")
    #expect(program.limits.memory == 64 << 20)
    #expect(program.environment == ["HOME"])
    #expect(program.isSandboxed)
  }

  @Test(
    arguments: [
      ("", .failed, .checkWarning), (", warning: failed", .failed, .checkWarning),
      (", warning: accepted", .accepted, nil),
      (", warning: accepted, validate: { contains: OK }", .failed, .bodyMismatch),
      (", classify: [{ when: { reason: check.* }, outcome: accepted }]", .accepted, nil),
    ] as [(String, Outcome, ReasonCode?)])
  func theFileSetsTheWarningOutcome(_ keys: String, _ outcome: Outcome, _ reason: ReasonCode?) async throws {
    let probes = try await Self.run(
      "  - { name: a, urls: [{ check: [check_disk]\(keys) }] }", with: Host(.exited(1), "DISK WARNING"))
    #expect(probes.map(\.outcome) == [outcome])
    #expect(probes.map(\.reason) == [reason])
  }

  @Test func aCommandCanJudgeACheck() async throws {
    let host = Host(.exited(0), "OK")
    let probes = try await Self.run(
      "  - { name: a, urls: [{ check: [check_disk], validate: { command: [jq, -e, .text] } }] }", with: host)
    #expect(probes.map(\.outcome) == [.accepted])
    #expect(host.programs.map(\.name) == ["check_disk", "jq"])
  }

  @Test func aCheckWithoutPermissionIsReported() throws {
    let loaded = try Self.load("  - { name: a, urls: [https://a.example/, { check: [check_ssh] }] }")
    #expect(loaded.findings() == [])
    do throws(UnusablePipeline) {
      _ = try loaded.plan(in: .environment([:]))
      Issue.record("it is planned")
    } catch {
      #expect(error.findings.map(\.message) == ["this starts a program, which needs permission"])
      #expect(error.findings.map(\.location?.column) == [52])
    }
  }

  /// A line of a list may come from anywhere, so it fails alone, and the other lines are probed.
  @Test func aCheckURLStartsNoProgram() async throws {
    var line = ProbeTarget("check://true")
    line.isListItem = true
    let pipeline = Pipeline("p", sets: [ProbeSet("a", targets: [line])]).question(.services)
    let transports = try PluginRegistry.bundled.transports
    let host = Host(.exited(0), "OK")
    for context in [RequestContext.process, .process.allowingPrograms(host)] {
      let result = await PipelineRunner(transports).run(try pipeline.plan(over: transports, in: context))
      #expect(result.sets[0].probes.map(\.reason) == [.invalidRequest])
    }
    #expect(host.programs.isEmpty)
    let alone = Pipeline("p", sets: [ProbeSet("a", "check://true")])
    let problems = #expect(throws: InvalidPlan.self) { try alone.plan(over: transports, in: .process) }
    #expect(
      problems?.problems.map(\.input.message) == ["check://true is only the name of a check in reports"])
  }
}
