package import ProbeBase
package import ProbeSystem

/// A command of the command line: its specification and its action.
package protocol Subcommand: Sendable {
  /// The type of the options.
  associatedtype Options: Sendable
  /// The specification of its command line.
  var spec: CommandSpec<Options> { get }
  /// Runs the command.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode
}

/// The environment of a command, apart from its options.
package struct CommandContext: Sendable {
  /// The output for results.
  package var output: OutputSink
  /// The output for diagnostics, one per line, and for progress.
  package var errors: OutputSink
  /// The input `-`.
  package var input: InputSource
  /// The environment.
  package var environment: [String: String]
  /// The requested output format.
  package var format = OutputFormat.text
  /// Whether results are coloured.
  package var usesColor = false
  /// Whether to suppress all output except errors.
  package var isQuiet = false
  /// The program.
  package var program: ToolName
  /// What the commands of a tool share, by its type.
  private var shared: [ObjectIdentifier: any Sendable] = [:]
  /// The command that diagnostics begin with, or nil for the program itself.
  package var command: String?

  /// Creates the context of a tool.
  package init(
    of program: ToolName, output: OutputSink, errors: OutputSink, input: InputSource,
    environment: [String: String]
  ) {
    self.program = program
    self.output = output
    self.errors = errors
    self.input = input
    self.environment = environment
  }

  /// What the commands share of a type; nil for none.
  package subscript<Value: Sendable>(_ type: Value.Type) -> Value? {
    get { shared[ObjectIdentifier(type)] as? Value }
    set { shared[ObjectIdentifier(type)] = newValue }
  }

  /// The full name of the command, such as `probekit check`.
  package var caller: String { command.map { "\(program.name) \($0)" } ?? program.name }

  /// Whether text for people is limited to ASCII.
  package var usesASCII: Bool { !LocaleEncoding.isUTF8(environment) }
  /// The style of text for people on standard output.
  package var style: TextStyle { TextStyle(usesColor: usesColor, usesASCII: usesASCII) }

  /// Whether standard error is a terminal on which a line can be overwritten.
  package var showsProgress: Bool { !isQuiet && errors.isTerminal && environment["TERM"] != "dumb" }

  /// Reports an error in one line.
  package func report(_ message: String) {
    errors.writeLine("\(caller): \(style.shown(message))")
  }
}

extension Subcommand {
  /// The name on the command line.
  package var name: String { spec.name }
  /// The description of the command for a named program.
  package func outline(for program: ToolName) -> CommandOutline { spec.outline(for: program) }

  /// Prints the help.
  package func showHelp(in context: CommandContext) {
    let page = ManualPage(outline(for: context.program), of: context.program)
    context.output.write(TextPage(page, width: context.width, isHelp: true).description)
  }

  /// Parses the arguments, then runs the command, prints the help, or reports all errors.
  package func start(
    _ arguments: [(position: Int, argument: RawArgument)], in context: CommandContext
  ) async -> ExitCode {
    let spec = spec
    let parsed = ArgumentParser.parse(arguments, for: spec, of: context.program.name)
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
