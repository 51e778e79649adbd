public import ProbeCore

/// The conformance kit for validators: asks one everything that holds for each of them.
///
/// A validator's test is one line, in any test framework:
/// ```swift
/// @Test func conforms() throws { try ValidatorConformance(ShopValidator.self).verify() }
/// ```
/// A validator that traps on a response ends the test's process; the responses it is asked about include what no
/// server should send. See ``ConformanceRule`` for the rules and their reasons.
public struct ValidatorConformance: Sendable {
  private let examination: @Sendable () -> ConformanceReport

  /// Examines a validator that a pipeline file can name, by its examples.
  public init<Validator: ConfigurableValidator>(_ type: Validator.Type) {
    examination = {
      var report = ConformanceReport("validator \(Validator.name)")
      report.checkName(of: Validator.self)
      report.check(.validatorExamples)
      if Validator.examples.isEmpty {
        report.violate(
          .validatorExamples, "it has no examples: define static var examples", on: "\(Validator.self)")
      }
      for (index, example) in Validator.examples.enumerated() {
        let label = Validator.examples.count > 1 ? "example \(index + 1)" : "its example"
        report.examine(example, of: Validator.self, called: label)
      }
      return report
    }
  }

  /// Examines a validator made in code.
  ///
  /// - Parameters:
  ///   - validator: The validator.
  ///   - name: What to call it in the report.
  ///   - accepts: A response that it accepts.
  ///   - rejects: A response that it rejects.
  public init(
    _ validator: some ResponseValidator, named name: String, accepts: ProbeResponse, rejects: ProbeResponse
  ) {
    examination = {
      var report = ConformanceReport("validator \(name)")
      report.skip(.validatorName, because: "it is made in code, and no file names it")
      report.skip(.validatorOptions, because: "it is made in code, without options")
      report.skip(.validatorSchema, because: "it is made in code, without options")
      let pair = ExamplePair(label: "its example", accepts: accepts, rejects: rejects)
      report.examine(validator, on: NamedResponse.all(for: pair), pair.label)
      return report
    }
  }

  /// Examines it, without judging.
  ///
  /// - Returns: What was checked, what was not, and everything that was found wrong.
  public func report() -> ConformanceReport {
    examination()
  }

  /// Examines it.
  ///
  /// - Returns: What was checked, and what was not.
  /// - Throws: ``ConformanceFailure`` with everything that was found wrong.
  @discardableResult
  public func verify() throws(ConformanceFailure) -> ConformanceReport {
    let report = report()
    try report.verify()
    return report
  }

  /// Examines every validator of a registry, so that one that is added is covered by itself.
  ///
  /// - Returns: What was checked, and what was not, for each.
  /// - Throws: ``ConformanceFailure`` with everything that was found wrong with all of them.
  @discardableResult
  public static func verifyAll(in registry: ValidatorRegistry) throws(ConformanceFailure)
    -> [ConformanceReport]
  {
    func kit(_ type: (some ConfigurableValidator).Type) -> ValidatorConformance { ValidatorConformance(type) }
    let reports = registry.names.compactMap { registry[$0] }.map { kit($0).report() }
    let broken = reports.filter { !$0.violations.isEmpty }
    guard broken.isEmpty else { throw ConformanceFailure(reports: broken) }
    return reports
  }
}
