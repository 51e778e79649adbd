import PortalAnalysis
import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import ProbePipeline

/// Compares runs of random plans, with events in random order, with a model that knows each probe's result.
@Suite(.heavy) struct RunVerdictModelTests {
  /// A plan with the result of each probe.
  private struct Case {
    let plan: ProbePlan
    let results: [ProbeResult]
    let capport: CapportResult?

    init(_ random: inout SeededNumbers) throws {
      let letters = ["a", "b", "c", "d"]
      let url = try ProbeURL("https://api.example/")
      let requestsCapport = Bool.random(using: &random)
      var sets: [PlannedSet] = []
      for index in 0..<Int.random(in: 1...4, using: &random) {
        let count = Int.random(in: 1...4, using: &random)
        sets.append(
          PlannedSet(
            name: letters[index],
            threshold: Bool.random(using: &random)
              ? try .count(Int.random(in: 1...count, using: &random))
              : try .percent([1, 34, 50, 67, 100].randomElement(using: &random) ?? 1),
            required: index == 0 || Int.random(in: 0..<3, using: &random) > 0,
            start: index > 0 && Int.random(in: 0..<3, using: &random) == 0 ? .undecided : .always,
            probes: try (0..<count).map {
              let scheme = Int.random(in: 0..<3, using: &random) == 0 ? "https" : "http"
              return try probe("\(scheme)://www.h\((index + $0) % 5).example/")
            }))
      }
      let rules = try (0..<Int.random(in: 1...4, using: &random)).map { _ in
        DecisionRule(
          when: try Self.condition(sets, requestsCapport, depth: 2, &random),
          Verdict.allCases.filter { $0.question == .internet }.randomElement(using: &random) ?? .online)
      }
      let decide = Bool.random(using: &random) ? rules : nil
      plan = try ProbePlan(
        name: "model", policy: .plaintextAllowed, sets: sets,
        success: [.all, try .count(1), try .percent(50)].randomElement(using: &random) ?? .all,
        run: RunLimits(
          concurrency: Int.random(in: 1...6, using: &random), perHost: Int.random(in: 1...4, using: &random)),
        capport: requestsCapport ? url : nil, decide: decide,
        stopsEarly: Int.random(in: 0..<3, using: &random) > 0)
      let isStated = Bool.random(using: &random)
      func portal(of probe: PlannedProbe, _ random: inout SeededNumbers) throws -> ResponseAnalysis {
        let number = Int.random(in: 0..<9, using: &random)
        let own = "login.\(try ProbeURL(probe.url).host)"
        let host = Int.random(in: 0..<4, using: &random) == 0 ? own : "login\(number / 6).example"
        return ResponseAnalysis(
          .login,
          portal: Portal(
            loginURL: try ProbeURL("http://\(host)/?\(number)"), source: number % 3 == 0 ? .form : .location),
          signs: [ResponseSign(.portal, 3, "it leads there")], isStated: isStated)
      }
      let kinds = [
        ProbeResult(url: "", outcome: .accepted),
        ProbeResult(url: "", outcome: .accepted),
        ProbeResult(url: "", outcome: .failed, reason: .connectRefused),
        ProbeResult(url: "", outcome: .failed, reason: .certificateExpired),
        ProbeResult(url: "", outcome: .intercepted, reason: .bodyMismatch),
        ProbeResult(url: "", outcome: .intercepted, reason: .httpStatus),
        ProbeResult(url: "", outcome: .failed, reason: .httpStatus),
      ]
      // Mostly without interception, which would decide nearly every run.
      let last = [3, 3, 4, 6].randomElement(using: &random) ?? 3
      results = try plan.probes.map { probe in
        let kind = Int.random(in: 0...last, using: &random)
        var result = kinds[kind]
        if kind > 4 { result.analysis = try portal(of: probe, &random) }
        result.url = probe.url
        return result
      }
      let capportResults = [
        CapportResult(of: url, CapportDocument(captive: true)),
        CapportResult(of: url, CapportDocument(captive: false)),
        CapportResult(of: url, unavailable: .connectRefused, "refused"),
      ]
      capport = requestsCapport ? capportResults.randomElement(using: &random) : nil
    }

    private static func condition(
      _ sets: [PlannedSet], _ requestsCapport: Bool, depth: Int, _ random: inout SeededNumbers
    ) throws -> DecisionCondition {
      let set = sets.randomElement(using: &random) ?? sets[0]
      let outcome = Outcome.allCases.randomElement(using: &random) ?? .accepted
      func parts(_ random: inout SeededNumbers) throws -> [DecisionCondition] {
        try (0..<Int.random(in: 1...3, using: &random)).map { _ in
          try condition(sets, requestsCapport, depth: depth - 1, &random)
        }
      }
      switch Int.random(in: depth > 0 ? 0...8 : 3...8, using: &random) {
      case 0: return .all(try parts(&random))
      case 1: return .any(try parts(&random))
      case 2: return .not(try condition(sets, requestsCapport, depth: depth - 1, &random))
      case 3: return .met(set: set.name, Bool.random(using: &random))
      case 4: return .outcome(set: set.name, outcome, .any)
      case 5: return .outcome(set: set.name, outcome, .all)
      case 6:
        return .outcome(
          set: set.name, outcome, .atLeast(Int.random(in: 1...set.probes.count, using: &random)))
      case 7 where requestsCapport:
        let state = CapportState.allCases.randomElement(using: &random) ?? .open
        return Bool.random(using: &random)
          ? .capport(state) : .all([.capport(state), .userPortalURL(Bool.random(using: &random))])
      default: return .reason(set: set.name, try ReasonPattern("tls.*"))
      }
    }
  }

