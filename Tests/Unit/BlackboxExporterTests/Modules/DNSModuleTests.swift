import LoopbackDNS
import LoopbackServer
import ProbeCore
import Testing

@testable import BlackboxExporter
import ProbePatterns

/// DNS modules.
@Suite struct DNSModuleTests {
  private static let addresses: [[UInt8]] = [[192, 0, 2, 1], [192, 0, 2, 2]]

  /// A server with two addresses for each name.
  private static func server(code: UInt8 = 0) throws -> LoopbackDNS {
    try LoopbackDNS { question in
      [addresses.reduce(DNSMessage(to: question, code: code)) { $0.with(.address($1)) }.bytes]
    }
  }

  private func probe(
    _ server: LoopbackDNS, _ adjust: (inout DNSModule) throws -> Void = { _ in }
  ) async throws -> ProbeReport {
    var module = DNSModule()
    (module.name, module.type) = ("name.example", "A")
    try adjust(&module)
    return try await ExporterProber.forTests.probe(
      "\(server.address)", with: ExporterModule(name: "dns", prober: "dns", probe: .dns(module)),
      timeout: plenty)
  }

  @Test func theRecordsOfAResponseAreCounted() async throws {
    let server = try Self.server()
    let report = try await probe(server)
    #expect(report.succeeded, "\(report.story)")
    let samples = report.samples
    #expect(samples["probe_dns_answer_rrs"] == 2)
    #expect(samples["probe_dns_authority_rrs"] == 0 && samples["probe_dns_additional_rrs"] == 0)
    #expect(samples["probe_dns_query_succeeded"] == 1)
    #expect(samples["probe_ip_protocol"] == 4)
    #expect(
      samples.values(of: "phase", in: "probe_dns_duration_seconds") == ["resolve", "connect", "request"])
    let question = try #require(server.questions.first)
    #expect(question.name == "name.example" && question.kind == .a)
    #expect(question.message[2] & 1 == 1)
  }

  @Test func theQueryMatchesTheModule() async throws {
    let server = try Self.server()
    let report = try await probe(server) { module in
      (module.name, module.type, module.query.recursion) = ("other.example", "TXT", false)
      module.recordClass = "CH"
    }
    #expect(report.succeeded, "\(report.story)")
    let question = try #require(server.questions.first)
    #expect(question.name == "other.example" && question.kind == .txt)
    #expect(question.bytes.suffix(2) == [0, 3])
    #expect(question.message[2] & 1 == 0)
  }

  /// The names as in the configuration, in which a backslash begins an escape (RFC 1035 §5.1).
  @Test(arguments: [
    "a%41.example", "a?type=MX.example", "a#b.example", "a/b.example", "a+b.example", "a%2Fb.example",
    "a\\.b.example",
  ])
  func theNameOfTheQueryIsExact(_ name: String) async throws {
    let server = try Self.server()
    let report = try await probe(server) { $0.name = name }
    #expect(report.succeeded, "\(report.story)")
    let question = try #require(server.questions.first)
    #expect(question.kind == .a)
    #expect(question.name == name.filter { $0 != "\\" })
  }

  @Test func theQueryUsesTCPIfConfigured() async throws {
    let server = try Self.server()
    for usesTCP in [false, true] {
      let report = try await probe(server) { $0.query.usesTCP = usesTCP }
      #expect(report.succeeded, "\(report.story)")
      #expect(report.samples["probe_dns_answer_rrs"] == 2)
      let phases = report.samples.all.filter { $0.name == "probe_dns_duration_seconds" }
      #expect(phases.contains { $0.labels["phase"] == "request" && $0.value > 0 }, "\(report.text)")
      #expect(phases.contains { $0.labels["phase"] == "connect" && $0.value > 0 } == usesTCP)
    }
    #expect(server.questions.map(\.isTCP) == [false, true])
  }

  @Test func aRefusedTCPConnectionIsAFailure() async throws {
    var module = DNSModule()
    (module.name, module.query.usesTCP) = ("name.example", true)
    let report = try await ExporterProber.forTests.probe(
      "127.0.0.1:\(try LoopbackServer.refusedPort())",
      with: ExporterModule(name: "dns", prober: "dns", probe: .dns(module)), timeout: plenty)
    #expect(report.failure?.reason == .connectRefused, "\(report.story)")
    #expect(report.samples["probe_dns_query_succeeded"] == 0)
  }

  @Test(
    arguments: [
      (0, ["NOERROR"], true), (3, ["NOERROR"], false), (3, ["NXDOMAIN"], true), (0, ["NXDOMAIN"], false),
      (2, ["NOERROR", "SERVFAIL"], true),
    ] as [(UInt8, [String], Bool)])
  func onlyListedCodesAreAccepted(_ code: UInt8, _ accepted: [String], _ succeeds: Bool) async throws {
    let report = try await probe(try Self.server(code: code)) { $0.responseCodes = accepted }
    #expect(report.succeeded == succeeds, "\(report.story)")
    #expect(report.samples["probe_dns_query_succeeded"] == 1)
  }

  /// Rules about the answer, and whether both records meet them.
  struct RuleCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rule: any WritableKeyPath<DNSModule.RecordRules, [GoPattern]> & Sendable
    let pattern: String
    let succeeds: Bool
  }

  @Test(arguments: [
    RuleCase(
      testDescription: "one matches", rule: \.failsIfMatches, pattern: #"192\.0\.2\.2$"#, succeeds: false),
    RuleCase(testDescription: "none matches", rule: \.failsIfMatches, pattern: "127", succeeds: true),
    RuleCase(testDescription: "one of two", rule: \.failsIfAllMatch, pattern: #"\.2$"#, succeeds: true),
    RuleCase(testDescription: "both", rule: \.failsIfAllMatch, pattern: #"IN\s+A\s"#, succeeds: false),
    RuleCase(testDescription: "one differs", rule: \.failsIfNotMatches, pattern: #"\.2$"#, succeeds: false),
    RuleCase(
      testDescription: "no one differs", rule: \.failsIfNotMatches, pattern: "^name.example", succeeds: true),
    RuleCase(testDescription: "one is enough", rule: \.failsIfNoneMatches, pattern: #"\.2$"#, succeeds: true),
    RuleCase(testDescription: "none is too few", rule: \.failsIfNoneMatches, pattern: "127", succeeds: false),
  ])
  func recordsAreCheckedAgainstTheRules(_ given: RuleCase) async throws {
    let report = try await probe(try Self.server()) { module in
      module.answer[keyPath: given.rule] = [try GoPattern(given.pattern)]
    }
    #expect(report.succeeded == given.succeeds, "\(report.story)")
    #expect(report.failure?.reason == (given.succeeds ? nil : .recordMismatch))
    #expect(report.samples["probe_dns_answer_rrs"] == 2)
  }

  @Test func otherSectionsHaveSeparateRules() async throws {
    let pattern = try GoPattern("a")
    let authority = try await probe(try Self.server()) { $0.authority.failsIfNotMatches = [pattern] }
    #expect(authority.failure?.detail == "the authority section: there are no records", "\(authority.story)")
    let additional = try await probe(try Self.server()) { $0.additional.failsIfNoneMatches = [pattern] }
    #expect(
      additional.failure?.detail == "the additional section: there are no records", "\(additional.story)")
  }

  @Test func theQueryIsSentFromTheConfiguredSource() async throws {
    for usesTCP in [false, true] {
      let report = try await probe(try Self.server()) { module in
        (module.source, module.query.usesTCP) = (IPAddress("192.0.2.1"), usesTCP)
      }
      #expect(report.failure?.reason == .noSource, "\(report.story)")
    }
    #expect(try await probe(try Self.server()) { $0.source = IPAddress("127.0.0.9") }.succeeded)
  }

  @Test func aServerThatDoesNotRespondIsAFailure() async throws {
    let server = try LoopbackDNS { _ in [] }
    var module = DNSModule()
    module.name = "name.example"
    let report = try await ExporterProber.forTests.probe(
      "\(server.address)", with: ExporterModule(name: "dns", prober: "dns", probe: .dns(module)),
      timeout: .milliseconds(200))
    #expect(report.failure?.reason.rawValue.hasPrefix("timeout.") == true, "\(report.story)")
    #expect(report.samples["probe_dns_query_succeeded"] == 0)
  }
}
