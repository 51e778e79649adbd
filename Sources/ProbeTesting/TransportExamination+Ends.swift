internal import ProbeCore

extension TransportExamination {
  /// Time that runs out ends a probe.
  mutating func checkTimeouts() async {
    for scenario in scenarios(for: .transportTimeout, "that never answers", where: { $0 == .neverAnswers }) {
      let ending = await ending(of: scenario.adjusted { $0.timeout = .milliseconds(300) }, on: scenario.name)
      if let failure = ending.error as? ProbeFailure, failure.reason.area != "timeout" {
        report.violate(.transportTimeout, "\(failure)", on: scenario.name)
      } else if ending.answer != nil {
        report.violate(.transportTimeout, ending.inShort, on: scenario.name)
      }
    }
  }

  /// Cancellation ends a probe, at any moment.
  mutating func checkCancellation() async {
    let chosen = scenarios(for: .transportCancellation, "that never answers", where: { $0 == .neverAnswers })
    for scenario in chosen {
      // Time enough that it is not the timeout that ends it.
      let request = scenario.adjusted { $0.timeout = patience * 4 }
      let early = StartedProbe(request, over: transport, isCancelled: true)
      examine(
        cancelled: await early.ending(patience: patience), on: "\(scenario.name), cancelled before it starts")
      // The moments hit whatever they hit; the rule is the same for all.
      for moment in [Duration.zero, .milliseconds(2), .milliseconds(20), .milliseconds(100)] {
        let probe = StartedProbe(request, over: transport)
        if moment > .zero { try? await Task.sleep(for: moment) }
        probe.cancel()
        let ending = await probe.ending(patience: patience)
        examine(cancelled: ending, on: "\(scenario.name), cancelled after it started")
        // What hangs once would be waited for in vain again.
        guard ending.result != nil else { break }
      }
    }
  }

  private mutating func examine(cancelled ending: ProbeEnding, on input: String) {
    switch ending.result {
    case .failure(is CancellationError): break
    case .failure(let failure as ProbeFailure):
      examine(failure, on: input)
      if failure.reason != .cancelled { report.violate(.transportCancellation, "\(failure)", on: input) }
    default: report.violate(.transportCancellation, ending.inShort, on: input)
    }
  }

  /// Answers do not get mixed up.
  mutating func checkManyAtOnce() async {
    let answers = answers
    guard Set(answers.map(\.content)).count > 1 else {
      return report.skip(.transportManyAtOnce, because: "no two scenarios that answer with different content")
    }
    report.check(.transportManyAtOnce)
    let silent = silentScenarios.map { scenario in
      StartedProbe(scenario.adjusted { $0.timeout = patience * 4 }, over: transport)
    }
    let probes = (0..<16).flatMap { _ in
      answers.map { ($0, StartedProbe($0.scenario.request, over: transport)) }
    }
    for probe in silent { probe.cancel() }
    for (answer, probe) in probes {
      let input = "\(answer.scenario.name), among \(probes.count) probes"
      let ending = await probe.ending(patience: answer.scenario.request.timeout + patience)
      guard let response = ending.answer else {
        report.violate(.transportManyAtOnce, ending.inShort, on: input)
        continue
      }
      if response.body != Array(answer.content.prefix(answer.scenario.request.maxBody)) {
        let seen = "\(Excerpt(response.body)) in place of \(Excerpt(answer.content))"
        report.violate(.transportManyAtOnce, seen, on: input)
      }
    }
    for probe in silent { _ = await probe.ending(patience: patience) }
  }
}
