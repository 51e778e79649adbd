internal import ProbeCore

extension TransportRuleCheck {
  /// Checks that a timeout ends a probe.
  mutating func checkTimeouts() async {
    for scenario in scenarios(for: .transportTimeout, "that never answers", where: { $0 == .neverResponds }) {
      let timedResult = await timedResult(
        of: scenario.adjusted { $0.timeout = .milliseconds(300) }, on: scenario.name)
      if let failure = timedResult.error as? ProbeFailure, failure.reason.area != "timeout" {
        report.violate(.transportTimeout, "\(failure)", on: scenario.name)
      } else if timedResult.response != nil {
        report.violate(.transportTimeout, timedResult.inShort, on: scenario.name)
      }
    }
  }

  /// Checks that cancellation ends a probe at any time.
  mutating func checkCancellation() async {
    let chosen = scenarios(for: .transportCancellation, "that never answers", where: { $0 == .neverResponds })
    for scenario in chosen {
      // A long timeout, so that it is not what ends the probe.
      let request = scenario.adjusted { $0.timeout = patience * 4 }
      let early = StartedProbe(request, over: transport, isCancelled: true)
      check(
        cancelled: await early.timedResult(patience: patience),
        on: "\(scenario.name), cancelled before it starts")
      // The delays reach different phases in each transport; the rule is the same for all.
      for moment in [Duration.zero, .milliseconds(2), .milliseconds(20), .milliseconds(100)] {
        let probe = StartedProbe(request, over: transport)
        if moment > .zero { try? await Task.sleep(for: moment) }
        probe.cancel()
        let timedResult = await probe.timedResult(patience: patience)
        check(cancelled: timedResult, on: "\(scenario.name), cancelled after it started")
        // A probe that hangs once would hang again.
        guard timedResult.result != nil else { break }
      }
    }
  }

  private mutating func check(cancelled timedResult: TimedProbeResult, on input: String) {
    switch timedResult.result {
    case .failure(is CancellationError): break
    case .failure(let failure as ProbeFailure):
      check(failure, on: input)
      if failure.reason != .cancelled { report.violate(.transportCancellation, "\(failure)", on: input) }
    default: report.violate(.transportCancellation, timedResult.inShort, on: input)
    }
  }

  /// Checks that concurrent probes receive their own responses.
  mutating func checkManyAtOnce() async {
    let responding = respondingScenarios
    guard Set(responding.map(\.content)).count > 1 else {
      return report.skip(.transportManyAtOnce, because: "no two scenarios that answer with different content")
    }
    report.check(.transportManyAtOnce)
    let silent = silentScenarios.map { scenario in
      StartedProbe(scenario.adjusted { $0.timeout = patience * 4 }, over: transport)
    }
    let probes = (0..<16).flatMap { _ in
      responding.map { ($0, StartedProbe($0.scenario.request, over: transport)) }
    }
    for probe in silent { probe.cancel() }
    for (expected, probe) in probes {
      let input = "\(expected.scenario.name), among \(probes.count) probes"
      let timedResult = await probe.timedResult(patience: expected.scenario.request.timeout + patience)
      guard let response = timedResult.response else {
        report.violate(.transportManyAtOnce, timedResult.inShort, on: input)
        continue
      }
      if response.body != Array(expected.content.prefix(expected.scenario.request.maxBody)) {
        let seen = "\(Excerpt(response.body)) in place of \(Excerpt(expected.content))"
        report.violate(.transportManyAtOnce, seen, on: input)
      }
    }
    for probe in silent { _ = await probe.timedResult(patience: patience) }
  }
}

extension TransportRuleCheck {
  /// Probes, and checks the rules for every result.
  mutating func timedResult(of request: ProbeRequest, on input: String) async -> TimedProbeResult {
    let timedResult = await StartedProbe(request, over: transport).timedResult(
      patience: request.timeout + patience)
    check(timedResult, of: request, on: input)
    return timedResult
  }

  /// Checks the rules for every result of a probe that was not cancelled.
  mutating func check(_ timedResult: TimedProbeResult, of request: ProbeRequest, on input: String) {
    switch timedResult.result {
    case .success(let response):
      check(response, of: request, took: timedResult.took, on: input)
      if response.body.count > request.maxBody {
        let seen = "\(response.body.count) bytes with maxBody \(request.maxBody)"
        report.violate(.transportMaxBody, seen, on: input)
      }
    case .failure(let failure as ProbeFailure):
      report.check(.transportErrors)
      check(failure, on: input)
      guard let partial = failure.partial else { return }
      check(partial, of: request, took: timedResult.took, on: "\(input), what was learnt before the failure")
    case .failure(let error):
      report.violate(.transportErrors, "\(type(of: error)): \(error)", on: input)
    case nil:
      report.violate(.transportTimeout, timedResult.inShort, on: input)
    }
  }

  /// Checks the texts of a failure.
  mutating func check(_ failure: ProbeFailure, on input: String) {
    report.check(.transportWords)
    let mistakes = [
      WordForm.mistake(in: failure.reason),
      WordForm.mistakeOfLength(in: failure.detail, called: "the detail"),
      WordForm.mistakeOfPrinting(in: failure.detail, called: "the detail"),
    ]
    for mistake in mistakes.compactMap(\.self) { report.violate(.transportWords, mistake, on: input) }
  }

  private mutating func check(
    _ response: ProbeResponse, of request: ProbeRequest, took: Duration, on input: String
  ) {
    report.check(.transportURL)
    if response.url != request.url {
      report.violate(.transportURL, "\(response.url) in place of \(request.url)", on: input)
    }
    report.check(.transportTimings)
    let timings = response.timings
    let phases = [timings.resolve, timings.connect, timings.tls, timings.firstByte].compactMap(\.self)
    if (phases + [timings.total ?? .zero]).contains(where: { $0 < .zero }) {
      report.violate(.transportTimings, "a negative time", on: input)
    }
    guard let total = timings.total else { return }
    let sum = phases.reduce(.zero, +)
    if sum > total {
      report.violate(
        .transportTimings, "\(sum.secondsDescription) in a total of \(total.secondsDescription)", on: input)
    }
    // Clocks may be rounded.
    if total > took + .milliseconds(10) {
      let seen = "a total of \(total.secondsDescription), when \(took.secondsDescription) had passed"
      report.violate(.transportTimings, seen, on: input)
    }
  }
}
