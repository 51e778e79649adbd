import ProbeLocking
import ProbeCore

/// Makes the probes of a run one by one, and reports their results.
///
/// Thousands of workers wait for a response concurrently. Code that handles a response is kept out of the
/// functions that wait, so that waiting reserves no memory for it.
struct RunWorker {
  let probes: [PlannedProbe]
  let prober: Prober
  let rule: OutcomeRule
  /// The encryption of its scheme, as far as the transport declares it.
  let encryption: Encryption?
  /// Whether the complete responses are needed.
  let keepsAnswers: Bool
  let redactors: Redactors
  /// Lets its probes receive more of a body.
  let longBody: LongBody
  let events: EventQueue<RunExecutor.Event>

  /// Makes probes until there is no next one.
  ///
  /// - Parameter first: The position of its first probe.
  func work(from first: Int) async {
    var next: Int? = first
    while let index = next {
      longBody.begin(probe: index)
      let answer = await answer(to: index)
      next = await withCheckedContinuation { tell(answer, of: index, $0) }
    }
  }

  private func answer(to index: Int) async -> Result<ProbeResponse, ProbeFailure> {
    switch probes[index].request {
    case .failure(let failure): return .failure(failure)
    case .success(var request):
      request.furtherReading = longBody
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
    guard let request, isLong(answer, for: request) || redactors.takeLong(for: request, answer.whatCame)
    else { return finish(answer, of: index, next) }
    // On this thread it would block every connection.
    Task(executorPreference: globalConcurrentExecutor) { finish(answer, of: index, next) }
  }

  /// Whether a body is longer than the limit of its request.
  private func isLong(_ answer: Result<ProbeResponse, ProbeFailure>, for request: ProbeRequest) -> Bool {
    answer.whatCame.map { $0.body.count > request.maxBody } ?? false
  }

  private func finish(
    _ answer: Result<ProbeResponse, ProbeFailure>, of index: Int, _ next: CheckedContinuation<Int?, Never>
  ) {
    let probe = probes[index]
    var result = result(of: probe, answer)
    result.encryption = encryption
    // Address overrides only matter for unexpected responses.
    if result.outcome != .accepted, let request = try? probe.request.get() {
      result.isRouted = request.isRouted(result.response?.url ?? request.url)
    }
    if !keepsAnswers { result.response?.keepForReport() }
    longBody.end()
    events.send(.finished(index, result, next))
  }

  /// The result of a probe without secrets; the original response is judged.
  private func result(
    of probe: PlannedProbe, _ answer: Result<ProbeResponse, ProbeFailure>
  ) -> ProbeResult {
    let result = rule.result(of: probe, answer)
    guard let request = try? probe.request.get(), let redactor = redactors.redactor(for: request) else {
      return result
    }
    return result.redacted(by: redactor, asked: request.publicURL, isPart: isLong(answer, for: request)) {
      rule.result(of: probe, answer.map(redactor.response).mapError(redactor.failure))
    }
  }
}

extension Result<ProbeResponse, ProbeFailure> {
  /// The response, complete or partial.
  fileprivate var whatCame: ProbeResponse? {
    switch self {
    case .success(let response): response
    case .failure(let failure): failure.partial
    }
  }
}

extension ProbeRequest {
  /// The URL, unless it contains one of ``otherSecrets``.
  fileprivate var publicURL: ProbeURL? {
    otherSecrets.isEmpty || Redactor(otherSecrets).url(url) == url ? url : nil
  }

  /// Whether the request overrides where to connect for a URL, so that the host name is not resolved.
  fileprivate func isRouted(_ url: ProbeURL) -> Bool {
    proxy != nil || connectTo.first { $0.applies(to: url) }?.targetHost != nil
  }
}
