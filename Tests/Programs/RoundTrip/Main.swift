import FixtureReplay
import TestSupport

/// Captures every fixture in a folder from its replay, and then the captured fixture once more.
///
/// It prints a line for each difference from the wire, and the number of compared responses at the end. It is a
/// separate program, because for seconds it uses many threads and descriptors, which would disturb tests in
/// the same process.
@main struct Main {
  static func main() async throws {
    let fixtures = FixtureLoader().load(Array(CommandLine.arguments.dropFirst()))
    let trip = try RoundTrip()
    let waits = { @Sendable (loaded: LoadedFixture) in loaded.fixture?.makesClientsWait ?? false }
    // Many that only wait, but few that work: none is to run out of time because of the others.
    let width = Sanitizer.isPresent ? 2 : 6
    async let waiting = outcomes(of: fixtures.filter(waits), width: 16, trip)
    let working = try await outcomes(of: fixtures.filter { !waits($0) }, width: width, trip)
    let outcomes = try await working + waiting
    for outcome in outcomes { outcome.mistakes.forEach { print($0) } }
    let exchanges = outcomes.map(\.exchanges).reduce(0, +)
    print("compared \(fixtures.count) \(exchanges) \(outcomes.map(\.responses).reduce(0, +))")
  }

  /// Makes the round trip with each of the fixtures, several concurrently.
  private static func outcomes(
    of fixtures: [LoadedFixture], width: Int, _ trip: RoundTrip
  ) async throws -> [RoundTrip.Outcome] {
    try await withThrowingTaskGroup(of: RoundTrip.Outcome.self) { group in
      var outcomes: [RoundTrip.Outcome] = []
      for (index, loaded) in fixtures.enumerated() {
        if index >= width, let outcome = try await group.next() { outcomes.append(outcome) }
        group.addTask { try await trip.outcome(of: loaded) }
      }
      for try await outcome in group { outcomes.append(outcome) }
      return outcomes
    }
  }
}
