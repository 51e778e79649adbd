import ProbeCore

/// A transport whose every connection is made to a replay server.
///
/// Redirects need no care of their own: `Prober` follows them, and each hop comes by here.
struct LedTransport: ProbeTransport {
  let transport: any ProbeTransport
  let target: any LeadingTarget
  /// The certificate of the target's authority, in PEM form.
  let authority: [UInt8]
  let clock: any Clock<Duration>

  var schemes: [URLScheme: Encryption] { transport.schemes }

  var executors: [any TaskExecutor] { transport.executors }

  /// Refuses what the transport itself refuses, and what no fixture can answer.
  func check(_ request: ProbeRequest) throws(InvalidInput) {
    _ = try LedRequest(request)
    try transport.check(request)
  }

  func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    try transport.checkFiles(of: request)
  }

  func requestKeys(for scheme: URLScheme) -> [RequestKey] { transport.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    let led = try Self.led(request)
    let address = try await lookUp(led)
    let server = try entrance(for: led)
    let response: ProbeResponse
    do {
      response = try await transport.probe(led.sent(to: server, trusting: authority))
    } catch let failure as ProbeFailure {
      throw led.failure(failure, from: server, as: address)
    }
    return try led.answer(response, from: server, as: address)
  }
}

extension LedTransport {
  private static func led(_ request: ProbeRequest) throws(ProbeFailure) -> LedRequest {
    do {
      return try LedRequest(request)
    } catch {
      throw ProbeFailure(.invalidRequest, error.description)
    }
  }

  /// What the name resolves to, or nil when that means nothing.
  private nonisolated(nonsending) func lookUp(_ led: LedRequest) async throws(ProbeFailure) -> IPAddress? {
    switch led.lookup(led.nameToLookUp.flatMap(target.dnsAnswer)) {
    case .found(let address): return address
    case .fails(let reason, let words): throw led.failure(reason, words, after: .zero)
    case .isSilent:
      let time = led.timeForLookup
      guard (try? await clock.sleep(for: time)) != nil else {
        throw ProbeFailure(.cancelled, "the probe was cancelled")
      }
      let seconds = (time / .seconds(1) * 100).rounded() / 100
      throw led.failure(.resolveTimeout, "no answer from DNS after \(seconds) s", after: time)
    }
  }

  private func entrance(for led: LedRequest) throws(ProbeFailure) -> SocketAddress {
    var server = target.address(of: led.listener)
    // A server that listens on every address is reached on this machine's own.
    if server.address == IPAddress(v4: 0) { server.address = IPAddress(v4: 0x7F00_0001) }
    if server.address == IPAddress(v6: 0) { server.address = IPAddress(v6: 1) }
    switch led.entrance {
    case .shared: return server
    case .place(let host, let port):
      do {
        server.port = try target.place(led.listener, host: host, port: port)
        return server
      } catch {
        throw ProbeFailure(
          .transportFailure, "the replay server cannot stand in for \(host), port \(port): \(error)")
      }
    }
  }
}

extension TransportRegistry {
  /// These transports, with every connection made to a replay server.
  func led(to target: any LeadingTarget, clock: any Clock<Duration>) -> TransportRegistry {
    let authority = Array(target.authorityPEM.utf8)
    return wrapping { LedTransport(transport: $0, target: target, authority: authority, clock: clock) }
  }
}
