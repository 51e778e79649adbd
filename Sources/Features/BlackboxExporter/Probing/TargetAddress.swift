import ProbeCore

/// The address of a target, chosen by the rules of a module.
struct TargetAddress: Sendable {
  let address: IPAddress
  /// All addresses that the lookup found.
  let found: FoundAddresses
  /// The duration of the lookup; zero for a target that is an address.
  let lookupTime: Duration

  /// Chooses an address: the first one of the preferred family or, with fallback, of the other one.
  static func choose(among addresses: [IPAddress], _ choice: AddressChoice) -> IPAddress? {
    addresses.first { $0.family == choice.preferred } ?? (choice.fallsBack ? addresses.first : nil)
  }
}

extension ExporterProber {
  /// Looks up a target and sets the samples of the lookup.
  ///
  /// - Parameters:
  ///   - url: A URL of the target.
  ///   - choice: The rules for choosing an address.
  ///   - proxyLooksUp: Whether a proxy looks the name up again, and may choose any of its addresses.
  ///   - run: The probe.
  /// - Returns: The address; nil if the probe has failed.
  func address(
    of url: ProbeURL, _ choice: AddressChoice, proxyLooksUp: Bool = false, _ run: inout ModuleRun
  ) async -> TargetAddress? {
    for metric in [ProbeMetric.protocolVersion, .addressHash, .lookupTime] { run.samples.set(metric, to: 0) }
    // A refused name is not looked up.
    if let refusal = targets.refusal(ofHostOf: url) {
      run.fail(.addressRefused, refusal.words(for: url.host))
      return nil
    }
    var request = ProbeRequest(url)
    request.timeout = run.remaining
    if !choice.fallsBack, !proxyLooksUp { request.family = choice.preferred }
    let start = ContinuousClock.now
    let found: FoundAddresses
    do throws(ProbeFailure) {
      guard request.timeout > .zero else { throw ProbeFailure(.resolveTimeout, "no time is left") }
      found =
        try await finder.addresses(for: request) ?? FoundAddresses(host: url.host, addresses: [])
    } catch {
      run.samples.set(.lookupTime, to: start.duration(to: .now) / .seconds(1))
      run.fail(error)
      return nil
    }
    let time = start.duration(to: .now)
    run.samples.set(.lookupTime, to: time / .seconds(1))
    // The rules are applied before connecting, because the transports' guard does not apply to `connectTo` rules. As
    // there, the permitted addresses of a name are used. A proxy that looks it up may choose any: see ``judge``.
    let rules = targets.forAddresses(ofHostOf: url)
    let all = found.addresses.map(\.address)
    let permitted = proxyLooksUp ? all : all.filter { rules.refusal(of: $0) == nil }
    guard let address = TargetAddress.choose(among: permitted.isEmpty ? all : permitted, choice) else {
      run.fail(.noAddress, "\(url.host) has no IPv\(choice.preferred == .v4 ? 4 : 6) address")
      return nil
    }
    run.samples.set(.protocolVersion, to: address.family == .v4 ? 4 : 6)
    run.samples.set(.addressHash, to: Double(address.fnv1a))
    if !proxyLooksUp, let refusal = rules.refusal(of: address) {
      run.fail(.addressRefused, refusal.words(for: url.host, at: address))
      return nil
    }
    run.note("\(url.host) is \(address)")
    return TargetAddress(address: address, found: found, lookupTime: time)
  }
}

extension ExporterProber {
  /// Looks up a target that is left to the proxy, only to judge its addresses.
  ///
  /// - Returns: The addresses; nil if they do not matter, or the probe has failed.
  func judgedAddresses(ofProxied url: ProbeURL, _ run: inout ModuleRun) async -> FoundAddresses? {
    do throws(ProbeFailure) {
      return try await targets.judge(hostBehindProxy: url) {
        [remaining = run.remaining] () throws(ProbeFailure) in
        guard remaining > .zero else { throw ProbeFailure(.totalTimeout, "no time is left") }
        var request = ProbeRequest(url)
        request.timeout = remaining
        return try await finder.addresses(for: request)
      }
    } catch {
      run.fail(error)
      return nil
    }
  }
}

extension ProbeRequest {
  /// A request of a module, which may be unencrypted.
  ///
  /// - Parameters:
  ///   - url: Its URL.
  ///   - source: The local address to send from; nil for the one that the routing table selects.
  ///   - timeout: Its timeout.
  init(_ url: ProbeURL, from source: IPAddress? = nil, within timeout: Duration) {
    self.init(url)
    self.timeout = timeout
    self.source = source.map { ProbeSource($0) }
    policy = .plaintextAllowed
  }

  /// Connects to an address instead of the host of the URL, which TLS verifies.
  ///
  /// - Throws: `InvalidInput` if the file of authorities cannot be read.
  mutating func connect(to address: IPAddress, _ tls: ModuleTLS) throws(InvalidInput) {
    connectTo = [ConnectTo(host: nil, port: nil, targetHost: address.description, targetPort: nil)]
    self.tls = try tls.options()
  }
}

extension IPAddress {
  /// The 32-bit FNV-1a hash of its 4 or 16 bytes.
  var fnv1a: UInt32 {
    let count = family == .v4 ? 4 : 16
    return (0..<count).reversed().reduce(0x811C_9DC5) { hash, index in
      (hash ^ UInt32(truncatingIfNeeded: (bits >> (8 * index)) & 0xFF)) &* 0x0100_0193
    }
  }
}

extension ProbeURL {
  /// The URL of a target that is a host, with or without a port.
  ///
  /// - Throws: `InvalidInput` if it is anything else.
  init(scheme: URLScheme, target: String) throws(InvalidInput) {
    // In a URL these would end the host, or be decoded although the query of the request already was.
    if let character = target.unicodeScalars.first(where: { "/?#%\\".unicodeScalars.contains($0) }) {
      throw InvalidInput("it is not a host: it contains \(character)")
    }
    try self.init("\(scheme)://\(target)")
  }
}
