import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import ProbePipeline

/// Compares the state machine with a model that is simple enough to be obviously correct.
@Suite struct RunStateModelTests {
  /// Repeatedly starts the first probe of the plan that may start.
  private struct Model {
    let hosts: [Int]
    let limits: RunLimits
    var waiting: [Int]
    var running: Set<Int> = []

    init(hosts: [Int], limits: RunLimits) {
      self.hosts = hosts
      self.limits = limits
      waiting = Array(hosts.indices)
    }

    mutating func start() -> [Int] {
      var started: [Int] = []
      while running.count < limits.concurrency,
        let position = waiting.firstIndex(where: { mayStart($0) })
      {
        let index = waiting.remove(at: position)
        running.insert(index)
        started.append(index)
      }
      return started
    }

    private func mayStart(_ index: Int) -> Bool {
      running.count { hosts[$0] == hosts[index] } < limits.perHost
    }
  }

  @Test(arguments: 0..<300) func everyRunStartsTheSameProbesAsTheModel(_ seed: Int) throws {
    var random = SeededNumbers(seed: UInt64(seed))
    let hosts = (0..<Int.random(in: 0...40, using: &random)).map { _ in
      Int.random(in: 0...Int.random(in: 0...5, using: &random), using: &random)
    }
    let limits = RunLimits(
      concurrency: Int.random(in: 1...10, using: &random), perHost: Int.random(in: 1...4, using: &random))
    let stopAfter = Int.random(in: 0...60, using: &random)
    let probes = try hosts.map { try probe("http://host\($0).example/") }

    var model = Model(hosts: hosts, limits: limits)
    var state = RunState(probes, limits: limits)
    var actions = state.start()
    var events = 0
    var expected = model.start().map(RunState.Action.start)
    while true {
      if model.running.isEmpty { expected.append(.finish) }
      #expect(actions == expected)
      guard let finishing = model.running.sorted().randomElement(using: &random) else { break }
      events += 1
      if events == stopAfter, !model.running.isEmpty {
        #expect(state.deadlinePassed() == model.running.sorted().map(RunState.Action.cancel))
        model.waiting = []
      }
      model.running.remove(finishing)
      actions = state.finished(finishing, ProbeResult(url: "\(finishing)", outcome: .accepted))
      expected = model.start().map(RunState.Action.start)
    }
    #expect(state.results.count == hosts.count)
    for (index, result) in state.results.enumerated() where result.outcome == .accepted {
      #expect(result.url == "\(index)")
    }
  }

  @Test(.heavy, .serialized, .patience(minutes: 1), arguments: [1, 10, 1000])
  func aHundredThousandProbesFinish(_ hostCount: Int) throws {
    let probes = try manyProbes(100_000, hosts: hostCount)
    var state = RunState(probes, limits: RunLimits())
    var pending = state.start()
    var finished = 0
    while let action = pending.popLast() {
      switch action {
      case .start(let index):
        finished += 1
        pending += state.finished(index, ProbeResult(url: "", outcome: .accepted))
      case .cancel, .requestCapport, .cancelCapport, .beginGrace: Issue.record("nothing is to be cancelled")
      case .finish: #expect(finished == 100_000)
      }
    }
    #expect(state.results.count == 100_000)
  }
}
