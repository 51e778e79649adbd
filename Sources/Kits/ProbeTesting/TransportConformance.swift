public import ProbeCore

/// The conformance kit for transports: sends requests to prepared servers, and checks the results against the
/// rules.
///
/// With these servers running, a transport's test is one line in any test framework:
/// ```swift
/// @Test func conforms() async throws {
///   try await TransportConformance(ShopTransport(), scenarios: scenarios).verify()
/// }
/// ```
/// See ``ConformanceRule`` for the rules and their reasons. A rule without a suitable scenario is not
/// checked, which is stated in the report.
public struct TransportConformance: Sendable {
  private let transport: any ProbeTransport
  private let scenarios: [TransportScenario]
  private var schemes: [URLScheme]
  private let patience: Duration

  /// Creates a check of a transport, one scheme after the other.
  ///
  /// - Parameters:
  ///   - transport: The transport.
  ///   - scenarios: Requests and their expected results; each for one of the transport's schemes.
  ///   - patience: How long to wait after the time at which a probe should have ended; longer if the process
  ///     receives little processor time.
  public init(
    _ transport: any ProbeTransport, scenarios: [TransportScenario], patience: Duration = .seconds(20)
  ) {
    self.transport = transport
    self.scenarios = scenarios
    self.patience = patience
    schemes = transport.schemes.keys.sorted { $0.name < $1.name }
  }

  /// Creates a check of one scheme; scenarios for other schemes are ignored.
  private init(_ scheme: URLScheme, of transport: any ProbeTransport, scenarios: [TransportScenario]) {
    self.init(transport, scenarios: scenarios.filter { $0.request.url.scheme == scheme })
    schemes = [scheme]
  }

  /// Checks the transport, and throws nothing if there are violations.
  ///
  /// - Returns: A report for each scheme: the rules that were checked and skipped, and the violations.
  public func reports() async -> [ConformanceReport] {
    let type = "\(type(of: transport))"
    var reports: [ConformanceReport] = []
    for scheme in schemes {
      var check = TransportRuleCheck(
        transport, "transport \(type) for \(scheme)", patience: patience,
        scenarios: scenarios.filter { $0.request.url.scheme == scheme })
      await check.run()
      reports.append(check.report)
    }
    let strays = Set(scenarios.map(\.request.url.scheme)).subtracting(schemes).map(\.name).sorted()
    guard schemes.isEmpty || !strays.isEmpty else { return reports }
    var report = ConformanceReport("transport \(type)")
    if schemes.isEmpty { report.violate(.transportSchemes, "it has no scheme", on: "its schemes") }
    for stray in strays {
      report.violate(.transportScenarios, "it does not carry \(stray)", on: "a scenario for \(stray)")
    }
    return reports + [report]
  }

  /// Checks the transport.
  ///
  /// - Returns: A report for each scheme: the rules that were checked and skipped.
  /// - Throws: ``ConformanceFailure`` if there are violations.
  @discardableResult
  public func verify() async throws(ConformanceFailure) -> [ConformanceReport] {
    try Self.judge(await reports())
  }

  /// Checks every transport of a registry, so that a new one is covered automatically.
  ///
  /// A scheme without scenarios violates a rule.
  ///
  /// - Returns: A report for each scheme: the rules that were checked and skipped.
  /// - Throws: ``ConformanceFailure`` with the violations of all transports.
  @discardableResult
  public static func verifyAll(
    in registry: TransportRegistry, scenarios: [TransportScenario]
  ) async throws(ConformanceFailure) -> [ConformanceReport] {
    var reports: [ConformanceReport] = []
    for scheme in registry.schemes {
      guard let transport = registry[scheme] else { continue }
      reports += await TransportConformance(scheme, of: transport, scenarios: scenarios).reports()
    }
    return try judge(reports)
  }

  private static func judge(_ reports: [ConformanceReport]) throws(ConformanceFailure) -> [ConformanceReport]
  {
    let broken = reports.filter { !$0.violations.isEmpty }
    guard broken.isEmpty else { throw ConformanceFailure(reports: broken) }
    return reports
  }
}
