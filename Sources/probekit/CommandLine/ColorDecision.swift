/// Whether output is coloured.
struct ColorDecision: Hashable, Sendable {
  /// Whether the output goes to a terminal.
  var isTerminal: Bool
  /// Whether `--no-color` was given.
  var isRefused: Bool
  /// The environment; `NO_COLOR` with any text in it refuses colour (no-color.org), and so does `TERM=dumb`.
  var environment: [String: String]

  /// Colour only on a terminal that can show it, and only when nobody refused it.
  var usesColor: Bool {
    isTerminal && !isRefused && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }
}
