import ProbeBase
import ProbeCore
import ProbeReporting
import TestRequirements
import TestSupport
import Testing
import TestTransports

@testable import ProbeCommand
@testable import ProbeSystem
@testable import CommandKit

/// The terminal output while `probekit check` is waiting.
@Suite(.patience(minutes: 1)) struct CheckProgressTests {
  /// A check of two URLs, one of which responds on the test's command; standard error is a terminal.
  private struct Waiting {
    let clock = ManualClock()
    let output = MemoryOutput()
    let errors = MemoryOutput()
    let task: Task<ExitCode, Never>
    private let canRespond = Guarded(false)

    init() throws {
      var plugins = PluginRegistry()
      let canRespond = canRespond
      try plugins.register(
        FakeTransport { request in
          while request.url.host == "slow.example", !canRespond.withLock(\.self) { await Task.yield() }
          return ProbeResponse(url: request.url, head: HTTPResponseHead(status: 204))
        })
      let tool = CommandLineTool(commands: [CheckCommand(plugins: plugins, clock: clock)])
      let arguments = ["check", "https://quick.example/", "https://slow.example/"].map { Array($0.utf8) }
      let (output, errors) = (output, errors)
      task = Task {
        await tool.run(
          arguments: arguments, output: output.sink(), errors: errors.sink(isTerminal: true))
      }
    }

    /// Advances the clock until the first response is reported.
    func waitForProgress() async {
      while !errors.text.contains("1/2") {
        await clock.waitForSleeper()
        clock.advance(by: ProgressLine.interval)
      }
      await clock.waitForSleeper()
    }

    func respond() { canRespond.withLock { $0 = true } }
  }

  @Test func progressIsShownAndThenRemoved() async throws {
    let check = try Waiting()
    await check.waitForProgress()
    #expect(check.errors.text.contains(/\r1\/2 probes, \d+ s\u{1B}\[K$/))
    check.respond()
    #expect(await check.task.value == .success)
    #expect(check.errors.text.hasSuffix(" s\u{1B}[K\r\u{1B}[K"))
    #expect(check.output.text.hasPrefix("healthy\n"))
  }

  @Test(arguments: [
    (true, "xterm", [String](), true), (true, "dumb", [], false), (true, "xterm", ["--format=json"], false),
    (true, "xterm", ["--verbose"], false), (false, "xterm", [], false),
  ])
  func progressIsShownOnlyWhereItDoesNotInterfere(
    isTerminal: Bool, term: String, arguments: [String], isShown: Bool
  ) async throws {
    var plugins = PluginRegistry()
    let errors = MemoryOutput()
    try plugins.register(
      FakeTransport { request in
        if isShown {
          for _ in 0..<5000 where !errors.text.contains("0/1 probe") {
            try await Task.sleep(for: .milliseconds(5))
          }
        } else {
          // Long enough for it to be shown.
          try await Task.sleep(for: ProgressLine.delay + ProgressLine.interval * 5)
        }
        return ProbeResponse(url: request.url, head: HTTPResponseHead(status: 204))
      })
    _ = await CommandLineTool(plugins: plugins).run(
      arguments: (["check", "--timeout=60s", "https://h.test/"] + arguments).map { Array($0.utf8) },
      environment: ["TERM": term], output: MemoryOutput().sink(), errors: errors.sink(isTerminal: isTerminal))
    #expect(errors.text.contains("0/1 probe") == isShown, "\(errors.text)")
  }
}
