public import ProbeCore

/// The whole command line: every command, over the plugins it is given.
///
/// An executable with plugins of its own is a few lines:
/// ```swift
/// @main struct Main {
///   static func main() async throws {
///     var plugins = try PluginRegistry.bundled
///     try plugins.register(MyValidator.self)
///     await CommandLineTool.main(plugins: plugins)
///   }
/// }
/// ```
public struct CommandLineTool: Sendable {
  private let commands: [any Subcommand]

  /// The command line over these plugins.
  public init(plugins: PluginRegistry) {
    self.init(commands: Self.commands(over: plugins))
  }

  init(commands: [any Subcommand]) {
    self.commands = commands
  }

  /// Runs a command line.
  ///
  /// - Parameters:
  ///   - arguments: The arguments behind the program's name, as the bytes the operating system gave.
  ///   - environment: The environment variables.
  ///   - input: What `-` stands for.
  ///   - output: Where answers go.
  ///   - errors: Where diagnostics go.
  /// - Returns: What to exit with. Output that could not be written is part of it.
  public func run(
    arguments: [[UInt8]], environment: [String: String] = [:], input: InputSource = InputSource(""),
    output: OutputSink, errors: OutputSink
  ) async -> ExitCode {
    let context = CommandContext(output: output, errors: errors, input: input, environment: environment)
    let numbered = arguments.enumerated().map { (position: $0.offset + 1, argument: RawArgument($0.element)) }
    let code = await start(numbered, in: context)
    output.flush()
    guard let failure = output.failure else { return code }
    if failure.readerHasGone { return .brokenPipe }
    context.report("cannot write to standard output: \(failure.message)")
    return ExitCode.worst(of: [code, .unavailable])
  }
}

extension CommandLineTool {
  private func start(
    _ arguments: [(position: Int, argument: RawArgument)], in context: CommandContext
  ) async -> ExitCode {
    guard let first = arguments.first else {
      context.report("no command given: see probekit --help")
      return .usage
    }
    let rest = Array(arguments.dropFirst())
    switch first.argument.text {
    case "--help", "-h":
      context.output.write(help)
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
    context.output.writeLine("probekit \(probeKitVersion)")
    return .success
  }

  private func showHelp(
    _ rest: [(position: Int, argument: RawArgument)], in context: CommandContext
  ) -> ExitCode {
    guard let name = rest.first else {
      context.output.write(help)
      return .success
    }
    guard rest.count == 1 else { return refuse(rest.dropFirst(), in: context) }
    if ["help", "--help", "-h"].contains(name.argument.text) {
      context.output.write(help)
    } else if let command = command(named: name.argument.text) {
      context.output.write(command.help)
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

  /// What is wrong with a word that stands where a command is expected.
  private func mistake(_ item: (position: Int, argument: RawArgument)) -> String {
    if let mistake = item.argument.mistake(at: item.position) { return mistake }
    let word = item.argument.text
    let shown = Excerpt(word.withoutCredentials)
    if word.hasPrefix("-"), word != "-" {
      let nearest = nearestName(to: word, among: ["--help", "--version"])
      return "unknown option \(shown): "
        + (nearest.map { "did you mean \($0)?" } ?? "put options after the command")
    }
    if word.contains("://") { return "unknown command \(shown): to probe a URL, use probekit check" }
    let nearest = nearestName(to: word, among: commands.map(\.name) + ["help"])
    return "unknown command \(shown): " + (nearest.map { "did you mean \($0)?" } ?? "see probekit --help")
  }

  /// The text of `probekit --help`.
  var help: String {
    var help = HelpText(
      usage: "probekit COMMAND [OPTIONS] [ARGUMENTS]",
      summary: "Check whether this network is really open to the Internet, and if not, why")
    help.addList("Commands", commands.map { (name: $0.name, text: $0.summary) })
    help.addList(
      "Options",
      [
        (name: "-h, --help", text: "show this help; for a command, use probekit help COMMAND"),
        (name: "--version", text: "show the version"),
      ])
    help.addList("Exit codes", ExitCode.meanings.map { (name: "\($0.code.rawValue)", text: $0.meaning) })
    return help.description
  }
}
