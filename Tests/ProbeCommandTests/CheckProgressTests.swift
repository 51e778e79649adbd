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

    init() throws {
      var plugins = PluginRegistry()
      let isAnswered = isAnswered
      try plugins.register(
        StubTransport { request in
          while request.url.host == "slow.example", !isAnswered.withLock(\.self) { await Task.yield() }
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

    /// Lets time pass until it has told of the first answer.
    func waitForProgress() async {
      while !errors.text.contains("1/2") {
        await clock.waitForSleeper()
        clock.advance(by: ProgressLine.interval)
      }
      await clock.waitForSleeper()
    }

    func answer() { isAnswered.withLock { $0 = true } }
  }

  @Test func itTellsHowFarItIsAndTakesThatAway() async throws {
    let check = try Waiting()
    await check.waitForProgress()
    #expect(check.errors.text.contains(/\r1\/2 probes, \d+ s\u{1B}\[K$/))
    check.answer()
    #expect(await check.task.value == .success)
    #expect(check.errors.text.hasSuffix(" s\u{1B}[K\r\u{1B}[K"))
    #expect(check.output.text.hasPrefix("online\n"))
  }

  @Test(arguments: [
    (true, "xterm", OutputFormat.text, false, true), (true, "dumb", .text, false, false),
    (true, "xterm", .json, false, false), (true, "xterm", .text, true, false),
    (false, "xterm", .text, false, false),
  ])
  func itIsShownWhereItIsNotInTheWay(
    isTerminal: Bool, term: String, format: OutputFormat, isVerbose: Bool, isShown: Bool
  ) {
    var context = CommandContext(
      output: MemoryOutput().sink(), errors: MemoryOutput().sink(isTerminal: isTerminal),
      input: InputSource(""), environment: ["TERM": term])
    context.format = format
    var options = CheckOptions()
    options.isVerbose = isVerbose
    #expect(CheckCommand.showsProgress(options, in: context) == isShown)
  }
}
