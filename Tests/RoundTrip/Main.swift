import FixtureReplay

/// Captures every fixture below a folder from its replay, and the fixture made of that once more.
///
/// Prints a line for everything that is not as on the wire, and at the end how much was compared. A program of its own,
/// because it keeps many threads and descriptors busy for seconds, which tests of the same process would notice.
@main struct Main {
  /// How many fixtures are captured at a time.
  private static let width = 16

  static func main() async throws {
    let fixtures = FixtureLoader().load(Array(CommandLine.arguments.dropFirst()))
    let trip = try RoundTrip()
    var exchanges = 0
    var answers = 0
    try await withThrowingTaskGroup(of: RoundTrip.Outcome.self) { group in
      func note(_ outcome: RoundTrip.Outcome?) {
        guard let outcome else { return }
        for mistake in outcome.mistakes { print(mistake) }
        exchanges += outcome.exchanges
        answers += outcome.answers
      }
      for (index, loaded) in fixtures.enumerated() {
        if index >= width { note(try await group.next()) }
        group.addTask { try await trip.outcome(of: loaded) }
      }
      while let outcome = try await group.next() { note(outcome) }
    }
    print("compared \(fixtures.count) \(exchanges) \(answers)")
  }
}
