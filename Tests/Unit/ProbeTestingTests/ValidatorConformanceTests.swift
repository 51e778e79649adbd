import BundledPlugins
import ProbeCore
import ProbeTesting
import TestRequirements
import Testing

/// The kit for validators: a correct one passes, and each fault is found by the corresponding rule.
///
/// The tests run serially: a kit computes for seconds, and all of them at once would block other tests.
@Suite(.heavy, .serialized) struct ValidatorConformanceTests {
  @Test func everyBundledValidatorConforms() throws {
    let registry = try PluginRegistry.bundled.validators
    let reports = try ValidatorConformance.verifyAll(in: registry)
    #expect(reports.map(\.subject) == registry.names.map { "validator \($0)" })
    for report in reports {
      #expect(report.checked.count >= 9, "\(report)")
      #expect(report.notChecked.isEmpty, "\(report)")
    }
  }

  @Test func aCorrectValidatorConforms() throws {
    let report = try ValidatorConformance(CorrectValidator.self).verify()
    #expect(report.checked.contains(.validatorOptions))
    #expect(report.description.hasPrefix("validator startsWith conforms: 11 rules checked"))
  }

  static let broken: [(kit: ValidatorConformance, rule: ConformanceRule)] = [
    (ValidatorConformance(JudgesByACounter.self), .validatorSameResult),
    (ValidatorConformance(PointsBehindTheBody.self), .validatorOffset),
    (ValidatorConformance(SaysNothing.self), .validatorWords),
    (ValidatorConformance(QuotesEverything.self), .validatorWords),
    (ValidatorConformance(HasASentenceAsReason.self), .validatorReason),
    (ValidatorConformance(WorksOnOneThread.self), .validatorConcurrency),
    (ValidatorConformance(LearnsToJudgeTheStatus.self), .validatorJudges),
    (ValidatorConformance(CapturesInARejection.self), .validatorCaptures),
    (ValidatorConformance(AcceptsEveryBody.self), .validatorExamples),
    (ValidatorConformance(HasAHyphenInItsName.self), .validatorName),
    (ValidatorConformance(HasNoExamples.self), .validatorExamples),
    (ValidatorConformance(ForgetsAnOption.self), .validatorOptions),
    (ValidatorConformance(ForgetsAKeyOfItsSchema.self), .validatorSchema),
  ]

  @Test(arguments: broken.indices)
  func eachFaultIsFoundByItsRule(_ index: Int) throws {
    let (kit, rule) = Self.broken[index]
    let failure = #expect(throws: ConformanceFailure.self) { try kit.verify() }
    let report = try #require(failure?.reports.first)
    #expect(Set(report.violations.map(\.rule)) == [rule], "\(report)")
    #expect(report.description.contains("\n  \(rule): "))
    let isPrintable = report.description.unicodeScalars.allSatisfy {
      $0 == "\n" || !$0.mustBeEscapedForDisplay
    }
    #expect(isPrintable)
  }

  @Test func errorsIncludeRuleObservationAndInput() throws {
    let failure = #expect(throws: ConformanceFailure.self) {
      try ValidatorConformance(HasASentenceAsReason.self).verify()
    }
    let lines = try #require(failure).description.split(separator: "\n")
    #expect(lines.first == "validator broken breaks 1 rules")
    #expect(
      lines[1].hasPrefix(
        "  validator.reason (a rejection's reason is of the form area.word): the reason code "
          + "\"Service is down!\", on example 1: the response it rejects; on example 1: "))
  }

  @Test func brokenValidatorsOfARegistryAreReported() throws {
    var registry = ValidatorRegistry()
    try registry.register(HasNoExamples.self)
    try registry.register(CorrectValidator.self)
    let failure = #expect(throws: ConformanceFailure.self) {
      try ValidatorConformance.verifyAll(in: registry)
    }
    #expect(failure?.reports.map(\.subject) == ["validator broken"])
    #expect(failure?.description.contains("it has no examples: define static var examples") == true)
  }

  @Test func aValidatorMadeInCodeIsChecked() throws {
    let validator = ClosureValidator { response in
      response.body.isEmpty
        ? .accepted : .rejected(.bodyMismatch, expected: "an empty body", found: "\(Excerpt(response.body))")
    }
    let kit = ValidatorConformance(
      validator, named: "empty", accepts: .example(), rejects: .example(body: "log in first"))
    let report = try kit.verify()
    #expect(report.notChecked.map(\.rule) == [.validatorName, .validatorOptions, .validatorSchema])
    #expect(
      report.description.contains(
        "\n  not checked: validator.options (options mean the same after encoding and decoding): it is made in "
          + "code, without options"))

    let other = Not(validator)
    #expect(throws: ConformanceFailure.self) {
      try ValidatorConformance(other, named: "not", accepts: .example(), rejects: .example(body: "x"))
        .verify()
    }
  }

  @Test func theCombinatorsConform() throws {
    let registry = try PluginRegistry.bundled.validators
    #expect(registry.names.count > 1)
    let up = CorrectValidator(options: .init(word: "up"))
    let down = CorrectValidator(options: .init(word: "down"))
    let (yes, no) = (ProbeResponse.example(body: "up"), ProbeResponse.example(body: "down"))
    try ValidatorConformance(AllOf([up, Not(down)]), named: "all", accepts: yes, rejects: no).verify()
    try ValidatorConformance(AnyOf([up, Not(down)]), named: "any", accepts: yes, rejects: no).verify()
    try ValidatorConformance(Not(down), named: "not", accepts: yes, rejects: no).verify()
    try ValidatorConformance(
      SuccessfulStatus.guarding(up), named: "guarded", accepts: yes,
      rejects: .example(status: 404, body: "up")
    ).verify()
  }
}
