/// Whether output is coloured.
struct ColorDecision: Hashable, Sendable {
  /// The value of `--color`.
  enum Choice: String, Sendable {
    case auto
    case always
    case never
  }

  /// Whether the output goes to a terminal.
  var isTerminal: Bool
  /// The choice on the command line.
  var choice: Choice
  /// The environment; a `NO_COLOR` that is not empty disables colour (no-color.org), and so does `TERM=dumb`.
  var environment: [String: String]

  /// The choice on the command line; without one, colour is used on a terminal that supports it, unless the environment
  /// disables it.
  var usesColor: Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto:
      isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
  }
}
