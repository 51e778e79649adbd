/// Sends a request and returns its response: selects the transport, enforces the policy, follows redirects.
///
/// Every exchange of every transport, including custom ones, goes through a prober.
public struct Prober: Sendable {
  private let transports: TransportRegistry
  private let policy: ProbePolicy
  let clock: any Clock<Duration>
  let chance: @Sendable () -> Double

  /// Creates a prober with these transports.
  ///
  /// - Parameters:
  ///   - transports: The transports for the probes.
  ///   - policy: The kinds of exchanges to allow, unless a request has a policy of its own.
  ///   - clock: The clock for the waits between attempts.
  ///   - chance: Returns a number from 0 to 1 for each such wait; see ``RetryBackoff``.
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

  /// Checks whether a request can be probed, before anything is sent.
  ///
  /// - Throws: ``ProbeFailure`` with `policy.plaintext` or `request.invalid`.
  public func check(_ request: ProbeRequest) throws(ProbeFailure) {
    _ = try transport(for: request)
  }

  /// Sends a request, follows its redirects, and retries it.
  ///
  /// Each attempt is one exchange, and one more for each redirect that the request allows to follow. If an
  /// attempt fails for a transient reason, it is repeated as often as the request allows.
  ///
  /// The detail of a failure never contains the request's secrets, even if a server echoed them. The response
  /// itself is unchanged, so that it can be judged; apply ``Redactor`` before you show it.
  ///
  /// - Throws: ``ProbeFailure`` with the reason and everything learned so far.
  public nonisolated(nonsending) func probe(_ request: ProbeRequest) async throws(ProbeFailure)
    -> ProbeResponse
  {
    do throws(ProbeFailure) {
      return try await response(to: request)
    } catch {
      throw await request.redacted(error)
    }
  }

  /// Does the same, but throws a failure without redaction, so that it can be judged too.
  package nonisolated(nonsending) func response(to request: ProbeRequest) async throws(ProbeFailure)
    -> ProbeResponse
  {
    request.retries == 0 ? try await attempt(request) : try await retrying(request)
  }

  /// Makes one attempt.
  nonisolated(nonsending) func attempt(_ request: ProbeRequest) async throws(ProbeFailure)
    -> ProbeResponse
  {
    let transport = try transport(for: request)
    request.cookies?.begin()
    request.furtherReading?.begin(after: [])
    request.bodyKeeping?.begin()
    let start = ContinuousClock.now
    let response = try await exchange(request, over: transport)
    return try await end(response, to: request, since: start)
  }

  /// Returns the response itself, or the final one after redirects.
  // Not inlined: otherwise each of thousands of waiting probes would reserve memory for it in its caller.
  @inline(never)
  private nonisolated(nonsending) func end(
    _ response: consuming ProbeResponse, to request: ProbeRequest, since start: ContinuousClock.Instant
  ) async throws(ProbeFailure) -> ProbeResponse {
    var response = response
    if request.resolvesToThisMachine(response) { response.isFromThisMachine = true }
    guard let hop = try redirect(of: &response, earlier: [], to: request), request.redirects > 0 else {
      return response
    }
    let taken = response.timings.total ?? start.duration(to: .now)
    return try await follow(hop, of: response, for: request, taken: taken)
  }
}

extension Prober {
  private func policy(for request: ProbeRequest) -> ProbePolicy { request.policy ?? policy }

