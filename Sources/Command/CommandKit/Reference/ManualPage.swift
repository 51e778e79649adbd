/// A page of the manual, the source of every format: the help, plain text, a man page and Markdown.
package struct ManualPage: Sendable {
  /// The cell of a row for a key that must be given.
  package static let required = "required"

  /// The topic for `probekit manual`, such as `check`.
  package var topic: String
  /// Its name as a man page, such as `probekit-check`.
  package var name: String
  /// The section of the manual that it belongs to: 1 for commands, 5 for files, 7 for conventions (man-pages(7)).
  package var section: Int
  /// The title, such as `probekit check`.
  package var title: String
  /// The summary in one line, without a final full stop.
  package var summary: String
  /// The synopsis.
  package var usage: [String] = []
  /// The introduction.
  package var description: [String] = []
  package var parts: [Part] = []
  /// Pages on related topics.
  package var related: [Reference] = []
  /// The path of its file in Markdown.
  package var markdownPath: String

  package init(
    topic: String,
    name: String,
    section: Int,
    title: String,
    summary: String,
    usage: [String] = [],
    description: [String] = [],
    parts: [Part] = [],
    markdownPath: String
  ) {
    self.topic = topic
    self.name = name
    self.section = section
    self.title = title
    self.summary = summary
    self.usage = usage
    self.description = description
    self.parts = parts
    self.markdownPath = markdownPath
  }

  package struct Part: Sendable {
    /// Its title, such as `Options`.
    package var title: String
    package var blocks: [Block]
    /// Whether the help of a command includes it.
    package var isInHelp = false

    package init(title: String, blocks: [Block], isInHelp: Bool = false) {
      self.title = title
      self.blocks = blocks
      self.isInHelp = isInHelp
    }
  }

  package enum Block: Sendable {
    case paragraph(String)
    /// Rows with a cell for each title: a term, its explanation, and further cells, which may be empty.
    case table(titles: [String], rows: [[String]])
    /// Command lines or lines of a file, each with its explanation.
    case examples([(code: String, meaning: String)])
  }

  /// Another page.
  package struct Reference: Hashable, Sendable {
    package var topic: String
    package var name: String
    package var section: Int
    package var markdownPath: String
  }

  /// The reference to the page in other pages.
  package var reference: Reference {
    Reference(topic: topic, name: name, section: section, markdownPath: markdownPath)
  }
}

extension ManualPage.Block {
  /// Terms with their explanations.
  package static func list(
    _ terms: String, _ rows: [(term: String, text: String)]
  ) -> Self {
    .table(titles: [terms, "meaning"], rows: rows.map { [$0.term, $0.text] })
  }
}

extension ManualPage {
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
    add("Examples", .examples(examples), isInHelp: true)
    let details = command.options.compactMap { option in option.details.map { (option.name, $0) } }
    add("Details", .list("option", details))
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
    switch block {
    case .table(_, let rows) where rows.isEmpty: return
    case .examples(let examples) where examples.isEmpty: return
    default: parts.append(Part(title: title, blocks: [block], isInHelp: isInHelp))
    }
  }
}

extension ManualPage.Block {
  package static func exitCodes(_ codes: [(code: ExitCode, meaning: String)]) -> Self {
    .list("code", codes.map { ("\($0.code.rawValue)", $0.meaning) })
  }
}
