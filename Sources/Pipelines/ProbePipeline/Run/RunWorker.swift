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
  /// The encryption of the scheme of its probes; nil if it is not known.
  let encryption: Encryption?
  /// Whether the complete responses are needed.
  let keepsResponses: Bool
  /// The sequences of the probes that are steps.
  let sequences: [Int: StepSequence]
  /// Lets its probes receive more of a body.
  let furtherReading: FurtherBodyReading
  let events: EventQueue<RunExecutor.Event>

  /// Makes probes until there is no next one.
  ///
  /// - Parameter first: The position of its first probe.
  func work(from first: Int) async {
    var next: Int? = first
    while let index = next {
      furtherReading.begin(probe: index)
      let cookies = sequences[index] == nil ? probes[index].cookies : nil
      var response = await response(to: index, cookies)
      if probes[index].isJudgedByProgram {
        response = await judging.addingProgramJudgements(
          to: response, of: probe(index, cookies), in: sequences[index])
      }
      if needsOtherThread(response, of: index, cookies) {
        next = await finishOnComputingThread(response, of: index, cookies)
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
        request.furtherReading = furtherReading
        request.checksOwnAddress = judging.rule.question == .internet
        return .success(try await prober.response(to: request))
      } catch {
        return .failure(error)
      }
    }
  }

  private func needsOtherThread(
    _ response: Result<ProbeResponse, ProbeFailure>, of index: Int, _ cookies: ProbeCookies?
  ) -> Bool {
    guard var request = try? probes[index].request.get() else { return false }
    if let cookies { request.cookies = cookies }
    return judging.needsOtherThread(response, to: request)
  }

  /// Judges a response on a thread for computing, because on that of its connection it would delay every other connection.
  ///
  /// The searches end when the worker is cancelled, and at a time limit: the timeout of the request, counted anew.
  @inline(never)
  private func finishOnComputingThread(
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
    // Only for an unexpected response does it matter whether the user replaced the address.
    if result.outcome != .accepted, let request = try? probe.request.get() {
      result.isRouted = request.isRouted(result.response?.url ?? request.url)
    }
    if !keepsResponses { result.response?.keepForReport() }
    furtherReading.end()
    return result
  }
}

extension PlannedProbe {
  /// New cookies for a probe that is not a step, and so has none of a sequence; nil if it keeps none.
  fileprivate var cookies: ProbeCookies? { (try? request.get()).flatMap { ProbeCookies(for: $0) } }
}
