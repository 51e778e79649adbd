import Glibc
public import ProbeCore
import CommandKit
import ProbeSystem

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
    if let shortage = StartingResources.shortage {
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

/// The standard streams of this process.
private struct StandardStreams: Sendable {
  let input: InputSource
  let output: OutputSink
  let errors: OutputSink

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
