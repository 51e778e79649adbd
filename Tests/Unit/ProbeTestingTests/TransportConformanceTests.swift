import BundledPlugins
import ProbeCore
import ProbeTesting
import TestRequirements
import Testing

/// The kit for transports: a correct one passes, and each fault is found by the corresponding rule.
@Suite struct TransportConformanceTests {
  /// A bundled scheme without scenarios fails the test.
  @Test(.patience(minutes: 10))
  func everyBundledTransportConforms() async throws {
    let loopback = try LoopbackScenarios()
    let plugins = try PluginRegistry.bundled
    let scenarios =
      try loopback.http() + loopback.https() + loopback.tcp() + loopback.tls() + loopback.udp()
      + loopback.dns() + loopback.dnsTLS() + loopback.dnsHTTPS()
    // The content of a ping response is measured, so no scenario can predict it; PingNetworkTests covers it.
    // Checks have no servers; CheckTransportTests covers them.
    let others: Set<URLScheme> = [.icmp, .check]
    var transports = TransportRegistry()
    for scheme in plugins.transports.schemes where !others.contains(scheme) && transports[scheme] == nil {
      try transports.register(try #require(plugins.transports[scheme]))
    }
    let reports = try await TransportConformance.verifyAll(in: transports, scenarios: scenarios)
    #expect(reports.count == plugins.transports.schemes.count - others.count)
    for report in reports where report.subject.contains("for http") {
      #expect(report.notChecked.isEmpty, "\(report)")
    }
    // These schemes have neither heads nor redirects.
    for scheme in ["dns", "dns+https", "dns+tls", "tcp", "tls", "udp"] {
      let report = try #require(reports.first { $0.subject.hasSuffix("for \(scheme)") })
      #expect(Set(report.notChecked.map(\.rule)) == [.transportRedirect, .transportMaxHead], "\(report)")
    }
    withExtendedLifetime(loopback) {}
  }

  @Test func aCorrectTransportConforms() async throws {
    let reports = try await TransportConformance(ScriptedTransport(), scenarios: try .scripted()).verify()
    #expect(reports.map(\.subject) == ["transport ScriptedTransport for script"])
    #expect(reports[0].checked.count == 16, "\(reports[0])")
    #expect(reports[0].notChecked.isEmpty)
  }

  /// For a second, no task of the process runs, so that the timeout of a probe and the kit's are over at once.
  @Test func aBusyProcessIsNotAViolation() async {
    await #expect(processExitsWith: .success) {
      let kit = TransportConformance(
        StarvesTheProcess(), scenarios: try .scripted(), patience: .milliseconds(200))
      let report = try #require(await kit.reports().first)
      try #require(report.violations.isEmpty, "\(report)")
    }
  }

  static let broken: [(transport: any ProbeTransport, rule: ConformanceRule)] = [
    (FollowsRedirects(), .transportRedirect),
    (IgnoresMaxBody(), .transportMaxBody),
    (CutsInSilence(), .transportMaxBody),
    (IgnoresMaxHead(), .transportMaxHead),
    (ThrowsAForeignError(), .transportErrors),
    (MixesUpResponses(), .transportManyAtOnce),
    (QuotesLineBreaks(), .transportWords),
    (ClaimsAnotherURL(), .transportURL),
    (CountsMillisecondsAsSeconds(), .transportTimings),
    (KnowsOneReason(), .transportRefusal),
    (RefusesItsOwnRequests(), .transportCheck),
  ]

  @Test(arguments: broken.indices)
  func eachFaultIsFoundByItsRule(_ index: Int) async throws {
    let (transport, rule) = Self.broken[index]
    // Nothing hangs here; but on a busy machine everything may take long.
    let kit = TransportConformance(transport, scenarios: try .scripted(), patience: .seconds(120))
    let report = try await brokenReport(kit)
    #expect(Set(report.violations.map(\.rule)) == [rule], "\(report)")
    #expect(report.description.contains("\n  \(rule): "))
  }

  /// These faults are found by a timeout, so the timeout is shorter.
  ///
  /// They run serially: a leak is visible to the entire process, and only a patient test waits until it is
  /// gone.
  @Suite(.serialized) struct WithLittlePatience {
    static let slow: [(transport: any ProbeTransport, rule: ConformanceRule)] = [
      (IgnoresTheTimeout(), .transportTimeout),
      (IgnoresCancellation(), .transportCancellation),
    ]

