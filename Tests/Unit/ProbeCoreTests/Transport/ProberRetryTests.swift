import ProbeBase
import ProbeCore
import TestSupport
import Testing

/// Retries, with a clock that only records the delays.
@Suite struct ProberRetryTests {
  /// A clock whose waits end at once, or never.
  final class NotingClock: Clock, Sendable {
    struct Instant: InstantProtocol {
      var offset: Duration
      func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
      func duration(to other: Instant) -> Duration { other.offset - offset }
      static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let time = Guarded(Duration.zero)
    private let waited = Guarded<[Duration]>([])
    let isEndless: Bool
    let onSleep: @Sendable () -> Void

    init(isEndless: Bool = false, onSleep: @escaping @Sendable () -> Void = {}) {
      self.isEndless = isEndless
      self.onSleep = onSleep
    }

    var now: Instant { Instant(offset: time.withLock { $0 }) }
    var minimumResolution: Duration { .zero }
    var waits: [Duration] { waited.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      let wait = now.duration(to: deadline)
      waited.withLock { $0.append(wait) }
      onSleep()
      if isEndless { try await Task.sleep(for: .seconds(3600)) }
      time.withLock { $0 += wait }
    }
  }

  /// Responds with the given results, attempt by attempt; the last one is repeated.
  private func prober(
    _ clock: NotingClock, _ results: [Result<Int, ProbeFailure>]
  ) throws -> (Prober, RecordingTransport) {
    let count = Guarded(0)
    let transport = RecordingTransport { request in
      let index = count.withLock { count in
        defer { count += 1 }
        return min(count, results.count - 1)
      }
      return ProbeResponse(url: request.url, head: HTTPResponseHead(status: try results[index].get()))
    }
    var transports = TransportRegistry()
    try transports.register(transport)
    return (Prober(transports, clock: clock, chance: { 1 }), transport)
  }

  private func request(_ retries: Int) throws -> ProbeRequest {
    var request = ProbeRequest(try ProbeURL("https://h.test/"))
    request.retries = retries
    request.backoff = RetryBackoff(initial: .seconds(1), maximum: .seconds(3))
    return request
  }

  private static func failure(_ reason: ReasonCode) -> Result<Int, ProbeFailure> {
    .failure(ProbeFailure(reason, "it went wrong"))
  }

  @Test func aTransientFailureIsRetried() async throws {
    let clock = NotingClock()
    let (prober, transport) = try prober(
      clock, [Self.failure(.connectReset), .success(503), Self.failure(.responseTimeout), .success(200)])
    let response = try await prober.probe(try request(5))
    #expect(response.status == 200 && response.attempts == 4)
    #expect(transport.seen.count == 4)
    #expect(transport.seen.allSatisfy { $0.timeout == .seconds(5) }, "each attempt has all the time")
    #expect(clock.waits == [.seconds(1), .seconds(2), .seconds(3)])
  }

  @Test func theLastAttemptIsTheResult() async throws {
    let clock = NotingClock()
    let (failing, transport) = try prober(clock, [.success(503), Self.failure(.connectRefused)])
    let failure = await #expect(throws: ProbeFailure.self) { _ = try await failing.probe(try request(2)) }
    #expect(failure?.description == "connect.refused: it went wrong, in attempt 3")
    #expect(transport.seen.count == 3)
    let (busy, _) = try prober(clock, [.success(503)])
    let response = try await busy.probe(try request(1))
    #expect(response.status == 503 && response.attempts == 2)
  }

  @Test func withoutRetriesThereIsOneAttempt() async throws {
    let clock = NotingClock()
    let (prober, transport) = try prober(clock, [Self.failure(.connectReset)])
    let failure = await #expect(throws: ProbeFailure.self) { _ = try await prober.probe(try request(0)) }
    #expect(failure?.detail == "it went wrong")
    #expect(transport.seen.count == 1 && clock.waits.isEmpty)
  }

  @Test(arguments: ReasonCode.all)
  func onlyTransientFailuresAreRetried(_ reason: ReasonCode) async throws {
    let mayPass: Set<ReasonCode> = [
      .dnsFailure, .connectRefused, .connectUnreachable, .connectReset, .connectFailed, .proxyUnreachable,
      .resolveTimeout, .connectTimeout, .tlsTimeout, .responseTimeout, .bodyTimeout, .totalTimeout,
      .httpHeadCut, .httpNoResponse, .bodyShort, .checkWarning, .checkCritical, .checkUnknown,
    ]
    let (prober, transport) = try prober(NotingClock(), [Self.failure(reason)])
    let failure = await #expect(throws: ProbeFailure.self) { _ = try await prober.probe(try request(1)) }
    #expect(failure?.reason == reason)
    #expect(transport.seen.count == (mayPass.contains(reason) ? 2 : 1))
  }

