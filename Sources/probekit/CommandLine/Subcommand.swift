import ProbeCore
import ProbeReporting

/// One command of the command line: what it understands, and what it does.
protocol Subcommand: Sendable {
  /// Its options, as a value.
  associatedtype Options: Sendable
  /// What it understands.
  var spec: CommandSpec<Options> { get }
  /// Does it.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode
}

/// What a command has to work with, besides its options.
struct CommandContext: Sendable {
  /// Where answers go.
  var output: OutputSink
  /// Where diagnostics go, a line each, and progress.
  var errors: OutputSink
  /// What `-` stands for.
  var input: InputSource
  /// The environment.
  var environment: [String: String]
  /// The form of output asked for.
  var format = OutputFormat.text
  /// Whether answers are coloured.
  var usesColor = false
  /// Whether only the exit code and errors are wanted.
  var isQuiet = false
  /// The program.
  var program = Program()
  /// Runs the programs that pipelines name; nil if they are not allowed.
  var programs: (any ProgramHost)?
  /// The command, for the start of diagnostics, or nil for the program itself.
  var command: String?

  /// How the command is called, such as `probekit check`.
  var caller: String { command.map { "\(program.name) \($0)" } ?? program.name }

  /// Whether people read ASCII alone.
  var usesASCII: Bool { !LocaleEncoding.isUTF8(environment) }
  /// How text for a person is written to standard output.
  var style: TextStyle { TextStyle(usesColor: usesColor, usesASCII: usesASCII) }

  /// Whether standard error is a terminal on which a line can be written over.
  var showsProgress: Bool { !isQuiet && errors.isTerminal && environment["TERM"] != "dumb" }

  /// Tells that the command was interrupted, and how far it had come; who has stopped reading does not want to know.
  ///
  /// - Returns: What to exit with.
  func interrupted(_ progress: String) -> ExitCode {
    if output.failure?.readerHasGone != true { report("interrupted: \(progress)") }
    return .notOnline
  }

  /// Tells what went wrong, in one line.
  func report(_ message: String) {
    errors.writeLine("\(caller): \(style.shown(message))")
  }
}

extension Subcommand {
  /// The word that calls it.
  var name: String { spec.name }
  /// What there is to say of it, in the words of a program.
  func outline(for program: Program) -> CommandOutline { spec.outline(for: program) }

  /// Shows the help.
  func showHelp(in context: CommandContext) {
    let page = ManualPage(outline(for: context.program), of: context.program)
    context.output.write(TextPage(page, width: context.width, isHelp: true).description)
  }

  /// Reads the arguments, then runs, or shows the help, or tells everything that is wrong.
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
