import ProbeBase
import ProbeCore
import ProbePipeline
import TestSupport

/// One run of a random pipeline, and its fate.
struct RandomRun: Sendable {
  /// The fate of a run.
  enum Fate: Sendable {
    case whole
    case cancelled(after: Duration)
    /// It is not awaited.
    case abandoned
  }

  private let questions: [Question]
  private let plan: ProbePlan
  private let runner: PipelineRunner
  private let fate: Fate
  private let reportsProgress: Bool
  private let rules: RunRules

  /// A run over these servers.
  init(
    _ worlds: Worlds, _ transports: TransportRegistry, isDisturbed: Bool, _ numbers: inout SeededNumbers
  ) throws {
    let routing = numbers.pick(Question.Routing.allCases)
    let concurrency = numbers.pick([1, 4, 16, 64, 64, 256, 512])
    let count = numbers.size(1...min(2000, 40 * concurrency))
    var questions: [Question] = []
    for _ in 0..<count { questions.append(try Question(worlds, routing, &numbers)) }
    var limits = RunLimits(concurrency: concurrency, perHost: numbers.pick([1, 8, 64, 512]))
    if numbers.once(in: 4) { limits.deadline = .milliseconds(1) + numbers.time(upTo: .seconds(2)) }
    var sets: [PlannedSet] = []
    var rest = questions[...]
    while !rest.isEmpty {
      let part = rest.prefix(numbers.once(in: 2) ? rest.count : numbers.size(1...rest.count))
      rest = rest.dropFirst(part.count)
      var set = PlannedSet(name: "s\(sets.count)", probes: part.map(\.planned))
      set.threshold = numbers.pick([.all, try .percent(50), try .count(1)])
      if !sets.isEmpty, numbers.once(in: 4) { set.start = .undecided }
      sets.append(set)
    }
    let stopsEarly = numbers.once(in: 4)
    plan = try ProbePlan(
      name: "soak", policy: .plaintextAllowed, sets: sets, run: limits, stopsEarly: stopsEarly)
    runner = PipelineRunner(routing == .rules ? transports : worlds.routed(transports))
    switch Int.random(in: 0..<6, using: &numbers) {
    case 0, 1: fate = .cancelled(after: numbers.once(in: 6) ? .zero : numbers.time(upTo: .milliseconds(800)))
    case 2: fate = .abandoned
    default: fate = .whole
    }
    reportsProgress = numbers.once(in: 2)
    self.questions = questions
    rules = RunRules(
      isCancelled: fate.isCancelled, hasDeadline: limits.deadline != nil,
      mayBeDecided: stopsEarly || sets.contains { $0.start == .undecided }, isDisturbed: isDisturbed)
  }

  /// Runs it, and checks the result.
  ///
  /// - Parameters:
  ///   - tally: Receives the counts and the problems.
  ///   - token: Released when nothing of the run is left.
  func play(_ tally: Tally, holding token: LifeToken) async {
    let reported = Guarded([ProbeResult?](repeating: nil, count: questions.count))
    let progress: @Sendable (Int, ProbeResult) -> Void = { [token] index, result in
      _ = token
      let isFirst = reported.withLock { reported in
        defer { reported[index] = result }
        return reported[index] == nil
      }
      if !isFirst { tally.problem("probe \(index) of \(result.url) was reported twice") }
    }
    let work: @Sendable () async -> Void = { [token] in
      _ = token
      let result = await runner.run(plan, progress: reportsProgress ? progress : nil)
      count(tally)
      judge(result, reportsProgress ? reported.withLock(\.self) : nil, tally)
    }
    let task = Task { await work() }
    switch fate {
    case .abandoned: return
    case .whole: break
    case .cancelled(let delay):
      if delay > .zero { try? await Task.sleep(for: delay) }
      task.cancel()
    }
    await task.value
  }

  private func count(_ tally: Tally) {
    tally.add(1, .runs)
    tally.add(questions.count, .probes)
    if plan.run.deadline != nil { tally.add(1, .deadlines) }
    switch fate {
    case .whole: tally.add(1, .whole)
    case .cancelled: tally.add(1, .cancelled)
    case .abandoned: tally.add(1, .abandoned)
    }
  }

  private func judge(_ run: RunResult, _ reported: [ProbeResult?]?, _ tally: Tally) {
    let results = run.sets.flatMap(\.probes)
    guard results.count == questions.count else {
      return tally.problem("\(questions.count) probes have \(results.count) results")
    }
    for (index, (question, result)) in zip(questions, results).enumerated() {
      tally.add(ending: "\(result.outcome.rawValue) \(result.reason?.rawValue ?? "-")")
      if let words = rules.objection(to: result, question) { tally.problem(words) }
      guard let reported else { continue }
      if let seen = reported[index] {
        if seen.outcome != result.outcome || seen.reason != result.reason {
          tally.problem("\(result.url) was reported as \(seen.outcome), but is \(result.outcome)")
        }
      } else if result.outcome != .skipped {
        tally.problem("\(result.url) is \(result.outcome), but was not reported")
      }
    }
  }
}

extension RandomRun.Fate {
  /// Whether it is cancelled.
  fileprivate var isCancelled: Bool {
    if case .cancelled = self { return true }
    return false
  }
}
