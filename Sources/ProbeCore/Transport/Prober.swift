/// The one way from a request to its answer: finds the transport, holds the policy, follows redirects.
///
/// Every exchange of every transport, a user's own included, passes through here.
public struct Prober: Sendable {
  private let transports: TransportRegistry
  private let policy: ProbePolicy
  let clock: any Clock<Duration>
  let chance: @Sendable () -> Double

  /// A prober over these transports.
  ///
  /// - Parameters:
  ///   - transports: What the probes travel by.
  ///   - policy: What is allowed on the wire.
  ///   - clock: Measures the waits between attempts.
  ///   - chance: A number from 0 to 1 for each such wait; see ``RetryBackoff``.
  public init(
    _ transports: TransportRegistry, policy: ProbePolicy = .httpsOnly,
    clock: any Clock<Duration> = ContinuousClock(),
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.transports = transports
    self.policy = policy
    self.clock = clock
    self.chance = chance
  }

  /// Says why a request cannot be probed, before anything is sent.
  ///
  /// - Throws: ``ProbeFailure`` with `policy.plaintext` or `request.invalid`.
  public func check(_ request: ProbeRequest) throws(ProbeFailure) {
    _ = try transport(for: request)
  }

  /// Probes: one exchange, and one more for each redirect the request allows to follow; all that again as often as
  /// the request allows when it fails for a reason that may pass.
  ///
  /// The words of a failure are free of the request's secrets, also when a server echoed them. The answer itself is as
  /// it came, so that it can be judged; ``Redactor`` makes it fit to be shown.
  ///
  /// - Throws: ``ProbeFailure`` with the reason and what was learnt so far.
  public nonisolated(nonsending) func probe(_ request: ProbeRequest) async throws(ProbeFailure)
    -> ProbeResponse
  {
    do throws(ProbeFailure) {
      return try await answer(to: request)
    } catch {
      throw await request.redacted(error)
    }
  }

  /// The same with a failure as it came, so that it can be judged too.
  package nonisolated(nonsending) func answer(to request: ProbeRequest) async throws(ProbeFailure)
    -> ProbeResponse
  {
    request.retries == 0 ? try await attempt(request) : try await retrying(request)
  }

  /// One attempt.
  nonisolated(nonsending) func attempt(_ request: ProbeRequest) async throws(ProbeFailure)
    -> ProbeResponse
  {
    let transport = try transport(for: request)
    let start = ContinuousClock.now
    let response = try await exchange(request, over: transport)
    return try await end(response, to: request, since: start)
  }

  /// The answer itself, or the one that it leads to.
  // Not a part of its caller, in which thousands of probes wait: they need no room for it until then.
  @inline(never)
  private nonisolated(nonsending) func end(
    _ response: ProbeResponse, to request: ProbeRequest, since start: ContinuousClock.Instant
  ) async throws(ProbeFailure) -> ProbeResponse {
    var response = response
    guard let hop = try redirect(of: &response, earlier: []), request.redirects > 0 else { return response }
    let taken = response.timings.total ?? start.duration(to: .now)
    return try await follow(hop, of: response, for: request, taken: taken)
  }
}

extension Prober {
  private func transport(for request: ProbeRequest) throws(ProbeFailure) -> any ProbeTransport {
    let scheme = request.url.scheme
    guard let (transport, encryption) = transports.entry(for: scheme) else {
      let known = transports.schemes.map(\.name).joined(separator: ", ")
      throw ProbeFailure(.invalidRequest, "the scheme \(scheme) is unknown: use one of \(known)")
    }
    if policy.httpsOnly, encryption == .plaintext {
      throw ProbeFailure(.plaintext, "\(scheme) is not encrypted, and the policy is HTTPS-only")
    }
    do throws(InvalidInput) {
      if request.retries != 0 { try request.checkRetries() }
    } catch {
      throw ProbeFailure(.invalidRequest, error.description)
    }
    try transport.refuseInvalid(request)
    return transport
  }

