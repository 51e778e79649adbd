import ConnectivityMonitor
import Foundation
import Glibc
import ProbeTLS
import ProbeCore
import ProbePipeline
import TestRequirements
import TestSupport
import Testing
import TestTransports

@testable import ProbeCommand
@testable import ProbeSystem
@testable import CommandKit

/// How a monitor handles events, with a simulated network.
@Suite(.patience(minutes: 1)) struct MonitorSessionTests {
  private static let pipeline = "version: 1\nname: NAME\nsets: [{ name: s, urls: [https://h.example/] }]\n"
  private static func named(_ name: String) -> String { pipeline.replacing("NAME", with: name) }

  @Test func aPipelineIsReloaded() async throws {
    let folder = try TemporaryFolder(["p.yaml": Self.named("one")])
    let run = try await MonitorRun(["DIR/p.yaml"], in: folder) { monitor in
      monitor.send(.changed(MonitorSamples.online))
      await monitor.output(contains: "online")
      try folder.write("p.yaml", Self.named("two"))
      monitor.signal(.reload)
      await monitor.errors(contain: "reloaded\n")
      try folder.write("p.yaml", "version: 1\nname: three\nsets: [{ name: s, urls: [http://h.example/] }]\n")
      monitor.signal(.reload)
      await monitor.errors(contain: "stays in use\n")
      monitor.send(.changed(MonitorSamples.offline))
      await monitor.output(contains: "No Connection")
    }
    #expect(run.code == .success)
    #expect(run.plans.map(\.name) == ["one", "two"])
    let lines = run.errors.split(separator: "\n")
    #expect(lines.first == "probekit monitor: DIR/p.yaml: reloaded")
    #expect(
      lines.dropFirst().first == "probekit monitor: DIR/p.yaml: is invalid; the previous version stays in use"
    )
    #expect(lines.dropFirst(2).first?.hasPrefix("DIR/p.yaml:3:") == true, "\(run.errors)")
  }

  /// A file that cannot be read again, or never ends.
  private static let replacements: [@Sendable (String) throws -> Void] = [
    { try #require(unsafe mkdir($0, 0o700) == 0) }, { try #require(unsafe symlink("/dev/zero", $0) == 0) },
    { try #require(unsafe symlink("/no/such/file", $0) == 0) },
    {
      try Data().write(to: URL(filePath: $0))
      try #require(unsafe truncate($0, 1 << 34) == 0)
    },
  ]

  @Test(arguments: replacements.indices)
  func anUnreadablePipelineIsReported(_ index: Int) async throws {
    let folder = try TemporaryFolder(["p.yaml": Self.named("one")])
    let run = try await MonitorRun(["DIR/p.yaml"], in: folder) { monitor in
      monitor.send(.changed(MonitorSamples.online))
      await monitor.output(contains: "online")
      try FileManager.default.removeItem(atPath: folder.path(of: "p.yaml"))
      try Self.replacements[index](folder.path(of: "p.yaml"))
      monitor.signal(.reload)
      await monitor.errors(contain: "stays in use\n")
      monitor.send(.changed(MonitorSamples.offline))
      await monitor.output(contains: "No Connection")
    }
    #expect(run.code == .success)
    #expect(run.plans.map(\.name) == ["one"])
    #expect(run.errors.contains("DIR/p.yaml: "), "\(run.errors)")
  }

  /// A reload that waits for a pipe delays neither reports nor the next reload.
  @Test func aPipeWithoutAWriterDelaysNothing() async throws {
    let folder = try TemporaryFolder(["p.yaml": Self.named("one")])
    let run = try await MonitorRun(["DIR/p.yaml"], in: folder) { monitor in
      monitor.send(.changed(MonitorSamples.online))
      await monitor.output(contains: "online")
      try FileManager.default.removeItem(atPath: folder.path(of: "p.yaml"))
      try #require(unsafe mkfifo(folder.path(of: "p.yaml"), 0o600) == 0)
      monitor.signal(.reload)
      // Once the pipe can be opened for writing, the monitor waits for it.
      let writer = try await Self.writer(to: folder.path(of: "p.yaml"))
      defer { close(writer) }
      monitor.send(.changed(MonitorSamples.offline))
      await monitor.output(contains: "No Connection")
      try FileManager.default.removeItem(atPath: folder.path(of: "p.yaml"))
      try folder.write("p.yaml", Self.named("two"))
      monitor.signal(.reload)
      await monitor.errors(contain: "reloaded\n")
    }
    #expect(run.code == .success)
    #expect(run.plans.map(\.name) == ["one", "two"])
    #expect(run.errors == "probekit monitor: DIR/p.yaml: reloaded\n")
  }

  /// Opens a pipe for writing once it is open for reading.
  private static func writer(to path: String) async throws -> Int32 {
    while true {
      let writer = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if writer >= 0 { return writer }
      try #require(errno == ENXIO)
      await Task.yield()
    }
  }

  @Test func referencedFilesAreReloadedToo() async throws {
    let authority = try CertificateAuthority().pem
    let text = Self.named("one").replacing("urls:", with: "request: { ca: ca.pem }, urls:")
    let folder = try TemporaryFolder(["p.yaml": text, "ca.pem": authority])
    let run = try await MonitorRun(["DIR/p.yaml"], in: folder) { monitor in
      monitor.send(.changed(MonitorSamples.online))
      await monitor.output(contains: "online")
      try folder.write("ca.pem", "no certificate")
      monitor.signal(.reload)
      await monitor.errors(contain: "\n")
      try folder.write("ca.pem", authority)
      monitor.signal(.reload)
      await monitor.errors(contain: "reloaded\n")
    }
    #expect(run.plans.map(\.name) == ["one", "one"])
    #expect(run.errors.contains("DIR/p.yaml: is invalid; the previous version stays in use\n"))
    #expect(run.errors.contains("DIR/ca.pem: the file holds no certificate in PEM form"), "\(run.errors)")
  }

  @Test func standardInputIsReadOnce() async throws {
    let run = try await MonitorRun(["-"], input: Self.named("one")) { monitor in
      monitor.signal(.reload)
      await monitor.errors(contain: "standard input")
    }
    #expect(run.plans.map(\.name) == ["one"])
    #expect(
      run.errors == "probekit monitor: the pipeline came from standard input, and cannot be reloaded\n")
  }

  @Test func aProfileIsRestartedOnReload() async throws {
    let run = try await MonitorRun { monitor in
      monitor.signal(.reload)
      await monitor.errors(contain: "reloaded")
    }
    #expect(run.plans.map(\.name) == ["default", "default"])
  }

  @Test func unwatchableInterfacesAreReportedOnce() async throws {
    var state = MonitorSamples.online
    state.pathFailure = PathFailure("no netlink", systemCode: 93)
    let run = try await MonitorRun { [state] monitor in
      monitor.send(.changed(state))
      monitor.send(.changed(state))
      monitor.send(.changed(MonitorSamples.offline))
      await monitor.output(contains: "No Connection")
    }
    #expect(run.errors == "probekit monitor: interfaces and routes cannot be watched: no netlink\n")
  }

  @Test func changesIncludeThePreviousStatus() async throws {
    let run = try await MonitorRun(["--format", "ndjson"]) { monitor in
      monitor.send(.changed(MonitorSamples.determining))
      monitor.send(.changed(MonitorSamples.online))
      monitor.send(.checked(MonitorSamples.check(MonitorSamples.online)))
      monitor.send(.changed(MonitorSamples.offline))
      await monitor.output(contains: "notConnected")
    }
    let previous = run.output.matches(of: /"previousStatus":([^,]*),/).map { String($0.output.1) }
    #expect(previous == ["null", #""determining""#, #""connectedViaWiFi""#])
  }

  @Test func anOutputFailureEndsTheMonitor() async throws {
    let folder = try TemporaryFolder(["p.yaml": Self.named("one")])
    let fake = FakeMonitor()
    var plugins = PluginRegistry()
    try plugins.register(FakeTransport.status(204))
    let command = MonitorCommand(
      plugins: plugins, connectivity: { _, _, _ in fake }, externalEvents: { _ in fake.externalEvents })
    fake.send(.changed(MonitorSamples.online))
    let broken = OutputSink { _ throws(OutputSink.Failure) in throw OutputSink.Failure("Broken pipe") }
    let code = await CommandLineTool(commands: [command]).run(
      arguments: ["monitor", "\(folder.path)/p.yaml"].map { Array($0.utf8) }, output: broken,
      errors: fake.errorOutput.sink())
    #expect(code == .unavailable)
    #expect(fake.errorOutput.text == "probekit: cannot write to standard output: Broken pipe\n")
  }
}