  private func transport(for request: ProbeRequest) throws(ProbeFailure) -> any ProbeTransport {
    let scheme = request.url.scheme
    guard let (transport, encryption) = transports.entry(for: scheme) else {
      let known = transports.schemesOfURLs.map(\.name).joined(separator: ", ")
      throw ProbeFailure(.invalidRequest, "the scheme \(scheme) is unknown: use one of \(known)")
    }
    guard policy(for: request).allows(encryption) else {
      throw ProbeFailure(
        .plaintext,
        "\(scheme) is not encrypted, and the policy is HTTPS-only: allow it with --allow-http, or in a pipeline with "
          + "policy: { https: optional }")
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
    guard request.cookies == nil else { return try await exchangeWithCookies(request, over: transport) }
    do {
      guard let transport = transport as? any CheckedTransport else {
        return try await transport.probe(request)
      }
      return try await transport.probe(checked: request)
    } catch {
      throw try failure(error, of: request)
    }
  }

  // Not inlined: otherwise each of thousands of waiting probes would reserve memory for it in its caller.
  @inline(never)
  private nonisolated(nonsending) func exchangeWithCookies(
    _ request: ProbeRequest, over transport: any ProbeTransport
  ) async throws(ProbeFailure) -> ProbeResponse {
    let response: ProbeResponse
    if let sent = request.withCookies() {
      // Not checked yet: its Cookie field is new.
      do { response = try await transport.probe(sent) } catch { throw try failure(error, of: request) }
    } else {
      var plain = request
      plain.cookies = nil
      response = try await exchange(plain, over: transport)
    }
    if let fields = response.head?.fields { request.cookies?.keep(fields, from: request.url) }
    return response
  }

  /// Converts a transport's error to a failure.
  ///
  /// - Throws: `policy.downgrade` if the partial response contains a redirect that the policy does not allow.
  // Not inlined: otherwise each of thousands of waiting probes would reserve memory for it in its caller.
  @inline(never)
  private func failure(_ error: any Error, of request: ProbeRequest) throws(ProbeFailure) -> ProbeFailure {
    switch error {
    case var failure as ProbeFailure:
      // The head may have been complete before the probe failed, and the policy applies to a redirect in it
      // too.
      if var partial = failure.partial {
        let isShortage = !failure.reason.traits.isDisjoint(with: .thisMachine)
        if !isShortage, request.resolvesToThisMachine(partial) {
          partial.isFromThisMachine = true
        }
        var lenient = request
        lenient.strictRedirects = false
        _ = try redirect(of: &partial, earlier: [], to: lenient)
        failure.partial = partial
      }
      return failure
    case is CancellationError:
      return .cancelled
    default:
      // Many APIs report cancellation with an error of their own.
      return Task.isCancelled ? .cancelled : ProbeFailure(.transportFailure, "\(error)")
    }
  }

  private nonisolated(nonsending) func follow(
    _ first: RedirectHop, of firstResponse: consuming ProbeResponse, for request: ProbeRequest,
    taken: Duration
  ) async throws(ProbeFailure) -> ProbeResponse {
    var response = firstResponse
    var request = request
    var next: RedirectHop? = first
    var remaining = request.redirects
    var taken = taken
    while let hop = next {
      // A redirect without a usable target, or to a scheme for another program, is a response like any other;
      // the validator judges it.
      guard let target = hop.target, transports[target.scheme] != nil,
        !target.scheme.missingParts.contains(.http), !hop.isAmbiguous || request.followsFirstLocation
      else { return response }
      // So is one that would pass on a secret.
      guard await !request.leaksSecret(to: target) else { return response }
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
      // Its memory is for the next one.
      if request.bodyKeeping != nil { response.body = [] }
      let earlier = response
      let start = ContinuousClock.now
      do {
        let transport = try transport(for: request)
        request.furtherReading?.begin(after: earlier.redirects)
        request.bodyKeeping?.begin()
        response = try await exchange(request, over: transport)
      } catch {
        throw error.after(earlier)
      }
      taken = response.timings.total ?? start.duration(to: .now)
      response.add(earlier)
      next = try redirect(of: &response, earlier: earlier.redirects, to: request)
    }
    return response
  }
}

extension Prober {
  /// Records the redirect in a response, and any that the transport followed itself, and applies the policy
  /// to them.
  private func redirect(
    of response: inout ProbeResponse, earlier: [RedirectHop], to request: ProbeRequest
  ) throws(ProbeFailure) -> RedirectHop? {
    let isStrict = request.strictRedirects
    var hop = RedirectHop(of: response.head, from: response.url)
    // To browsers, an empty location is none.
    if isStrict, hop?.location?.isEmpty == true { hop?.target = nil }
    if let hop, response.redirects.last != hop { response.redirects.append(hop) }
    if !earlier.isEmpty { response.redirects = earlier + response.redirects }
    if isStrict, let hop, let problem = hop.problem {
      throw ProbeFailure(.httpRedirect, problem, partial: response)
    }
    guard policy(for: request).httpsOnly, transports.encryption(of: request.url.scheme) == .encrypted else {
      return hop
    }
    // The URL of the response reveals redirects that a transport followed without recording them.
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

  /// The failure, together with what earlier exchanges of the same probe learned.
  fileprivate func after(_ earlier: ProbeResponse) -> ProbeFailure {
    var failure = self
    guard var partial else {
      failure.partial = earlier
      return failure
    }
    partial.redirects = earlier.redirects + partial.redirects
    partial.add(earlier)
    failure.partial = partial
    return failure
  }
}

extension ProbeRequest {
  /// Whether the request overrides where to connect for a URL, so that the host name is not resolved.
  package func isRouted(_ url: ProbeURL) -> Bool {
    proxy != nil || connectTo.first { $0.applies(to: url) }?.targetHost != nil
  }

  /// Whether the name in the URL resolved to an address of this machine; see ``ProbeResponse/isFromThisMachine``.
  fileprivate func resolvesToThisMachine(_ response: borrowing ProbeResponse) -> Bool {
    guard let address = response.remoteAddress?.address,
      response.connectsToItself || address.reach == .machine
    else { return false }
    return url.address == nil && !url.isLocal && !isRouted(url)
  }
}

extension RedirectHop {
  /// Why browsers refuse the redirect; nil if they follow it, or if it has no location to follow.
  package var problem: String? {
    guard let location, !location.isEmpty else { return nil }
    if isAmbiguous {
      return "the redirect has several Location fields that differ"
    }
    guard let target else { return "the redirect's target \(Excerpt(location)) is not a URL" }
    guard target.scheme == .http || target.scheme == .https else {
      return "the redirect's target has the scheme \(target.scheme), not http or https"
    }
    return nil
  }
}
