public import ProbeCore
public import CommandKit
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
      context.report("no command given: see \(program.name) --help")
      return .usage
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
        context.report(mistake(first))
        return .usage
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
      context.report(mistake(name))
      return .usage
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
