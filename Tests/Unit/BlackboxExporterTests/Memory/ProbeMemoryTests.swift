import BundledPlugins
import ByteStreams
import LoopbackServer
import ProbeCore
import ProbePipeline
import TestSupport
import Testing

@testable import BlackboxExporter
import ProbePatterns

/// The memory that all probes of an exporter share, over real connections.
@Suite struct ProbeMemoryTests {
  private static let length = 300_000
  private static let body = [UInt8](repeating: UInt8(ascii: "x"), count: length)

  /// A prober whose probes share a mebibyte.
  private static func prober(maximumBytes: Int = 1 << 20) throws -> ExporterProber {
    try ExporterProber(
      PluginRegistry.bundled.transports, connector: StreamConnector(),
      targets: TargetRules(allowsPrivate: true),
      memory: ProbeMemory(MemoryTurns(ownBytes: 64 << 10, maximumBytes: maximumBytes, sharedBytes: 1 << 20)))
  }

  /// Another probe that holds all the memory.
  private static func holder(_ prober: ExporterProber) async -> MemoryShare {
    let share = prober.memory.share(of: "other", keepsBytes: true)
    let isHeld = await share.provide((1 << 20) + (64 << 10), by: .now + plenty)
    #expect(isHeld)
    return share
  }

  private static func server(isSecure: Bool) throws -> LoopbackServer {
    try LoopbackServer.http(tls: isSecure ? try TestAuthority.server() : nil) { _ in .response(bytes: body) }
  }

  private static func probe(
    _ server: LoopbackServer, isSecure: Bool, timeout: Duration = plenty, by prober: ExporterProber,
    _ adjust: @Sendable (inout HTTPModule) throws -> Void
  ) async throws -> ProbeReport {
    // By default, https is probed with libcurl, and http with ProbeKit's own client.
    try await probeHTTP(isSecure ? server.secureURL : server.url(), timeout: timeout, by: prober) { module in
      module.addresses = .ipv4
      module.tls.authorities = try TestAuthority.pem
      try adjust(&module)
    }
  }

  @Test(arguments: [false, true]) func aBodyThatNothingReadsNeedsNoMemory(isSecure: Bool) async throws {
    let prober = try Self.prober()
    let holder = await Self.holder(prober)
    defer { holder.end() }
    let report = try await Self.probe(Self.server(isSecure: isSecure), isSecure: isSecure, by: prober) { _ in
    }
    #expect(report.succeeded, "\(report.story)")
    #expect(report.samples["probe_http_uncompressed_body_length"] == Double(Self.length))
    #expect(report.samples["probe_http_content_length"] == Double(Self.length))
    #expect(prober.memory.text.contains("\nprobekit_probe_memory_waits_total 0\n"))
  }

  @Test(arguments: [false, true]) func aProbeWithoutMemoryFailsWhenItsTimeIsOver(isSecure: Bool) async throws
  {
    let prober = try Self.prober()
    let holder = await Self.holder(prober)
    defer { holder.end() }
    let report = try await Self.probe(
      Self.server(isSecure: isSecure), isSecure: isSecure, timeout: .seconds(2), by: prober
    ) { $0.failsIfBodyDoesNotMatch = [try GoPattern("x")] }
    #expect(report.failure?.reason == .noMemory, "\(report.story)")
    let metrics = Samples(prober.memory.text)
    #expect(metrics["probekit_probe_memory_waits_total"] == 1)
    #expect(metrics["probekit_probe_memory_refusals_total"] == 1)
    #expect(metrics["probekit_probe_memory_held_bytes"] == 1_048_576)
  }

  /// Its time is not spent on waiting.
  @Test(arguments: [false, true]) func aBodyThatNeedsTooMuchFailsAtOnce(isSecure: Bool) async throws {
    let prober = try Self.prober(maximumBytes: 128 << 10)
    let report = try await Self.probe(Self.server(isSecure: isSecure), isSecure: isSecure, by: prober) {
      $0.failsIfBodyDoesNotMatch = [try GoPattern("x")]
    }
    #expect(report.failure?.reason == .noMemory, "\(report.story)")
    #expect(report.failure?.detail.contains("that a probe may have") == true)
    #expect(Samples(prober.memory.text)["probekit_probe_memory_held_bytes"] == 0)
  }

  @Test func decodedBytesThatNeedTooMuchFailAtOnce() async throws {
    let prober = try Self.prober(maximumBytes: 512 << 10)
    let server = try LoopbackServer.http { _ in .response(bytes: ZerosInGzip.bytes) }
    let report = try await probeHTTP(server.url(), by: prober) {
      $0.compression = "gzip"
      $0.failsIfBodyDoesNotMatch = [try GoPattern("x")]
    }
    #expect(report.failure?.reason == .noMemory, "\(report.story)")
    #expect(report.failure?.detail.contains("that a probe may have") == true)
  }

