import BundledPlugins
import ProbeTLS
import ProbeCore
import TestSupport

/// Rounds of scenarios, several at a time; checks after each round that nothing is left of it.
struct Soak {
  private let options: SoakOptions
  private let tally = Tally()
  private let shared: TransportRegistry
  private let authority: CertificateAuthority
  private let watch: Watch
  private var quiet: QuietTimes

  /// Creates a soak that has played no round.
  init(_ options: SoakOptions) throws {
    self.options = options
    shared = try PluginRegistry.bundled.transports
    quiet = QuietTimes(loops: Self.threads(of: shared).count)
    authority = try CertificateAuthority(name: "Soak")
    watch = Watch(tally, patience: .seconds(options.patience))
  }

  /// Plays rounds until the time is over.
  ///
  /// - Returns: Whether there was no problem.
  mutating func run() async throws -> Bool {
    Report.line("soak: seed \(options.seed), \(options.seconds) s, at most \(options.patience) s per round")
    try watch.start()
    let end = ContinuousClock.now + .seconds(options.seconds)
    // The first rounds create everything that exists once per process; each of the shared threads is started
    // here, not only when there is enough work for it.
    for thread in Self.threads(of: shared) { await Task(executorPreference: thread) {}.value }
    for round in 0..<QuietTimes.warmUp { try await play(round) }
    if let round = options.round {
      try await play(round)
    } else {
      var round = QuietTimes.warmUp
      while ContinuousClock.now < end, tally.problems.count == 0 {
        try await play(round)
        round += 1
      }
    }
    watch.stop()
    for words in quiet.growth { tally.problem(words) }
    return summary()
  }

  /// The threads of the transports' connections.
  private static func threads(of transports: TransportRegistry) -> [any TaskExecutor] {
    transports[.https]?.executors ?? []
  }

  private mutating func play(_ round: Int) async throws {
    var numbers = SeededNumbers(seed: options.seed &* 1_000_003 &+ UInt64(round))
    // All kinds during the warm-up, then random mixtures.
    var kinds = options.kinds
    if round >= QuietTimes.warmUp {
      kinds = (0..<Int.random(in: 1...5, using: &numbers)).map { _ in numbers.pick(options.kinds) }
    }
    let scenarios = kinds.map { kind in
      Scenario(kind: kind, seed: numbers.next(), tally: tally, shared: shared, authority: authority)
    }
    let words = "round \(round), \(kinds.map(\.rawValue).joined(separator: " + "))"
    tally.enter(words)
    watch.begin(words)
    await withDiscardingTaskGroup { group in
      for scenario in scenarios { group.addTask { await scenario.play() } }
    }
    tally.add(1, .rounds)
    if ProgramScenario.hasChildren { tally.problem("a program is left, running or as a zombie") }
    watch.begin("\(words), what is left of it")
    if let left = await quiet.note(round) { tally.problem(left) }
  }

  private func summary() -> Bool {
    let problems = tally.problems
    Report.line("soak: \(tally.counts)")
    Report.line("soak: results of probes in runs: \(tally.endings)")
    Report.line("soak: \(quiet.words)")
    for problem in problems.first { Report.line("soak: ERROR: \(problem)") }
    guard problems.count > 0 else {
      Report.line("soak: no errors")
      return true
    }
    Report.line(
      "soak: \(problems.count) errors; to repeat: soak --seed \(options.seed) --round N, or without --round"
    )
    return false
  }
}
