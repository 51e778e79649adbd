extension ManualPage {
  /// The page of a command.
  package init(_ command: CommandOutline, of program: ToolName) {
    let arguments = command.arguments.map { " " + $0.usage }.joined()
    self.init(
      topic: command.name, name: "\(program.name)-\(command.name)", section: 1,
      title: "\(program.name) \(command.name)", summary: command.summary,
      usage: ["\(program.name) \(command.name) [OPTIONS]\(arguments)"], description: command.discussion,
      markdownPath: "cli/\(command.name).md")
    add("Arguments", .list("argument", command.arguments.map { ($0.name, $0.help) }), isInHelp: true)
    add("Options", .list("option", command.options.map { ($0.signature, $0.explanation) }), isInHelp: true)
    add("Exit status", .exitCodes(command.exitCodes), isInHelp: true)
    let examples = command.examples.map { (code: "\(program.name) \($0.arguments)", meaning: $0.meaning) }
    if !examples.isEmpty {
      parts.append(Part(title: "Examples", blocks: [.examples(examples)], isInHelp: true))
    }
    add(
      "Environment", .list("variable", (command.environment + Self.environment).map { ($0.name, $0.meaning) })
    )
  }

  /// The variables that every command reads.
  package static let environment: [(name: String, meaning: String)] = [
    ("NO_COLOR", "no colour, if set and not empty, unless --color says otherwise"),
    ("TERM", "no colour and no progress, if it is dumb"),
    (
      "LC_ALL, LC_CTYPE, LANG",
      "the first that is set names the locale; unless it is one of UTF-8, text is in ASCII"
    ),
    ("COLUMNS", "the width of the help, from 40 to 100, instead of the width of the terminal"),
    ("TZ", "the time zone in which times are shown"),
  ]

  /// Adds a part with one block, unless it is empty.
  package mutating func add(_ title: String, _ block: Block, isInHelp: Bool = false) {
    if case .table(_, let rows) = block, rows.isEmpty { return }
    parts.append(Part(title: title, blocks: [block], isInHelp: isInHelp))
  }
}

extension ManualPage.Block {
  /// Exit codes and their meanings.
  package static func exitCodes(_ codes: [(code: ExitCode, meaning: String)]) -> Self {
    .list("code", codes.map { ("\($0.code.rawValue)", $0.meaning) })
  }
}
