internal import Glibc
public import CommandKit
public import ProbeCore
public import ProbeSystem

/// The command line with all commands and a set of plugins.
///
/// A custom executable with its own name and plugins needs only a few lines:
/// ```swift
/// @main struct Main {
///   static func main() async throws {
///     var plugins = try PluginRegistry.bundled
///     try plugins.register(MyValidator.self)
///     await CommandLineTool.main(name: "shopprobe", version: "1.4", plugins: plugins)
///   }
/// }
/// ```
public struct CommandLineTool: Sendable {
  private let program: ToolName
  private let commands: [any Subcommand]

  /// Creates a command line that uses these plugins.
  ///
  /// - Parameters:
  ///   - name: The name of the program, for its help, its messages and its manual.
  ///   - version: The version of the program.
  ///   - plugins: The plugins to probe with.
  public init(name: String = "probekit", version: String = probeKitVersion, plugins: PluginRegistry) {
    let program = ToolName(name: name, version: version)
    self.init(program, commands: Self.commands(over: plugins, of: program))
  }

  init(_ program: ToolName = ToolName(version: probeKitVersion), commands: [any Subcommand]) {
    self.program = program
    self.commands = commands
  }

  /// Runs a command line.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the program's name, as the bytes from the operating system.
  ///   - environment: The environment variables.
  ///   - input: The input `-`.
  ///   - output: The output for results.
  ///   - errors: The output for diagnostics.
  /// - Returns: The exit code, which also reflects output that could not be written.
  public func run(
    arguments: [[UInt8]], environment: [String: String] = [:], input: InputSource = InputSource(""),
    output: OutputSink, errors: OutputSink
  ) async -> ExitCode {
    let context = CommandContext(
      of: program, output: output, errors: errors, input: input, environment: environment)
    let numbered = arguments.enumerated().map { (position: $0.offset + 1, argument: RawArgument($0.element)) }
    let code = await start(numbered, in: context)
    output.flush()
    guard let failure = output.failure else { return code }
    if failure.readerHasGone { return .brokenPipe }
    // A slow reader may have caused the output failure: the interruption takes precedence.
    if code == .interrupted { return code }
    context.report("cannot write to standard output: \(failure.message)")
    return ExitCode.worst(of: [code, .unavailable])
  }
}

extension CommandLineTool {
  private func start(
    _ arguments: [(position: Int, argument: RawArgument)], in context: CommandContext
  ) async -> ExitCode {
    guard let first = arguments.first else {
      return context.ended(.usage, because: "no command given: see \(program.name) --help")
    }
    let rest = Array(arguments.dropFirst())
    switch first.argument.text {
    case "--help", "-h":
      showHelp(in: context)
      return .success
    case "--version":
      return showVersion(rest, in: context)
    case "help":
      return showHelp(rest, in: context)
    default:
      guard let command = command(named: first.argument.text) else {
        return context.ended(.usage, because: mistake(first))
      }
      return await command.start(rest, in: context)
    }
  }

  private func showVersion(
    _ rest: [(position: Int, argument: RawArgument)], in context: CommandContext
  ) -> ExitCode {
    guard rest.isEmpty else { return refuse(rest, in: context) }
    context.output.writeLine(program.versionLine)
    context.output.writeLine(BuildVersion.libraries)
    return .success
  }

  private func showHelp(
    _ rest: [(position: Int, argument: RawArgument)], in context: CommandContext
  ) -> ExitCode {
    guard let name = rest.first else {
      showHelp(in: context)
      return .success
    }
    guard rest.count == 1 else { return refuse(rest.dropFirst(), in: context) }
    if ["help", "--help", "-h"].contains(name.argument.text) {
      showHelp(in: context)
    } else if let command = command(named: name.argument.text) {
      command.showHelp(in: context)
    } else {
      return context.ended(.usage, because: mistake(name))
    }
    return .success
  }

  private func refuse(
    _ arguments: some Sequence<(position: Int, argument: RawArgument)>, in context: CommandContext
  ) -> ExitCode {
    for item in arguments {
      context.report("unexpected argument \(Excerpt(item.argument.text.withoutCredentials))")
    }
    return .usage
  }

  private func command(named name: String) -> (any Subcommand)? {
    commands.first { $0.name == name }
  }

  /// The error for an unknown command.
  private func mistake(_ item: (position: Int, argument: RawArgument)) -> String {
    if let mistake = item.argument.mistake(at: item.position) { return mistake }
    let word = item.argument.text
    let shown = Excerpt(word.withoutCredentials)
    if word.hasPrefix("-"), word != "-" {
      let nearest = nearestName(to: word, among: ["--help", "--version"])
      return "unknown option \(shown): "
        + (nearest.map { "did you mean \($0)?" } ?? "put options after the command")
    }
    if word.contains("://") { return "unknown command \(shown): to probe a URL, use \(program.name) check" }
    if Manual.fileTopics.contains(word) {
      return "unknown command \(shown): for the manual page, use \(program.name) manual \(word)"
    }
    let nearest = nearestName(to: word, among: commands.map(\.name) + ["help"])
    return "unknown command \(shown): "
      + (nearest.map { "did you mean \($0)?" } ?? "see \(program.name) --help")
  }