  private nonisolated(nonsending) func exchange(
    _ request: ProbeRequest, over transport: any ProbeTransport
  ) async throws(ProbeFailure) -> ProbeResponse {
    guard !Task.isCancelled else { throw .cancelled }
    do {
      guard let transport = transport as? any CheckedTransport else {
        return try await transport.probe(request)
      }
      return try await transport.probe(checked: request)
    } catch {
      throw try failure(error)
    }
  }

  /// The failure that a transport's error is.
  ///
  /// - Throws: `policy.downgrade` in its place.
  // Not a part of its caller, in which thousands of probes wait: they need no room for it until then.
  @inline(never)
  private func failure(_ error: any Error) throws(ProbeFailure) -> ProbeFailure {
    switch error {
    case var failure as ProbeFailure:
      // The head may have come whole before the probe failed, and a redirect in it is under the policy too.
      if var partial = failure.partial {
        _ = try redirect(of: &partial, earlier: [])
        failure.partial = partial
      }
      return failure
    case is CancellationError:
      return .cancelled
    default:
      // Many APIs have an error of their own for cancellation.
      return Task.isCancelled ? .cancelled : ProbeFailure(.transportFailure, "\(error)")
    }
  }

  private nonisolated(nonsending) func follow(
    _ first: RedirectHop, of firstResponse: ProbeResponse, for request: ProbeRequest, taken: Duration
  ) async throws(ProbeFailure) -> ProbeResponse {
    var response = firstResponse
    var request = request
    var next: RedirectHop? = first
    var remaining = request.redirects
    var taken = taken
    while let hop = next {
      // A redirect to nowhere, or to what only another program opens, is an answer like any other; the validator
      // judges it.
      guard let target = hop.target, transports[target.scheme] != nil else { return response }
      guard remaining > 0 else {
        throw ProbeFailure(
          .tooManyRedirects, "more than \(response.redirects.count - 1) redirects; the last one to \(target)",
          partial: response)
      }
      remaining -= 1
      request = request.redirected(by: hop, to: target)
      request.timeout -= taken
      guard request.timeout > .zero else {
        throw ProbeFailure(
          .totalTimeout, "no time left to follow the redirect to \(target)", partial: response)
      }
      let earlier = response
      let start = ContinuousClock.now
      do {
        let transport = try transport(for: request)
        response = try await exchange(request, over: transport)
      } catch {
        throw error.after(earlier)
      }
      taken = response.timings.total ?? start.duration(to: .now)
      response.timings.add(earlier.timings)
      next = try redirect(of: &response, earlier: earlier.redirects)
    }
    return response
  }
}

extension Prober {
  /// Notes the redirect an answer is, and any the transport followed by itself, and holds the policy against them.
  private func redirect(
    of response: inout ProbeResponse, earlier: [RedirectHop]
  ) throws(ProbeFailure) -> RedirectHop? {
    let hop = RedirectHop(of: response.head, from: response.url)
    if let hop, response.redirects.last != hop { response.redirects.append(hop) }
    if !earlier.isEmpty { response.redirects = earlier + response.redirects }
    guard policy.httpsOnly else { return hop }
    // The answer's own URL tells of redirects that a transport followed and did not note.
    let visited = response.redirects.flatMap { [$0.url] + ($0.target.map { [$0] } ?? []) } + [response.url]
    if let plain = visited.first(where: { transports.encryption(of: $0.scheme) != .encrypted }) {
      throw ProbeFailure(
        .downgrade, "an encrypted exchange was redirected to \(plain), and the policy is HTTPS-only",
        partial: response)
    }
    return hop
  }
}

extension ProbeFailure {
  fileprivate static var cancelled: ProbeFailure { ProbeFailure(.cancelled, "the probe was cancelled") }

  /// The failure with what earlier exchanges of the same probe had learnt.
  fileprivate func after(_ earlier: ProbeResponse) -> ProbeFailure {
    var failure = self
    guard var partial else {
      failure.partial = earlier
      return failure
    }
    partial.redirects = earlier.redirects + partial.redirects
    partial.timings.add(earlier.timings)
    failure.partial = partial
    return failure
  }
}
