public import ProbeCore

/// The conformance kit for transports: leads one to prepared places, and sees whether it does what each must.
///
/// A transport's test is one line, in any test framework, once its places are there:
/// ```swift
/// @Test func conforms() async throws {
///   try await TransportConformance(ShopTransport(), scenarios: scenarios).verify()
/// }
/// ```
/// See ``ConformanceRule`` for the rules and their reasons. What no scenario leads to is not checked, and the report
/// says so.
public struct TransportConformance: Sendable {
  private let transport: any ProbeTransport
  private let scenarios: [TransportScenario]
  private var schemes: [URLScheme]
  private let patience: Duration

  /// Examines a transport, one scheme after the other.
  ///
  /// - Parameters:
  ///   - transport: The transport.
  ///   - scenarios: Requests, and what they lead to; each for one of the transport's schemes.
  ///   - patience: How long to wait beyond the time when a probe should have ended.
  public init(
    _ transport: any ProbeTransport, scenarios: [TransportScenario], patience: Duration = .seconds(20)
  ) {
    self.transport = transport
    self.scenarios = scenarios
    self.patience = patience
    schemes = transport.schemes.keys.sorted { $0.name < $1.name }
  }

  /// Examines one scheme of a transport; scenarios for others are none of its business.
  private init(_ scheme: URLScheme, of transport: any ProbeTransport, scenarios: [TransportScenario]) {
    self.init(transport, scenarios: scenarios.filter { $0.request.url.scheme == scheme })
    schemes = [scheme]
  }

  /// Examines it, without judging.
  ///
  /// - Returns: For each scheme what was checked, what was not, and everything that was found wrong.
  public func reports() async -> [ConformanceReport] {
    let type = "\(type(of: transport))"
    var reports: [ConformanceReport] = []
    for scheme in schemes {
      var examination = TransportExamination(
        transport, "transport \(type) for \(scheme)", patience: patience,
        scenarios: scenarios.filter { $0.request.url.scheme == scheme })
      await examination.run()
      reports.append(examination.report)
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

  /// Examines it.
  ///
  /// - Returns: For each scheme what was checked, and what was not.
  /// - Throws: ``ConformanceFailure`` with everything that was found wrong.
  @discardableResult
  public func verify() async throws(ConformanceFailure) -> [ConformanceReport] {
    try Self.judge(await reports())
  }

  /// Examines every transport of a registry, so that one that is added is covered by itself: a scheme without scenarios
  /// breaks a rule.
  ///
  /// - Returns: For each scheme what was checked, and what was not.
  /// - Throws: ``ConformanceFailure`` with everything that was found wrong with all of them.
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
