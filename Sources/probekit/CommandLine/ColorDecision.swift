/// Whether output is coloured.
struct ColorDecision: Hashable, Sendable {
  /// What `--color` was given.
  enum Choice: String, Sendable {
    case auto
    case always
    case never
  }

  /// Whether the output goes to a terminal.
  var isTerminal: Bool
  /// What the command line says.
  var choice: Choice
  /// The environment; `NO_COLOR` with any text in it refuses colour (no-color.org), and so does `TERM=dumb`.
  var environment: [String: String]

  /// What the command line says; without a choice, colour only on a terminal that can show it, unless the environment
  /// refuses it.
  var usesColor: Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto:
      isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
  }
}