  @Test(arguments: [false, true]) func aProbeContinuesWhenItsTurnComes(isSecure: Bool) async throws {
    let prober = try Self.prober()
    let holder = await Self.holder(prober)
    let server = try Self.server(isSecure: isSecure)
    async let reported = Self.probe(server, isSecure: isSecure, by: prober) {
      $0.failsIfBodyDoesNotMatch = [try GoPattern("^x{10}"), try GoPattern("x{10}$")]
    }
    while Samples(prober.memory.text)["probekit_probe_memory_waits_total"] == 0 { await Task.yield() }
    holder.end()
    let report = try await reported
    #expect(report.succeeded, "\(report.story)")
    #expect(report.samples["probe_http_uncompressed_body_length"] == Double(Self.length))
    let metrics = Samples(prober.memory.text)
    #expect(metrics["probekit_probe_memory_held_bytes"] == 0)
    #expect(metrics["probekit_probe_memory_refusals_total"] == 0)
  }

  @Test func aPipelineTakesTheMemoryForItsBodiesBeforeItStarts() async throws {
    let prober = try Self.prober()
    let holder = await Self.holder(prober)
    let server = try Self.server(isSecure: false)
    let text = """
      { version: 1, name: pages, question: services, policy: { https: optional }, request: { maxBody: 512KiB },
        sets: [{ name: pages, urls: ["\(server.url())"] }] }
      """
    let loaded = PipelineLoader(try .bundled).load(path: "pages.yaml", bytes: Array(text.utf8))
    let pipeline = try ServedPipeline(loaded, in: .environment([:]))
    let module = ExporterModule(name: "pages", prober: "pipeline", probe: .pipeline(pipeline))
    let refused = await prober.probe("", with: module, timeout: .milliseconds(200))
    #expect(refused.failure?.reason == .noMemory, "\(refused.story)")
    #expect(server.requests.isEmpty)
    holder.end()
    let report = await prober.probe("", with: module, timeout: plenty)
    #expect(report.succeeded, "\(report.story)")
    #expect(Samples(prober.memory.text)["probekit_probe_memory_held_bytes"] == 0)
  }

  @Test func decodedBytesThatNothingReadsAreOnlyCounted() async throws {
    let prober = try Self.prober()
    let server = try LoopbackServer.http { _ in .response(bytes: ZerosInGzip.bytes) }
    let report = try await probeHTTP(server.url(), by: prober) { $0.compression = "gzip" }
    #expect(report.succeeded, "\(report.story)")
    #expect(report.samples["probe_http_uncompressed_body_length"] == 1_048_576)
    let metrics = Samples(prober.memory.text)
    #expect(metrics["probekit_probe_memory_waits_total"] == 0)
    #expect(metrics["probekit_probe_memory_held_bytes"] == 0)
  }

  @Test func aLogIsBoundedAndSaysWhatIsLeftOut() async throws {
    let line = String(repeating: "A", count: 120) + "\n"
    let server = try LoopbackServer { connection in
      try connection.send(String(repeating: line, count: 20_000))
      connection.close()
    }
    let report = try await probeTCP(server.hostAndPort) { $0.steps = [.expect(try GoPattern("^B"))] }
    #expect(report.failure?.reason == .bodyMismatch, "\(report.story.suffix(500))")
    #expect(report.story.utf8.count < ModuleRun.maximumLogBytes + 2000)
    let end = report.log.suffix(3)
    #expect(end.first?.hasSuffix("further lines were left out") == true, "\(end)")
    #expect(end.dropFirst().first?.hasPrefix("failed: body.mismatch") == true, "\(end)")
    #expect(end.last?.hasPrefix("failed after") == true, "\(end)")
  }

  @Test func aServerThatFloodsKeyUpdatesFailsItsProbe() async throws {
    let server = try LoopbackServer(tls: TestAuthority.server()) { connection in
      _ = try connection.readRequest()
      while true { try connection.updateKeys() }
    }
    for usesCurl in [false, true] {
      let report = try await probeHTTP(server.secureURL) { module in
        module.addresses = .ipv4
        module.tls.authorities = try TestAuthority.pem
        module.allowsHTTP2 = usesCurl
      }
      let reason = report.failure?.reason
      #expect(usesCurl ? reason == .httpNoResponse : reason == .tlsHandshake, "\(report.story)")
    }
  }
}
