import ProbeTLS
import ProbeCore
import TestSupport

/// The parameters of a scenario.
struct Scenario: Sendable {
  /// The kinds of scenarios.
  enum Kind: String, CaseIterable {
    case pipelines, exchanges, monitors, reloads, programs

    /// The implementation of the kind.
    fileprivate var scene: any Scene.Type {
      switch self {
      case .pipelines: PipelineScenario.self
      case .exchanges: ExchangeScenario.self
      case .monitors: MonitorScenario.self
      case .reloads: ReloadScenario.self
      case .programs: ProgramScenario.self
      }
    }
  }

  let kind: Kind
  /// The seed for its random choices.
  let seed: UInt64
  let tally: Tally
  /// The transports that live as long as the program.
  let shared: TransportRegistry
  /// The authority of all servers.
  let authority: CertificateAuthority

  /// Runs it to the end, and adds problems to the tally.
  func play() async {
    do {
      var scene = kind.scene.init(scenario: self, numbers: SeededNumbers(seed: seed))
      try await scene.play()
    } catch {
      tally.problem("\(kind.rawValue): failed: \(error)")
    }
  }
}

/// The implementation of one kind of scenario.
protocol Scene {
  /// Prepares the scene; nothing runs before ``play()``.
  ///
  /// - Parameters:
  ///   - scenario: The parameters.
  ///   - numbers: The source of its random choices.
  init(scenario: Scenario, numbers: SeededNumbers)

  /// Plays it, and leaves nothing behind.
  mutating func play() async throws
}

extension SeededNumbers {
  /// Returns true with a probability of one in `times`.
  mutating func once(in times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }

  /// A random number of a range; smaller numbers are more likely.
  mutating func size(_ range: ClosedRange<Int>) -> Int {
    let top = Int.random(in: range, using: &self)
    return Int.random(in: range.lowerBound...top, using: &self)
  }

  /// A random element; there must be at least one.
  mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: choices.indices, using: &self)]
  }

  /// A random time up to this.
  mutating func time(upTo maximum: Duration) -> Duration {
    maximum / 1000 * Int.random(in: 0...1000, using: &self)
  }

  /// An independent generator for a part of the work.
  mutating func branch() -> SeededNumbers { SeededNumbers(seed: next()) }
}

/// Reports when it is deinitialized.
final class LifeToken: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit {
    end()
  }
}