  @Test(arguments: [200, 204, 301, 400, 401, 404, 408, 429, 500, 501, 502, 503, 504, 511])
  func theRetriedStatusesAreThoseOfCurl(_ status: Int) async throws {
    let (prober, transport) = try prober(NotingClock(), [.success(status)])
    #expect(try await prober.probe(try request(1)).status == status)
    #expect(transport.seen.count == ([408, 429, 500, 502, 503, 504].contains(status) ? 2 : 1))
  }

  @Test func cancellingEndsTheWait() async throws {
    let (waiting, wait) = AsyncStream.makeStream(of: Void.self)
    let clock = NotingClock(isEndless: true) { wait.yield() }
    let (prober, transport) = try prober(clock, [.success(503)])
    let request = try request(3)
    let probe = Task { () -> ProbeFailure? in
      do throws(ProbeFailure) {
        _ = try await prober.probe(request)
        return nil
      } catch {
        return error
      }
    }
    for await _ in waiting { break }
    probe.cancel()
    let failure = await probe.value
    #expect(failure?.description == "cancelled: the probe was cancelled before attempt 2")
    #expect(failure?.partial?.status == 503)
    #expect(transport.seen.count == 1)
  }

  @Test func unrepeatableRequestsAreRefusedInAdvance() async throws {
    let (prober, transport) = try prober(NotingClock(), [.success(200)])
    for retries in [-1, 101] {
      #expect(throws: ProbeFailure.self) { try prober.check(try request(retries)) }
    }
    var odd = try request(1)
    odd.backoff.initial = .seconds(-1)
    let impatient = odd
    #expect(throws: ProbeFailure.self) { try prober.check(impatient) }
    #expect(transport.seen.isEmpty)
  }

  @Test func aDowngradeIsNotRetried() async throws {
    let transport = RecordingTransport(redirects: ["https://h.test/": "http://plain.test/"])
    var transports = TransportRegistry()
    try transports.register(transport)
    let prober = Prober(transports, clock: NotingClock(), chance: { 1 })
    let failure = await #expect(throws: ProbeFailure.self) { _ = try await prober.probe(try request(3)) }
    #expect(failure?.reason == .downgrade)
    #expect(transport.seen.count == 1)
  }
}

@Suite struct ProberSecretTests {
  @Test(arguments: ["/again", "https://other.test/"])
  func credentialsAndCertificatesStayWithTheirOrigin(_ location: String) async throws {
    let transport = RecordingTransport(redirects: ["https://h.test/": location])
    let certificate = ClientCertificate(certificateFile: "c.pem")
    _ = try await transport.probe("https://h.test/") {
      $0.redirects = 1
      $0.http.credentials = .bearer(Secret("token"))
      $0.tls.clientCertificate = certificate
      $0.http.headers = ["X-Api-Key": "secret", "Accept": "*/*"]
    }
    let isSame = location == "/again"
    #expect(transport.seen.map { $0.http.credentials != nil } == [true, isSame])
    #expect(transport.seen.map { $0.http.headers["X-Api-Key"] != nil } == [true, isSame])
    #expect(transport.seen.allSatisfy { $0.http.headers["Accept"] == "*/*" })
    #expect(transport.seen.map { $0.tls.clientCertificate } == [certificate, isSame ? certificate : nil])
  }

  @Test func echoedSecretsAreRedactedInFailures() async throws {
    let transport = RecordingTransport { request in
      throw ProbeFailure(
        .httpProtocol, "not valid HTTP: you said token-canary",
        partial: ProbeResponse(
          url: request.url, head: HTTPResponseHead(status: 200, fields: ["X-Echo": "token-canary"])))
    }
    let failure = try await transport.failure("https://h.test/") {
      $0.http.credentials = .bearer(Secret("token-canary"))
    }
    #expect(failure?.detail == "not valid HTTP: you said <redacted>")
    #expect(failure?.partial?.head?.fields["X-Echo"] == "<redacted>")
  }

  @Test func aLongEchoDoesNotDelayOtherTasks() async throws {
    let thread = OwnThread()
    let isOtherDone = Guarded(false)
    let transport = RecordingTransport { request in
      Task(executorPreference: thread) { isOtherDone.withLock { $0 = true } }
      let body = Array(String(repeating: "token-canary ", count: 2000).utf8)
      throw ProbeFailure(.bodyShort, "short", partial: ProbeResponse(url: request.url, body: body))
    }
    let probing = Task(executorPreference: thread) {
      let failure = try await transport.failure("https://h.test/") {
        $0.http.credentials = .bearer(Secret("token-canary"))
      }
      return (failure, wasHeldUp: !isOtherDone.withLock(\.self))
    }
    let (failure, wasHeldUp) = try await probing.value
    #expect(!wasHeldUp)
    #expect(failure?.partial?.body == Array(String(repeating: "<redacted> ", count: 2000).utf8))
  }
}