  /// The known part of a set: the results so far, and whether there will be more.
  private struct Known {
    var results: [ProbeResult]
    var total: Int
  }

  /// Evaluates the condition from scratch.
  private static func truth(
    of condition: DecisionCondition, _ known: [String: Known], _ capport: CapportState?, _ plan: ProbePlan
  ) -> Truth {
    func of(_ part: DecisionCondition) -> Truth { truth(of: part, known, capport, plan) }
    func set(_ name: String) -> Known { known[name] ?? Known(results: [], total: 0) }
    func count(_ name: String, _ outcome: Outcome, _ least: Int) -> Truth {
      let count = set(name).results.count { $0.outcome == outcome }
      let pending = set(name).total - set(name).results.count
      return count >= least ? .yes : count + pending < least ? .no : .unknown
    }
    switch condition {
    case .all(let parts): return parts.map(of).min { $0.rawValue < $1.rawValue } ?? .yes
    case .any(let parts): return parts.map(of).max { $0.rawValue < $1.rawValue } ?? .no
    case .not(let part): return Truth(rawValue: 2 - of(part).rawValue) ?? .unknown
    case .capport(let state): return capport.map { Truth($0 == state) } ?? .unknown
    // No response here has a document with a URL.
    case .userPortalURL(let isNamed): return capport == nil ? .unknown : Truth(!isNamed)
    case .met(let name, let isMet):
      guard let planned = plan.sets.first(where: { $0.name == name }) else { return .no }
      let met = count(name, .accepted, planned.threshold.needed(of: planned.probes.count))
      return isMet ? met : Truth(rawValue: 2 - met.rawValue) ?? .unknown
    case .outcome(let name, let outcome, .any): return count(name, outcome, 1)
    case .outcome(let name, let outcome, .all): return count(name, outcome, set(name).total)
    case .outcome(let name, let outcome, .atLeast(let least)): return count(name, outcome, least)
    case .reason(let name, let pattern):
      if set(name).results.contains(where: { $0.reason.map(pattern.matches) ?? false }) { return .yes }
      return set(name).results.count == set(name).total ? .no : .unknown
    }
  }

  /// The verdict of the rules, or nil while it is open.
  private static func verdict(
    _ rules: [DecisionRule], _ known: [String: Known], _ capport: CapportState?, _ plan: ProbePlan
  ) -> Verdict? {
    for rule in rules {
      switch truth(of: rule.condition, known, capport, plan) {
      case .yes: return rule.verdict
      case .unknown: return nil
      case .no: continue
      }
    }
    return .inconclusive
  }

  /// The verdict and the results if every needed set runs to completion, one after the other.
  private static func wholeRun(_ test: Case) -> (verdict: Verdict, sets: [SetResult]) {
    let plan = test.plan
    let capport = test.capport?.state ?? .unavailable
    var rest = test.results[...]
    var done: [SetResult?] = plan.sets.map { set in
      let results = Array(rest.prefix(set.probes.count))
      rest = rest.dropFirst(set.probes.count)
      guard set.start == .always else { return nil }
      return SetResult(name: set.name, threshold: set.threshold, required: set.isRequired, probes: results)
    }
    func known() -> [String: Known] {
      Dictionary(
        uniqueKeysWithValues: zip(plan.sets, done).map { set, result in
          (set.name, Known(results: result?.probes ?? [], total: set.probes.count))
        })
    }
    for (index, set) in plan.sets.enumerated() where set.start == .undecided {
      let isOpen: Bool
      if let rules = plan.decide {
        isOpen = verdict(rules, known(), capport, plan) == nil
      } else {
        let before = EvidenceDecision(
          done[..<index].compactMap(\.self), success: plan.success, policy: plan.policy, capport: test.capport
        )
        let isIntercepted = done[..<index].contains { set in
          set?.probes.contains { $0.outcome == .intercepted || $0.portal != nil } == true
        }
        isOpen = before.verdict != .online && !isIntercepted && capport != .captive
      }
      let start = plan.sets[..<index].map(\.probes.count).reduce(0, +)
      let results =
        isOpen
        ? Array(test.results[start..<(start + set.probes.count)])
        : Array(repeating: ProbeResult(url: "", outcome: .skipped), count: set.probes.count)
      done[index] = SetResult(
        name: set.name, threshold: set.threshold, required: set.isRequired, isNeeded: isOpen, probes: results)
    }
    let results = done.compactMap(\.self)
    if let rules = plan.decide { return (verdict(rules, known(), capport, plan) ?? .inconclusive, results) }
    let decision = EvidenceDecision(
      results, success: plan.success, policy: plan.policy, capport: test.capport)
    return (decision.verdict, results)
  }

