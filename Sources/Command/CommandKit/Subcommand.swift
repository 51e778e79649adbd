package import ProbeBase
package import ProbeSystem

/// A command of the command line: its specification and its action.
package protocol Subcommand: Sendable {
  associatedtype Options: Sendable
  /// The specification of its command line.
  var spec: CommandSpec<Options> { get }
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
  package var environment: [String: String]
  package var format = OutputFormat.text
  /// Whether results are coloured.
  package var usesColor = false
  /// Whether to suppress all output except errors.
  package var isQuiet = false
  package var program: ToolName
  /// What the commands of a tool share, by its type.
  private var shared: [ObjectIdentifier: any Sendable] = [:]
  /// The command that diagnostics begin with, or nil for the program itself.
  package var command: String?

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

  /// Reports in one line why the command ends.
  ///
  /// - Returns: The exit code.
  package func ended(_ code: ExitCode, because message: String) -> ExitCode {
    report(message)
    return code
  }
}

extension Subcommand {
  /// The name on the command line.
  package var name: String { spec.name }
  package func outline(for program: ToolName) -> CommandOutline { spec.outline(for: program) }

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

extension CommandContext {
  /// The width of the help: that of the terminal or the value of `COLUMNS`, within readable limits.
  package var width: Int {
    let columns = environment["COLUMNS"].flatMap { Int(text: $0) }.flatMap { $0 > 0 ? $0 : nil }
    let terminal = output.isTerminal ? TerminalSize.ofOutput.columns : TextPage.usualWidth
    return min(max(columns ?? terminal, 40), 100)
  }
}

/// Whether output is coloured.
package struct ColorDecision: Hashable, Sendable {
  /// The value of `--color`.
  package enum Choice: String, CaseIterable, Sendable {
    case auto
    case always
    case never
  }

  /// Whether the output goes to a terminal.
  package var isTerminal: Bool
  /// The choice on the command line.
  package var choice: Choice
  /// The environment; a `NO_COLOR` that is not empty disables colour (no-color.org), and so does `TERM=dumb`.
  package var environment: [String: String]

  /// The choice on the command line; without one, colour is used on a terminal that supports it, unless the environment
  /// disables it.
  package var usesColor: Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto:
      isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
  }
}

/// The encoding of text in the locale that an environment names.
package enum LocaleEncoding {
  /// Whether it is UTF-8; the C and POSIX locale, the default without a variable, uses ASCII.
  ///
  /// It reads the variables of locale(7) without setlocale(3), so that a locale need not be installed.
  package static func isUTF8(_ environment: [String: String]) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    guard let locale = names.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }) else {
      return false
    }
    let withoutModifier = locale.prefix { $0 != "@" }
    // macOS has LC_CTYPE=UTF-8.
    let encoding = withoutModifier.split(separator: ".", maxSplits: 1).last ?? ""
    return encoding.lowercased().filter { $0 != "-" } == "utf8"
  }
}

/// Runs long work that does not check for cancellation, and abandons it when the current task is cancelled.
///
/// The work is cancelled, but not awaited: it must have no important side effects, because the process may
/// end first.
///
/// - Parameter work: The work.
/// - Returns: The result, or nil if the task was cancelled first.
package nonisolated(nonsending) func unlessCancelled<Product: Sendable>(
  _ work: @escaping @Sendable () async -> Product
) async -> Product? {
  let promise = Promise<Product?>()
  let task = Task.detached { promise.fulfill(await work()) }
  return await withTaskCancellationHandler {
    await promise.value()
  } onCancel: {
    promise.fulfill(nil)
    task.cancel()
  }
}
