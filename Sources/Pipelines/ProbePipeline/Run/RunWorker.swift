import ProbeBase
import ProbeCore
import ProbeSystem

/// Makes the probes of a run one by one, and reports their results.
///
/// Thousands of workers wait for a response concurrently. Code that handles a response is kept out of the
/// functions that wait, so that waiting reserves no memory for it.
struct RunWorker {
  let probes: [PlannedProbe]
  let prober: Prober
  let judging: ProbeJudging
  /// The encryption of its scheme, as far as the transport declares it.
  let encryption: Encryption?
  /// Whether the complete responses are needed.
  let keepsResponses: Bool
  /// The sequences of the probes that are steps.
  let sequences: [Int: StepSequence]
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
      let cookies = sequences[index] == nil ? probes[index].cookies : nil
      var response = await response(to: index, cookies)
      if probes[index].isJudgedByProgram {
        response = await judging.judgedByPrograms(probe(index, cookies), response, in: sequences[index])
      }
      if takesLong(response, of: index, cookies) {
        next = await finishElsewhere(response, of: index, cookies)
      } else {
        next = await withCheckedContinuation { finish(response, of: index, cookies, $0) }
      }
    }
  }

  /// The probe as it was made.
  private func probe(_ index: Int, _ cookies: ProbeCookies?) -> PlannedProbe {
    let probe = sequences[index]?.current ?? probes[index]
    guard let cookies, var request = try? probe.request.get() else { return probe }
    request.cookies = cookies
    return probe.requesting(request)
  }

  private func response(to index: Int, _ cookies: ProbeCookies?) async -> Result<ProbeResponse, ProbeFailure>
  {
    switch probes[index].request {
    case .failure(let failure): return .failure(failure)
    case .success(var request):
      do throws(ProbeFailure) {
        if let cookies { request.cookies = cookies }
        if let sequence = sequences[index] { request = try sequence.begin(probes[index]) }
        request.furtherReading = longBody
        request.checksOwnAddress = judging.rule.question == .internet
        return .success(try await prober.response(to: request))
      } catch {
        return .failure(error)
      }
    }
  }

  private func takesLong(
    _ response: Result<ProbeResponse, ProbeFailure>, of index: Int, _ cookies: ProbeCookies?
  ) -> Bool {
    guard var request = try? probes[index].request.get() else { return false }
    if let cookies { request.cookies = cookies }
    return judging.takesLong(response, to: request)
  }

  /// Judges a response on another thread than that of its connection, where it would block every other.
  ///
  /// The cancellation of the worker ends the searches, and so does the timeout of the request, which counts again for
  /// them.
  @inline(never)
  private func finishElsewhere(
    _ response: Result<ProbeResponse, ProbeFailure>, of index: Int, _ cookies: ProbeCookies?
  ) async -> Int? {
    let limit = ProbeJudging.timeLimit(of: probes[index])
    let result =
      await ComputingThreads.run(within: limit) { judged(response, of: index, cookies) }
      ?? judged(
        .failure(ProbeFailure(.cancelled, "cancelled before the response was judged")), of: index, cookies)
    return await withCheckedContinuation { events.send(.finished(index, result, $0)) }
  }

  @inline(never)
  private func finish(
    _ response: Result<ProbeResponse, ProbeFailure>, of index: Int, _ cookies: ProbeCookies?,
    _ next: CheckedContinuation<Int?, Never>
  ) {
    events.send(.finished(index, judged(response, of: index, cookies), next))
  }

  private func judged(
    _ response: Result<ProbeResponse, ProbeFailure>, of index: Int, _ cookies: ProbeCookies?
  ) -> ProbeResult {
    let probe = probe(index, cookies)
    var result = judging.result(of: probe, response, in: sequences[index])
    result.encryption = encryption
    // Address overrides only matter for unexpected responses.
    if result.outcome != .accepted, let request = try? probe.request.get() {
      result.isRouted = request.isRouted(result.response?.url ?? request.url)
    }
    if !keepsResponses { result.response?.keepForReport() }
    longBody.end()
    return result
  }
}

extension PlannedProbe {
  /// The cookies of the probe, which is not a step; nil if it keeps none.
  fileprivate var cookies: ProbeCookies? { (try? request.get()).flatMap { ProbeCookies(for: $0) } }
}
