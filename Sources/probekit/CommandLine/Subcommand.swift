import ProbeCore
import ProbeReporting

/// A command of the command line: its specification and its action.
protocol Subcommand: Sendable {
  /// The type of the options.
  associatedtype Options: Sendable
  /// The specification of its command line.
  var spec: CommandSpec<Options> { get }
  /// Runs the command.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode
}

/// The environment of a command, apart from its options.
struct CommandContext: Sendable {
  /// The output for results.
  var output: OutputSink
  /// The output for diagnostics, one per line, and for progress.
  var errors: OutputSink
  /// The input `-`.
  var input: InputSource
  /// The environment.
  var environment: [String: String]
  /// The requested output format.
  var format = OutputFormat.text
  /// Whether results are coloured.
  var usesColor = false
  /// Whether to suppress all output except errors.
  var isQuiet = false
  /// The program.
  var program = Program()
  /// Runs the programs that pipelines name; nil if they are not allowed.
  var programs: (any ProgramHost)?
  /// The command that diagnostics begin with, or nil for the program itself.
  var command: String?

  /// The full name of the command, such as `probekit check`.
  var caller: String { command.map { "\(program.name) \($0)" } ?? program.name }

  /// Whether text for people is limited to ASCII.
  var usesASCII: Bool { !LocaleEncoding.isUTF8(environment) }
  /// The style of text for people on standard output.
  var style: TextStyle { TextStyle(usesColor: usesColor, usesASCII: usesASCII) }

  /// Whether standard error is a terminal on which a line can be overwritten.
  var showsProgress: Bool { !isQuiet && errors.isTerminal && environment["TERM"] != "dumb" }

  /// Reports that the command was interrupted, with its progress, unless the reader has closed the output.
  ///
  /// - Returns: The exit code.
  func interrupted(_ progress: String) -> ExitCode {
    if output.failure?.readerHasGone != true { report("interrupted: \(progress)") }
    return .notOnline
  }

  /// Reports an error in one line.
  func report(_ message: String) {
    errors.writeLine("\(caller): \(style.shown(message))")
  }
}

extension Subcommand {
  /// The name on the command line.
  var name: String { spec.name }
  /// The description of the command for a named program.
  func outline(for program: Program) -> CommandOutline { spec.outline(for: program) }

  /// Prints the help.
  func showHelp(in context: CommandContext) {
    let page = ManualPage(outline(for: context.program), of: context.program)
    context.output.write(TextPage(page, width: context.width, isHelp: true).description)
  }

  /// Parses the arguments, then runs the command, prints the help, or reports all errors.
  func start(
    _ arguments: [(position: Int, argument: RawArgument)], in context: CommandContext
  ) async -> ExitCode {
    let spec = spec
    let parsed = ArgumentParser.parse(arguments, for: spec, of: context.program)
    var context = context
    context.command = spec.name
    context.format = parsed.format
    context.usesColor =
      ColorDecision(
        isTerminal: context.output.isTerminal, choice: parsed.color, environment: context.environment
      ).usesColor
    if parsed.wantsHelp {
      showHelp(in: context)
      return .success
    }
    guard parsed.mistakes.isEmpty else {
      for mistake in parsed.mistakes {
        let lines = mistake.split(separator: "\n")
        context.report(lines.first.map(String.init) ?? "")
        for line in lines.dropFirst() { context.errors.writeLine("  " + line) }
      }
      return .usage
    }
    if parsed.isQuiet {
      context.isQuiet = true
      context.output = OutputSink { _ in }
    }
    return await run(parsed.options, in: context)
  }
}
