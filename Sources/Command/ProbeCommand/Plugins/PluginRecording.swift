import CommandKit
import FoundationEssentials
import Glibc
import ProbeBase
import ProbeCore
import ProbeJSON
import ProbeSystem

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
        let output = lastError.isEmpty ? "" : "; its last error output: \(lastError)"
        return context.ended(.notOnline, because: "the plugin \(end.words)\(output)")
      }
      // Interrupted.
      plugin.end(within: Self.grace)
      return log.failure.map { context.ended(.unavailable, because: "--output: \($0)") } ?? .success
    } catch {
      return context.ended(.notOnline, because: "the plugin could not be started: \(error)")
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

/// A log of the messages of a plugin: a file with one JSON object on each line.
final class TrafficLog: Sendable {
  private let output: OutputDescriptor
  private let problem = Guarded<String?>(nil)

  /// Opens the file; a new file is readable only by its owner.
  ///
  /// - Throws: `InvalidInput` with the system's error message.
  init(_ path: String) throws(InvalidInput) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw InvalidInput("\(Excerpt(path, limit: 200)) cannot be written: \(reason.lowercased())")
    }
    output = OutputDescriptor(descriptor, isOwned: true)
  }

  /// Adds a line.
  ///
  /// - Parameters:
  ///   - line: The line; one that is not JSON is added as a text.
  ///   - isFromPlugin: Whether the plugin wrote it.
  func add(_ line: [UInt8], isFromPlugin: Bool) {
    let time = Date().inUTCWithMilliseconds
    let text = String(decoding: line, as: UTF8.self)
    let isMessage = (try? JSONParser(maximumLength: line.count).value(of: line)) != nil
    let content = isMessage ? "\"message\":\(text)" : "\"text\":\(text.quotedInJSON)"
    let entry = "{\"time\":\"\(time)\",\"from\":\"\(isFromPlugin ? "plugin" : "probekit")\",\(content)}\n"
    do throws(OutputSink.Failure) { try output.write(Array(entry.utf8)) } catch {
      problem.withLock { $0 = $0 ?? error.message }
    }
  }

  /// The reason why a line could not be written, or nil.
  var failure: String? { problem.withLock(\.self) }
}
