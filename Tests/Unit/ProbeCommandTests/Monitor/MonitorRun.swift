import BundledPlugins
import ConnectivityMonitor
import Foundation
import ProbeBase
import ProbeCore
import ProbePipeline
import TestSupport

@testable import ProbeCommand
@testable import CommandKit
@testable import ProbeSystem

/// `probekit monitor` in memory, with a simulated network.
struct MonitorRun {
  let code: ExitCode
  let output: String
  let errors: String
  let plans: [ProbePlan]

  /// Runs it until the body has returned; `DIR` in the arguments and in the output means the folder.
  init(
    _ arguments: [String] = [], in folder: TemporaryFolder? = nil, environment: [String: String] = [:],
    isTerminal: Bool = false, input: String = "", while body: (FakeMonitor) async throws -> Void = { _ in }
  ) async throws {
    let fake = FakeMonitor()
    let folder = try folder ?? TemporaryFolder()
    var command = MonitorCommand(plugins: try .bundled)
    command.connectivity = { plan, _, settings in
      fake.use(plan)
      fake.settings.withLock { $0 = settings }
      return fake
    }
    command.externalEvents = { _ in fake.externalEvents }
    command.now = { MonitorSamples.noon }
    let tool = CommandLineTool(commands: [command])
    let bytes = (["monitor"] + arguments).map { Array($0.replacing("DIR", with: folder.path).utf8) }
    let task = Task {
      defer { fake.end() }
      return await tool.run(
        arguments: bytes, environment: environment.inUTF8, input: InputSource(input),
        output: fake.written.sink(isTerminal: isTerminal),
        errors: fake.errorOutput.sink(isTerminal: isTerminal))
    }
    defer { task.cancel() }
    try await body(fake)
    task.cancel()
    code = await task.value
    output = fake.written.text.replacing(folder.path, with: "DIR")
    errors = fake.errorOutput.text.replacing(folder.path, with: "DIR")
    plans = fake.plans.withLock(\.self)
  }
}

/// The monitored object of a test: it reports the events that the test sends.
final class FakeMonitor: MonitoredConnectivity {
  let written = MemoryOutput()
  let errorOutput = MemoryOutput()
  let plans = Guarded<[ProbePlan]>([])
  let settings = Guarded(MonitorSettings())
  let externalEvents: AsyncStream<MonitorEvent>
  private let fromOutside: AsyncStream<MonitorEvent>.Continuation
  private let events: AsyncStream<MonitorEvent>
  private let continuation: AsyncStream<MonitorEvent>.Continuation
  private let hasEnded = Guarded(false)

  init() {
    (externalEvents, fromOutside) = AsyncStream.makeStream()
    (events, continuation) = AsyncStream.makeStream()
  }

  func watch(_ post: @escaping @Sendable (MonitorEvent) -> Void) async {
    for await event in events { post(event) }
  }

  func use(_ plan: ProbePlan) { plans.withLock { $0.append(plan) } }

  /// Sends an event of the monitored object.
  func send(_ event: MonitorEvent) { continuation.yield(event) }

  /// Sends a signal.
  func signal(_ event: MonitorEvent) { fromOutside.yield(event) }

  func end() { hasEnded.withLock { $0 = true } }

  /// Waits until the output contains a text, or has ended.
  func output(contains text: String) async { await wait(for: text, in: written) }

  /// Waits until standard error contains a text.
  func errors(contain text: String) async { await wait(for: text, in: errorOutput) }

  /// Waits until the command has ended without being cancelled.
  func ended() async {
    while !hasEnded.withLock(\.self) { await Task.yield() }
  }

  private func wait(for text: String, in output: MemoryOutput) async {
    while !output.text.contains(text), !hasEnded.withLock(\.self) { await Task.yield() }
  }
}
