import Foundation
import ProbeBase
import ProbeCore
import TestSupport
import Testing
import TestTransports

@testable import ProbeCommand
@testable import ProbeSystem
@testable import CommandKit

/// How a run of pipeline files ends early: because the verdict is certain, or because it is interrupted.
@Suite struct RunEndingTests {
  /// Plugins whose only transport responds with 204 for `good.example`, never for `silent.example`, and with
  /// 404 for other hosts.
  private static func plugins(_ isAsked: Guarded<Bool>) throws -> PluginRegistry {
    var plugins = PluginRegistry()
    try plugins.register(
      FakeTransport { request in
        if request.url.host == "silent.example" {
          isAsked.withLock { $0 = true }
          try await Task.sleep(for: .seconds(3600))
        }
        let status = request.url.host == "good.example" ? 204 : 404
        return ProbeResponse(url: request.url, head: HTTPResponseHead(status: status))
      })
    return plugins
  }

  private static let pipeline = """
    version: 1
    name: p
    run: { concurrency: 1 }
    sets:
      - { name: one, threshold: 1, urls: [https://good.example/a, https://good.example/b, https://good.example/c] }

    """

  @Test func everythingIsProbedOnlyOnRequest() async throws {
    let folder = try TemporaryFolder(["p.yaml": Self.pipeline])
    let plugins = try Self.plugins(Guarded(false))
    let early = try await FolderRun("run", ["DIR/p.yaml", "--format=tap"], in: folder, plugins: plugins)
    #expect(early.code == .success)
    #expect(early.output.split(separator: "\n").count { $0.contains("# SKIP") } == 2, "\(early.output)")
    let all = try await FolderRun(
      "run", ["DIR/p.yaml", "--format=tap", "--all"], in: folder, plugins: plugins)
    #expect(all.code == .success)
    #expect(!all.output.contains("# SKIP"), "\(all.output)")
  }

  @Test func anInterruptionIsReportedWithoutAVerdict() async throws {
    let folder = try TemporaryFolder([
      "p.yaml": """
      version: 1
      name: p
      sets:
        - { name: one, urls: [https://good.example/, https://silent.example/] }

      """
    ])
    let isAsked = Guarded(false)
    let plugins = try Self.plugins(isAsked)
    let (output, errors) = (MemoryOutput(), MemoryOutput())
    let arguments = ["run", "\(folder.path)/p.yaml", "--format=ndjson"]
    let task = Task {
      await CommandLineTool(plugins: plugins).run(
        arguments: arguments.map { Array($0.utf8) }, environment: ["LANG": "C.UTF-8"], output: output.sink(),
        errors: errors.sink())
    }
    while !isAsked.withLock(\.self) || !output.text.contains("good.example") { await Task.yield() }
    task.cancel()
    #expect(await task.value == .notOnline)
    #expect(errors.text == "probekit run: interrupted: 1 of 2 probes had finished\n")
    #expect(!output.text.contains("\"type\":\"run\""))
  }

  @Test func anInterruptionLeavesNoFileBehind() async throws {
    let folder = try TemporaryFolder([
      "p.yaml": "version: 1\nname: p\nsets: [{ name: one, urls: [https://silent.example/] }]\n"
    ])
    let isAsked = Guarded(false)
    let plugins = try Self.plugins(isAsked)
    let arguments = ["DIR/p.yaml", "-o", "DIR/report"]
    let task = Task { try await FolderRun("run", arguments, in: folder, plugins: plugins) }
    while !isAsked.withLock(\.self) { await Task.yield() }
    task.cancel()
    #expect(try await task.value.code == .notOnline)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["p.yaml"])
  }
}
