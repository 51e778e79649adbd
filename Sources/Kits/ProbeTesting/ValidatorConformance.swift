public import ProbeCore

/// The conformance kit for validators: checks one against all rules.
///
/// A validator's test is one line, in any test framework:
/// ```swift
/// @Test func conforms() throws { try ValidatorConformance(ShopValidator.self).verify() }
/// ```
/// A validator that traps on a response ends the test's process; the responses include some that no server
/// should send. See ``ConformanceRule`` for the rules and their reasons.
public struct ValidatorConformance: Sendable {
  private let check: @Sendable () -> ConformanceReport

  /// Creates a check of a validator that pipeline files can use, by its examples.
  public init<Validator: ConfigurableValidator>(_ type: Validator.Type) {
    check = {
      var report = ConformanceReport("validator \(Validator.name)")
      report.checkName(of: Validator.self)
      report.check(.validatorExamples)
      if Validator.examples.isEmpty {
        report.violate(
          .validatorExamples, "it has no examples: define static var examples", on: "\(Validator.self)")
      }
      for (index, example) in Validator.examples.enumerated() {
        let label = Validator.examples.count > 1 ? "example \(index + 1)" : "its example"
        report.check(example, of: Validator.self, called: label)
      }
      return report
    }
  }

  /// Creates a check of a validator that is used in code.
  ///
  /// - Parameters:
  ///   - validator: The validator.
  ///   - name: The name in the report.
  ///   - accepts: A response that it accepts.
  ///   - rejects: A response that it rejects.
  public init(
    _ validator: some ResponseValidator, named name: String, accepts: ProbeResponse, rejects: ProbeResponse
  ) {
    check = {
      var report = ConformanceReport("validator \(name)")
      report.skip(.validatorName, because: "it is made in code, and no file names it")
      report.skip(.validatorOptions, because: "it is made in code, without options")
      report.skip(.validatorSchema, because: "it is made in code, without options")
      let pair = ExamplePair(label: "its example", accepts: accepts, rejects: rejects)
      report.check(validator, on: NamedResponse.all(for: pair), pair.label)
      return report
    }
  }

  /// Checks the validator, and throws nothing if there are violations.
  ///
  /// - Returns: The rules that were checked and skipped, and the violations.
  public func report() -> ConformanceReport {
    check()
  }

  /// Checks the validator.
  ///
  /// - Returns: The rules that were checked and skipped.
  /// - Throws: ``ConformanceFailure`` if there are violations.
  @discardableResult
  public func verify() throws(ConformanceFailure) -> ConformanceReport {
    let report = report()
    try report.verify()
    return report
  }

  /// Checks every validator of a registry, so that a new one is covered automatically.
  ///
  /// - Returns: A report for each validator: the rules that were checked and skipped.
  /// - Throws: ``ConformanceFailure`` with the violations of all validators.
  @discardableResult
  public static func verifyAll(in registry: ValidatorRegistry) throws(ConformanceFailure)
    -> [ConformanceReport]
  {
    func report(on type: (some ConfigurableValidator).Type) -> ConformanceReport {
      ValidatorConformance(type).report()
    }
    let reports = registry.names.compactMap { registry[$0] }.map { report(on: $0) }
    let broken = reports.filter { !$0.violations.isEmpty }
    guard broken.isEmpty else { throw ConformanceFailure(reports: broken) }
    return reports
  }
}
