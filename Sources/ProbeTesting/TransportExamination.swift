internal import ProbeCore

/// The examination of a transport for one scheme.
struct TransportExamination {
  let transport: any ProbeTransport
  let patience: Duration
  private let scenarios: [TransportScenario]
  var report: ConformanceReport

  init(
    _ transport: any ProbeTransport, _ subject: String, patience: Duration, scenarios: [TransportScenario]
  ) {
    self.transport = transport
    self.patience = patience
    self.scenarios = scenarios
    report = ConformanceReport(subject)
  }

  /// Checks every rule.
  mutating func run() async {
    checkSchemes()
    report.check(.transportScenarios)
    guard !answers.isEmpty else {
      return report.violate(.transportScenarios, "no scenario that answers", on: "its scenarios")
    }
    checkRequests()
    await checkAnswers()
    await checkRedirects()
    await checkEndlessBodies()
    await checkHugeHeads()
    await checkRefusals()
    await checkTimeouts()
    await checkCancellation()
    await checkManyAtOnce()
    await checkDescriptors()
    // Whatever was done to it, it still works.
    await checkAnswers(" at the end")
  }

  /// The scenarios of one kind; without any, the rule is noted as not checked.
  mutating func scenarios(
    for rule: ConformanceRule, _ name: String, where isKind: (TransportScenario.Kind) -> Bool
  ) -> [TransportScenario] {
    let chosen = scenarios.filter { isKind($0.kind) }
    if chosen.isEmpty {
      report.skip(rule, because: "no scenario \(name)")
    } else {
      report.check(rule)
    }
    return chosen
  }

  /// The scenarios that answer, with their content.
  var answers: [(scenario: TransportScenario, content: [UInt8])] {
    scenarios.compactMap { scenario in
      guard case .answers(let content) = scenario.kind else { return nil }
      return (scenario, content)
    }
  }

  /// All scenarios that end by themselves before their time is over.
  var endingScenarios: [TransportScenario] {
    scenarios.filter { $0.kind != .neverAnswers }
  }

  /// The scenarios that never answer.
  var silentScenarios: [TransportScenario] {
    scenarios.filter { $0.kind == .neverAnswers }
  }

  private mutating func checkSchemes() {
    report.check(.transportSchemes)
    let schemes = transport.schemes
    if transport.schemes != schemes {
      report.violate(.transportSchemes, "they change", on: "its schemes")
    }
    for scheme in schemes.keys where (try? ProbeURL("\(scheme)://probe.example/"))?.scheme != scheme {
      report.violate(.transportSchemes, "\(Excerpt(scheme.name)) cannot stand in a URL", on: "its schemes")
    }
  }

  private mutating func checkRequests() {
    report.check(.transportCheck)
    for scenario in scenarios {
      do throws(InvalidInput) {
        try transport.check(scenario.request)
      } catch {
        report.violate(.transportCheck, error.description, on: scenario.name)
      }
    }
  }
}
