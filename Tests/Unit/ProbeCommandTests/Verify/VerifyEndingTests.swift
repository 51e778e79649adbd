import BundledPlugins
import Foundation
import ProbeBase
import LoopbackServer
import ProbeCore
import TestSupport
import Testing

@testable import ProbeCommand
@testable import ProbeSystem
@testable import CommandKit

/// How `probekit verify` ends, without leaving anything behind.
@Suite struct VerifyEndingTests {
  private static let silent = """
    version: 1
    name: silent
    source: { kind: synthetic, reference: "made for a test" }
    expect: { verdict: offline }
    listeners: { http: hold, https: hold }
    routes: []

    """

  @Test func manyFixturesLeaveNothingBehind() async throws {
    await #expect(processExitsWith: .success) {
      let fixtures = (100..<300).map { ("all/\($0)", VerifyRun.open) }
      let folder = try VerifyRun.folder(Dictionary(uniqueKeysWithValues: fixtures))
      let plugins = try PluginRegistry.bundled
      func verify(_ path: String) async throws -> VerifyRun {
        let arguments = [path, "--pipeline=DIR/office.yaml", "--format=json"]
        return try await VerifyRun(arguments, in: folder, plugins: plugins)
      }
      // Creates everything that exists once per process.
      _ = try await verify("DIR/all/100")
      let before = ProcessUse.now
      let report = try await verify("DIR/all").json()
      try #require(report.passed == 200)
      try #require(report.fixtures.map(\.path) == (100..<300).map { "DIR/all/\($0)" })
      let isClean = await ProcessUse.settles { now in
        now.addsNothing(to: before) && now.threads(named: "probekit-replay") == 0
      }
      try #require(isClean, "\(before) \(ProcessUse.now)")
    }
  }

  @Test(arguments: ["--pipeline=DIR/office.yaml", "--profile=apple"])
  func anInterruptionReportsHowManyFixturesWereVerified(_ asking: String) async throws {
    let folder = try VerifyRun.folder(["all/a": VerifyRun.open, "all/b": Self.silent])
    let (output, errors, isAsked) = (MemoryOutput(), MemoryOutput(), Guarded(0))
    var plugins = try PluginRegistry.bundled
    plugins.transports = plugins.transports.wrapping { CountedTransport(transport: $0, count: isAsked) }
    let arguments = ["verify", "\(folder.path)/all", asking.replacing("DIR", with: folder.path)]
    let tool = CommandLineTool(plugins: plugins)
    let task = Task {
      await tool.run(
        arguments: arguments.map { Array($0.utf8) }, environment: ["LANG": "C.UTF-8"], output: output.sink(),
        errors: errors.sink())
    }
    // One request has received its response, and the other has been sent.
    while isAsked.withLock(\.self) < 3 { await Task.yield() }
    task.cancel()
    #expect(await task.value == .notOnline)
    #expect(errors.text.hasPrefix("probekit verify: interrupted: "))
    #expect(errors.text.hasSuffix(" of 2 fixtures were verified\n"))
    #expect(!output.text.contains("all/b"))
  }
}

/// A transport that counts its requests and responses.
struct CountedTransport: ProbeTransport {
  let transport: any ProbeTransport
  let count: Guarded<Int>

  var schemes: [URLScheme: Encryption] { transport.schemes }
  var executors: [any TaskExecutor] { transport.executors }
  func requestKeys(for scheme: URLScheme) -> [RequestKey] { transport.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    count.withLock { $0 += 1 }
    let response = try await transport.probe(request)
    count.withLock { $0 += 1 }
    return response
  }
}