  private func showHelp(in context: CommandContext) {
    let page = ManualPage(program, commands: commands.map { $0.outline(for: program) })
    context.output.write(TextPage(page, width: context.width, isHelp: true).description)
  }
}

extension CommandLineTool {
  /// Runs the command line of this process, and ends the process with its exit code.
  ///
  /// It clears the environment of the process, so that no variable affects a library. A plugin, or a program
  /// that starts its own threads, must read the variables that it needs before this call.
  ///
  /// - Parameters:
  ///   - name: The name of the program, for its help, its messages and its manual.
  ///   - version: The version of the program.
  ///   - plugins: The plugins to probe with.
  public static func main(
    name: String = "probekit", version: String = probeKitVersion, plugins: PluginRegistry
  ) async -> Never {
    // If a peer or a reader has closed its end, only the write fails. For standard output, this also ends the
    // command, but after a cleanup.
    let earlier = signal(SIGPIPE, SIG_IGN)
    let environment = ProcessEnvironment.take()
    // This comes first, because the first thread of the runtime opens descriptors.
    let streams = StandardStreams(handlesBrokenPipe: !Interruption.isIgnored(earlier))
    if let shortage = StartupCheck.shortage {
      streams.errors.write("\(name): \(shortage)\n")
      exit(ExitCode.unavailable.rawValue)
    }
    let tool = CommandLineTool(name: name, version: version, plugins: plugins)
    let (code, signal) = await Interruption.watch { await tool.run(over: streams, environment) }
    // A command that serves until it is stopped has succeeded; a scan has a separate exit code, because its caller may
    // start it again.
    if let signal, code != .success, code != .interrupted { Interruption.end(by: signal) }
    if code == .brokenPipe { Interruption.end(by: SIGPIPE) }
    exit(code.rawValue)
  }

  /// Runs off the main actor, so that the calls of a probe do not return to it.
  @concurrent
  private func run(over streams: StandardStreams, _ environment: [String: String]) async -> ExitCode {
    await run(
      arguments: Self.processArguments, environment: environment,
      input: streams.input, output: streams.output, errors: streams.errors)
  }

  /// The arguments after the program's name as bytes: `CommandLine.arguments` would repair invalid UTF-8.
  private static var processArguments: [[UInt8]] {
    (1..<max(1, Int(widening: CommandLine.argc))).compactMap { index in
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
      let length = unsafe strlen(argument)
      return unsafe UnsafeRawBufferPointer(start: argument, count: length).map { $0 }
    }
  }
}

private struct StandardStreams: Sendable {
  let input: InputSource
  let output: OutputSink
  let errors: OutputSink

  /// Takes the standard streams of the process, and opens those that are closed on /dev/null.
  ///
  /// - Parameter handlesBrokenPipe: Whether the command ends when the reader of its output ends. If SIGPIPE was
  ///   ignored at startup, as under a service manager, a failed write is reported instead.
  init(handlesBrokenPipe: Bool) {
    // Otherwise, the next socket could reuse the descriptor of a closed stream, and the report would be sent
    // to the network.
    let closed = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].filter { descriptor in
      guard fcntl(descriptor, F_GETFD) == -1 else { return false }
      return unsafe open("/dev/null", O_RDWR) >= 0
    }
    input = InputSource { () throws(InvalidInput) in
      if closed.contains(STDIN_FILENO) { throw InvalidInput("standard input is closed") }
      return try Self.read(STDIN_FILENO)
    }
    output = Self.sink(STDOUT_FILENO, isClosed: closed.contains(STDOUT_FILENO), bufferSize: 1 << 16) {
      failure in
      guard failure.readerHasGone else { return failure }
      if handlesBrokenPipe { Interruption.cancel(by: SIGPIPE) }
      return OutputSink.Failure(failure.message, readerHasGone: handlesBrokenPipe)
    }
    errors = Self.sink(STDERR_FILENO, isClosed: closed.contains(STDERR_FILENO), bufferSize: 0) { $0 }
  }

  private static func sink(
    _ descriptor: Int32, isClosed: Bool, bufferSize: Int,
    failing: @escaping @Sendable (OutputSink.Failure) -> OutputSink.Failure
  ) -> OutputSink {
    let output = OutputDescriptor(descriptor)
    return OutputSink(isTerminal: !isClosed && isatty(descriptor) == 1, bufferSize: bufferSize) {
      bytes throws(OutputSink.Failure) in
      if isClosed { throw OutputSink.Failure("it is closed") }
      do throws(OutputSink.Failure) { try output.write(bytes) } catch {
        throw failing(error)
      }
    }
  }

  private static func read(_ descriptor: Int32) throws(InvalidInput) -> [UInt8] {
    while true {
      // A blocking read from a terminal would not notice an interruption.
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&event, 1, 100)
      if Task.isCancelled { throw InvalidInput("reading standard input was cancelled") }
      if ready == 0 || (ready < 0 && errno == EINTR) { continue }
      var count = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, initialized in
        count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        initialized = max(count, 0)
      }
      if count >= 0 { return bytes }
      if errno == EINTR { continue }
      throw InvalidInput("cannot read standard input: \(unsafe String(cString: strerror(errno)))")
    }
  }
}
