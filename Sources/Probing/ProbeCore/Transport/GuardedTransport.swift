extension TransportRegistry {
  /// These transports, restricted to connections that the rules allow; others fail with `policy.address`.
  ///
  /// The rules apply to every exchange, and so to every redirect: to the host of its URL, and to its
  /// addresses. The host that a `connectTo` rule of the request names, and the proxy itself, may have any address.
  ///
  /// - Parameter rules: The rules.
  /// - Returns: The transports.
  package func guarded(by rules: TargetRules) -> TransportRegistry {
    guarded(by: .targets(rules))
  }

  /// These transports, restricted to connections that a rule allows.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - isExempt: Returns whether the rule does not apply to a URL.
  /// - Returns: The transports.
  package func guarded(
    by rule: AddressRule, exceptFor isExempt: @escaping @Sendable (ProbeURL) -> Bool = { _ in false }
  ) -> TransportRegistry {
    wrapping { GuardedTransport($0, rule, isExempt) }
  }
}

/// A transport that refuses hosts and addresses.
private struct GuardedTransport: ProbeTransport {
  private let transport: any ProbeTransport
  private let checkedTransport: (any CheckedTransport)?
  private let finder: (any AddressFinding)?
  private let rule: AddressRule
  /// An array with only the rule, shared by all requests.
  private let rules: [AddressRule]
  /// The rules with a list of allowed targets; nil without one.
  private let restricted: TargetRules?
  private let isExempt: @Sendable (ProbeURL) -> Bool

  init(
    _ transport: any ProbeTransport, _ rule: AddressRule, _ isExempt: @escaping @Sendable (ProbeURL) -> Bool
  ) {
    self.transport = transport
    checkedTransport = transport as? any CheckedTransport
    finder = transport as? any AddressFinding
    self.rule = rule
    rules = [rule]
    if case .targets(let targets) = rule, targets.only != nil {
      restricted = targets
    } else {
      restricted = nil
    }
    self.isExempt = isExempt
  }

  var schemes: [URLScheme: Encryption] { transport.schemes }

  var executors: [any TaskExecutor] { transport.executors }

  func check(_ request: ProbeRequest) throws(InvalidInput) {
    try transport.check(request)
  }

  func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    try transport.checkFiles(of: request)
  }

  func requestKeys(for scheme: URLScheme) -> [RequestKey] { transport.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    let request = try guarded(request)
    guard request.proxy == nil else { return try await probe(throughProxy: request) }
    return try await transport.probe(request)
  }

  /// Probes a host that the proxy looks up, if its addresses are allowed.
  ///
  /// The lookup counts toward the timeout and the duration of the probe.
  // Not inlined: otherwise each of thousands of waiting probes would reserve memory for it in its caller.
  @inline(never)
  private func probe(throughProxy given: ProbeRequest) async throws -> ProbeResponse {
    var request = given
    var time = Duration.zero
    let isRouted = request.connectTo.first { $0.applies(to: given.url) }?.targetHost != nil
    if case .targets(let targets) = rule, !isRouted, request.url.scheme != .check, !isExempt(request.url) {
      let start = ContinuousClock.now
      let found = try await targets.judge(hostBehindProxy: request.url) { () throws(ProbeFailure) in
        if let known = request.knownAddresses, known.host == request.url.host { return known }
        return try await finder?.addresses(for: request.withoutProxy)
      }
      time = start.duration(to: .now)
      // Another guard of the same probe need not look it up again.
      if request.knownAddresses == nil { request.knownAddresses = found }
      request.timeout -= time
      guard request.timeout > .zero else {
        throw ProbeFailure(.totalTimeout, "no time is left after the lookup of \(request.url.host)")
      }
    }
    var response = try await transport.probe(request)
    if let total = response.timings.total { response.timings.total = total + time }
    return response
  }

  /// The request with the rules for the addresses of its host.
  ///
  /// No rule can apply to the connections of a check, which is a program; its URL has the program's name, not a host.
  ///
  /// - Throws: `policy.address` if the host itself is refused.
  private func guarded(_ request: ProbeRequest) throws(ProbeFailure) -> ProbeRequest {
    guard request.url.scheme != .check, !isExempt(request.url) else { return request }
    if let refusal = rule.refusal(ofHostOf: request.url) {
      throw ProbeFailure(.addressRefused, refusal.words(for: request.url.host))
    }
    var request = request
    let rules = restricted.map { [.targets($0.forAddresses(ofHostOf: request.url))] } ?? rules
    request.addressRules = request.addressRules.isEmpty ? rules : request.addressRules + rules
    // Third-party transports know only this property.
    if rule.refusesThisMachine { request.staysOffThisMachine = true }
    return request
  }
}

extension GuardedTransport: CheckedTransport {
  func probe(checked request: ProbeRequest) async throws -> ProbeResponse {
    let request = try guarded(request)
    guard request.proxy == nil else { return try await probe(throughProxy: request) }
    guard let checkedTransport else { return try await transport.probe(request) }
    return try await checkedTransport.probe(checked: request)
  }
}

extension GuardedTransport: AddressFinding {
  func addresses(for request: ProbeRequest) async throws(ProbeFailure) -> FoundAddresses? {
    let request = try guarded(request)
    return try await finder?.addresses(for: request)
  }
}

extension ProbeRequest {
  /// The request for a lookup of the URL's host, by either family, because the proxy chooses.
  fileprivate var withoutProxy: ProbeRequest {
    var request = self
    (request.proxy, request.family, request.source) = (nil, nil, nil)
    return request
  }
}

extension AddressRule {
  fileprivate var refusesThisMachine: Bool {
    switch self {
    case .offThisMachine, .networkInUse: true
    case .targets(let rules): !rules.allowsPrivate
    }
  }
}
