import Locking
import ProbeCore
import ProbeReporting
import TestSupport
import Testing

@testable import ProbeCommand

/// What a person sees on a terminal while `probekit check` waits.
@Suite(.timeLimit(.minutes(1))) struct CheckProgressTests {
  /// A check of two URLs, of which one answers when the test says so; its standard error is a terminal.
  private struct Waiting {
    let clock = ManualClock()
    let output = MemoryOutput()
    let errors = MemoryOutput()
    let task: Task<ExitCode, Never>
    private let isAnswered = Guarded(false)

    init(_ options: [String], environment: [String: String] = [:]) throws {
      var plugins = PluginRegistry()
      let isAnswered = isAnswered
      try plugins.register(
        StubTransport { request in
          while request.url.host == "slow.example", !isAnswered.withLock(\.self) { await Task.yield() }
          return ProbeResponse(url: request.url, head: HTTPResponseHead(status: 204))
        })
      let tool = CommandLineTool(commands: [CheckCommand(plugins: plugins, clock: clock)])
      let arguments = (["check"] + options + ["https://quick.example/", "https://slow.example/"]).map {
        Array($0.utf8)
      }
      let (output, errors) = (output, errors)
      task = Task {
        await tool.run(
          arguments: arguments, environment: environment, output: output.sink(),
          errors: errors.sink(isTerminal: true))
      }
    }

    /// Lets a little more than a second pass.
    func passASecond() async {
      for _ in 0..<11 {
        await clock.waitForSleeper()
        clock.advance(by: ProgressLine.interval)
      }
      await clock.waitForSleeper()
    }

    func answer() { isAnswered.withLock { $0 = true } }
  }

  @Test func itTellsHowFarItIsAndTakesThatAway() async throws {
    let check = try Waiting([])
    await check.passASecond()
    #expect(check.errors.text == "\r1/2 probes, 1 s\u{1B}[K")
    check.answer()
    #expect(await check.task.value == .success)
    #expect(check.errors.text == "\r1/2 probes, 1 s\u{1B}[K\r\u{1B}[K")
    #expect(check.output.text.hasPrefix("online\n"))
  }

  @Test(arguments: [(["--format=json"], [:]), ([], ["TERM": "dumb"])])
  func whereItWouldBeInTheWayItShowsNothing(_ options: [String], environment: [String: String]) async throws {
    let check = try Waiting(options, environment: environment)
    check.answer()
    #expect(await check.task.value == .success)
    #expect(check.errors.text == "")
  }
}
