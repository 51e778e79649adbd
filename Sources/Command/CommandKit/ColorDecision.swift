/// Whether output is coloured.
package struct ColorDecision: Hashable, Sendable {
  /// The value of `--color`.
  package enum Choice: String, Sendable {
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