    @Test(arguments: slow.indices)
    func aHangingTransportIsFoundByItsRule(_ index: Int) async throws {
      let (transport, rule) = Self.slow[index]
      // A correct transport ends without a timeout; only a faulty one times out.
      let kit = TransportConformance(transport, scenarios: try .scripted(), patience: .seconds(1))
      let report = try await brokenReport(kit)
      #expect(Set(report.violations.map(\.rule)) == [rule], "\(report)")
    }

    @Test func aLeakIsFoundByItsRule() async throws {
      let kit = TransportConformance(LeaksDescriptors(), scenarios: try .scripted(), patience: .seconds(1))
      let report = try await brokenReport(kit)
      #expect(Set(report.violations.map(\.rule)) == [.transportDescriptors], "\(report)")
      // Other tests in the process may use some more.
      let seen = try #require(report.violations.first).seen.split(separator: " ", maxSplits: 1)
      #expect(try #require(Int(seen[0])) >= 20)
      #expect(seen[1] == "open after 20 probes")
    }
  }

  @Test func anInvalidSchemeIsAViolation() async throws {
    let kit = TransportConformance(HasAnUnderscoreInItsScheme(), scenarios: try .scripted())
    let failure = await #expect(throws: ConformanceFailure.self) { try await kit.verify() }
    let report = try #require(failure?.reports.first { $0.subject.hasSuffix("for my_script") })
    #expect(Set(report.violations.map(\.rule)) == [.transportSchemes, .transportScenarios], "\(report)")
    #expect(report.description.contains("\"my_script\" cannot stand in a URL"))
  }

  @Test func uncheckedRulesAreReported() async throws {
    let only = TransportScenario.responds(ProbeRequest(try ProbeURL("script://one/")), with: "this is one")
    let reports = try await TransportConformance(ScriptedTransport(), scenarios: [only]).verify()
    #expect(
      Set(reports[0].notChecked.map(\.rule)) == [
        .transportRedirect, .transportMaxHead, .transportRefusal, .transportTimeout,
        .transportCancellation, .transportManyAtOnce,
      ])
    #expect(
      reports[0].description.contains(
        "\n  not checked: transport.timeout (a probe without an answer ends in time, with timeout.*): no scenario "
          + "that never answers"))
  }

  @Test func aRegisteredSchemeWithoutScenariosIsAViolation() async throws {
    var registry = TransportRegistry()
    try registry.register(ScriptedTransport())
    let scenarios = try [TransportScenario].scripted()
    try await TransportConformance.verifyAll(in: registry, scenarios: scenarios)

    try registry.register(Other())
    let failure = await #expect(throws: ConformanceFailure.self) {
      try await TransportConformance.verifyAll(in: registry, scenarios: scenarios)
    }
    #expect(failure?.reports.map(\.subject) == ["transport Other for other"])
    #expect(failure?.reports.first?.violations.map(\.rule) == [.transportScenarios])
  }

  @Test func aScenarioForAnotherSchemeIsAViolation() async throws {
    let stray = TransportScenario.responds(ProbeRequest(try ProbeURL("stray://one/")), with: "")
    let kit = TransportConformance(ScriptedTransport(), scenarios: try .scripted() + [stray])
    let failure = await #expect(throws: ConformanceFailure.self) { try await kit.verify() }
    #expect(failure?.description.contains("it does not carry stray, on a scenario for stray") == true)
  }

  private struct Other: ProbeTransport {
    var schemes: [URLScheme: Encryption] { ["other": .encrypted] }
    func probe(_ request: ProbeRequest) async throws -> ProbeResponse { ProbeResponse(url: request.url) }
  }
}

private func brokenReport(_ kit: TransportConformance) async throws -> ConformanceReport {
  let failure = await #expect(throws: ConformanceFailure.self) { try await kit.verify() }
  return try #require(failure?.reports.first)
}

extension [TransportScenario] {
  fileprivate static func scripted() throws -> [TransportScenario] { try TransportScenario.scripted() }
}