  @Test(arguments: 0..<40) func randomEventOrdersGiveTheModelsVerdict(_ block: Int) throws {
    for seed in (block * 40)..<(block * 40 + 40) {
      var random = SeededNumbers(seed: UInt64(seed))
      let test = try Case(&random)
      try check(test, &random, "seed \(seed)")
    }
  }

  private func check(_ test: Case, _ random: inout SeededNumbers, _ comment: Comment) throws {
    let plan = test.plan
    var state = RunState(plan)
    var running: Set<Int> = []
    var cancelled: Set<Int> = []
    var isRequestingCapport = false
    var reported: [Int: ProbeResult] = [:]
    var isCertain = false
    var hasGrace = false
    var isOver = false
    var actions = state.start()
    while true {
      for action in actions {
        switch action {
        case .start(let index):
          #expect(!isCertain, comment)
          #expect(running.insert(index).inserted && reported[index] == nil, comment)
        case .cancel(let index):
          #expect(isOver && running.contains(index) && cancelled.insert(index).inserted, comment)
        case .requestCapport: isRequestingCapport = true
        case .cancelCapport: #expect(isRequestingCapport && isOver, comment)
        case .beginGrace:
          #expect(plan.stopsEarly && !hasGrace && (isRequestingCapport || !running.isEmpty), comment)
          hasGrace = true
        case .finish: #expect(running.isEmpty && !isRequestingCapport, comment)
        }
      }
      #expect(running.count <= plan.run.concurrency, comment)
      if isOver { #expect(running.isSubset(of: cancelled), comment) }
      if actions.contains(.finish) { break }
      // A run that neither finishes nor waits for anything would never end.
      let event = Int.random(in: 0..<max(1, running.count + (isRequestingCapport ? 1 : 0)), using: &random)
      if hasGrace, !isOver, Int.random(in: 0..<3, using: &random) == 0 {
        isOver = true
        actions = state.gracePassed()
        continue
      }
      if isRequestingCapport, event == running.count, let capport = test.capport {
        isRequestingCapport = false
        actions = state.finished(capport)
      } else {
        let index = try #require(running.sorted().dropFirst(event).first, comment)
        running.remove(index)
        let result =
          cancelled.contains(index)
          ? ProbeResult(url: "", outcome: .failed, reason: .cancelled) : test.results[index]
        reported[index] = result
        actions = state.finished(index, result)
      }
      if plan.stopsEarly, let rules = plan.decide {
        let known = Dictionary(
          uniqueKeysWithValues: zip(plan.sets, state.ranges).map { set, range in
            (set.name, Known(results: range.compactMap { state.result(of: $0) }, total: set.probes.count))
          })
        let verdict = Self.verdict(
          rules, known, isRequestingCapport ? nil : state.capport?.state ?? .unavailable, plan)
        // For a portal, the login URL must be known too.
        if let verdict, verdict != .captivePortal { isCertain = true }
      }
    }
    let sets = zip(plan.sets, state.ranges).enumerated().map { position, part in
      SetResult(
        name: part.0.name, threshold: part.0.threshold, required: part.0.isRequired,
        isNeeded: state.isNeeded(set: position), probes: Array(state.results[part.1]))
    }
    for (index, result) in state.results.enumerated() {
      #expect(result.outcome == .skipped || result == reported[index], comment)
      if !plan.stopsEarly, plan.sets.allSatisfy({ $0.start == .always }) {
        #expect(result.outcome != .skipped, comment)
      }
    }
    let decision = RunDecision(plan, sets, capport: state.capport)
    let whole = Self.wholeRun(test)
    #expect(decision.verdict == whole.verdict, comment)
    // A set after a fallback may show first that the fallback is not needed.
    let starts = plan.sets.map(\.start)
    guard starts == starts.filter({ $0 == .always }) + starts.filter({ $0 == .undecided }) else { return }
    let all = RunDecision(plan, whole.sets, capport: test.capport)
    #expect(decision.portal == all.portal, comment)
    // The model also runs fallbacks that no rule depends on, as long as the verdict is open.
    if sets.map(\.isNeeded) == whole.sets.map(\.isNeeded) {
      #expect(Set(decision.evidence.map(\.kind)) == Set(all.evidence.map(\.kind)), comment)
    }
    for (set, other) in zip(sets, whole.sets) where set.isNeeded && other.isNeeded {
      #expect(set.isMet == nil || set.isMet == other.isMet, comment)
    }
  }
}
