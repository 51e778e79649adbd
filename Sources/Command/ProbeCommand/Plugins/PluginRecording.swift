import ProbeCore
import ProbeSystem
import CommandKit

/// A plugin whose messages are forwarded and recorded.
struct PluginRecording {
  /// The time for the plugin to end after its input has ended.
  private static let grace = Duration.seconds(2)

  private let program: Program
  private let log: TrafficLog
  private let context: CommandContext

  /// Prepares to record.
  ///
  /// - Parameters:
  ///   - program: The plugin.
  ///   - log: Receives each line.
  ///   - context: The standard input and output, instead of the plugin's.
  init(_ program: Program, _ log: TrafficLog, in context: CommandContext) {
    (self.program, self.log, self.context) = (program, log, context)
  }

  /// Forwards lines until the plugin has ended.
  ///
  /// - Returns: The exit code.
  func run() async -> ExitCode {
    let loop = EventLoop(named: "plugin-record")
    let (endings, ended) = AsyncStream.makeStream(of: (ProgramRun.End, String).self)
    do {
      let plugin = try RunningProgram(starting: program, environment: context.environment, on: loop) {
        [log, output = context.output] event in
        switch event {
        case .line(let line):
          log.add(line, isFromPlugin: true)
          output.write(line + [UInt8(ascii: "\n")])
          output.flush()
        case .ended(let end, let lastError):
          ended.yield((end, lastError))
          ended.finish()
        }
      }
      // The thread blocks until there is input, and ends with the process.
      try WorkerThread(named: "plugin-input") { [self] in passInput(to: plugin) }.detach()
      for await (end, lastError) in endings {
        guard end != .exited(0) else { continue }
        context.report(
          "the plugin \(end.words)\(lastError.isEmpty ? "" : "; its last error output: \(lastError)")")
        return .notOnline
      }
      // Interrupted.
      plugin.end(within: Self.grace)
      return log.failure.map {
        context.report("--output: \($0)")
        return .unavailable
      } ?? .success
    } catch {
      context.report("the plugin could not be started: \(error)")
      return .notOnline
    }
  }

  private func passInput(to plugin: RunningProgram) {
    var rest: [UInt8] = []
    while let bytes = try? context.input.next(), !bytes.isEmpty {
      rest += bytes
      var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      rest = Array(lines.removeLast())
      for line in lines {
        log.add(Array(line), isFromPlugin: false)
        _ = plugin.send(Array(line))
      }
    }
    plugin.end(within: Self.grace)
  }
}
