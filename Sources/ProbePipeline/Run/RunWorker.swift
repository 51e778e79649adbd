import ProbeLocking
import ProbeCore

/// Makes one probe of a run after the other, and tells what came of each.
///
/// Thousands of workers wait for an answer at a time: what happens when it has come is never a part of the functions that
/// wait, so that they need no room for it until then.
struct RunWorker {
  let probes: [PlannedProbe]
  let prober: Prober
  let rule: OutcomeRule
  /// How what it probes is encrypted, as far as the transport says.
  let encryption: Encryption?
  /// Whether anybody looks at the whole answers.
  let keepsAnswers: Bool
  let redactors: Redactors
  let events: EventQueue<RunExecutor.Event>

  /// Works until it is told no next probe.
  ///
  /// - Parameter first: The position of its first probe.
  func work(from first: Int) async {
    var next: Int? = first
    while let index = next {
      let answer = await answer(to: index)
      next = await withCheckedContinuation { tell(answer, of: index, $0) }
    }
  }

  private func answer(to index: Int) async -> Result<ProbeResponse, ProbeFailure> {
    switch probes[index].request {
    case .failure(let failure): return .failure(failure)
    case .success(let request):
      do throws(ProbeFailure) {
        return .success(try await prober.answer(to: request))
      } catch {
        return .failure(error)
      }
    }
  }

  @inline(never)
  private func tell(
    _ answer: Result<ProbeResponse, ProbeFailure>, of index: Int, _ next: CheckedContinuation<Int?, Never>
  ) {
    let request = try? probes[index].request.get()
    guard let request, redactors.takeLong(for: request, answer.whatCame) else {
      return finish(answer, of: index, next)
    }
    // It would hold up every connection of the thread.
    Task(executorPreference: globalConcurrentExecutor) { finish(answer, of: index, next) }
  }

  private func finish(
    _ answer: Result<ProbeResponse, ProbeFailure>, of index: Int, _ next: CheckedContinuation<Int?, Never>
  ) {
    let probe = probes[index]
    var result = result(of: probe, answer)
    result.encryption = encryption
    // Where an address came from is asked of no answer that was expected.
    if result.outcome != .accepted, let request = try? probe.request.get() {
      result.isRouted = request.isRouted(result.response?.url ?? request.url)
    }
    if !keepsAnswers { result.response?.keepForReport() }
    events.send(.finished(index, result, next))
  }

  /// What became of a probe, fit to be shown; the true answer is judged.
  private func result(
    of probe: PlannedProbe, _ answer: Result<ProbeResponse, ProbeFailure>
  ) -> ProbeResult {
    let result = rule.result(of: probe, answer)
    guard let request = try? probe.request.get(), let redactor = redactors.redactor(for: request) else {
      return result
    }
    return result.redacted(by: redactor, asked: request.url) {
      rule.result(of: probe, answer.map(redactor.response).mapError(redactor.failure))
    }
  }
}

extension Result<ProbeResponse, ProbeFailure> {
  /// The answer, or what there is of one.
  fileprivate var whatCame: ProbeResponse? {
    switch self {
    case .success(let response): response
    case .failure(let failure): failure.partial
    }
  }
}

extension ProbeRequest {
  /// Whether it says itself where to connect for a URL, so that the host's name is not asked for.
  fileprivate func isRouted(_ url: ProbeURL) -> Bool {
    proxy != nil || connectTo.first { $0.applies(to: url) }?.targetHost != nil
  }
}
