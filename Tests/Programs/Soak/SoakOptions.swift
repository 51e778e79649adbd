/// The command-line options of the program.
struct SoakOptions {
  /// The seed of all random choices.
  var seed = UInt64.random(in: 0..<1_000_000)
  /// The time in which new rounds are begun.
  var seconds = 60
  /// The only round to be played after the first, or nil for all.
  var round: Int?
  /// The kinds of scenarios to be played, or nil for all.
  var kinds = Scenario.Kind.allCases
  /// How long a round may take, in seconds, before it counts as hung.
  var patience = 300

  /// An error on the command line, in words.
  struct ArgumentError: Error {
    let words: String
  }

  /// Reads `--seed N`, `--seconds N`, `--round N`, `--only KIND` and `--patience N`.
  init(_ arguments: [String]) throws(ArgumentError) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw ArgumentError(words: "\(name) needs a value") }
      if name == "--only" {
        guard let kind = Scenario.Kind(rawValue: value) else {
          throw ArgumentError(words: "--only must be one of \(Scenario.Kind.allCases.map(\.rawValue))")
        }
        kinds = [kind]
        continue
      }
      guard let number = UInt64(value), number < 1 << 40 else {
        throw ArgumentError(words: "\(name) needs a number, not \(value)")
      }
      switch name {
      case "--seed": seed = number
      case "--seconds": seconds = Int(number)
      case "--round": round = Int(number)
      case "--patience": patience = Int(number)
      default: throw ArgumentError(words: "unknown option \(name)")
      }
    }
  }
}
