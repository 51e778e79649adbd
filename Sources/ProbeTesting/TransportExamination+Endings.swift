internal import ProbeCore

extension TransportExamination {
  /// Probes, and checks what holds for every ending.
  mutating func ending(of request: ProbeRequest, on input: String) async -> ProbeEnding {
    let ending = await StartedProbe(request, over: transport).ending(patience: request.timeout + patience)
    examine(ending, of: request, on: input)
    return ending
  }

  /// Checks what holds for every ending of a probe that was not cancelled.
  mutating func examine(_ ending: ProbeEnding, of request: ProbeRequest, on input: String) {
    switch ending.result {
    case .success(let response):
      examine(response, of: request, took: ending.took, on: input)
      if response.body.count > request.maxBody {
        let seen = "\(response.body.count) bytes with maxBody \(request.maxBody)"
        report.violate(.transportMaxBody, seen, on: input)
      }
    case .failure(let failure as ProbeFailure):
      report.check(.transportErrors)
      examine(failure, on: input)
      guard let partial = failure.partial else { return }
      examine(partial, of: request, took: ending.took, on: "\(input), what was learnt before the failure")
    case .failure(let error):
      report.violate(.transportErrors, "\(type(of: error)): \(error)", on: input)
    case nil:
      report.violate(.transportTimeout, ending.inShort, on: input)
    }
  }

  /// Checks the words of a failure.
  mutating func examine(_ failure: ProbeFailure, on input: String) {
    report.check(.transportWords)
    let mistakes = [
      WordForm.mistake(in: failure.reason),
      WordForm.mistakeOfLength(in: failure.detail, called: "the detail"),
      WordForm.mistakeOfPrinting(in: failure.detail, called: "the detail"),
    ]
    for mistake in mistakes.compactMap(\.self) { report.violate(.transportWords, mistake, on: input) }
  }

  private mutating func examine(
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
      report.violate(.transportTimings, "\(sum.inSeconds) in a total of \(total.inSeconds)", on: input)
    }
    // Clocks may be rounded.
    if total > took + .milliseconds(10) {
      let seen = "a total of \(total.inSeconds), when \(took.inSeconds) had passed"
      report.violate(.transportTimings, seen, on: input)
    }
  }
}
