internal import FoundationEssentials
internal import ProbeBase
internal import ProbeCore
internal import ProbeSystem
internal import SourceDocuments

/// A response that a validator accepts and one that it rejects, and the label for them in a report.
struct ExamplePair {
  var label: String
  var accepts: ProbeResponse
  var rejects: ProbeResponse
}

extension ConformanceReport {
  /// Checks that it can be registered.
  mutating func checkName(of type: any ConfigurableValidator.Type) {
    check(.validatorName)
    var registry = ValidatorRegistry()
    do throws(InvalidInput) {
      try registry.register(type)
    } catch {
      violate(.validatorName, error.description, on: "its registration")
    }
  }

  /// Checks a validator with the options of an example.
  mutating func check<Validator: ConfigurableValidator>(
    _ example: ValidatorExample<Validator.Options>, of type: Validator.Type, called label: String
  ) {
    let inputs = NamedResponse.all(
      for: ExamplePair(label: label, accepts: example.accepts, rejects: example.rejects))
    let validator: Validator
    let twin: Validator
    do {
      validator = try Validator(options: example.options)
      twin = try Validator(options: example.options)
    } catch {
      violate(.validatorExamples, "its options are refused: \(error)", on: label)
      return
    }
    check(validator, on: inputs, label, twin: twin)
    check(.validatorOptions)
    do {
      // In an array, because the short form may be a plain text, which not every decoder accepts at the top
      // level.
      let encoded = try JSONEncoder().encode([example.options])
      let options = try JSONDecoder().decode([Validator.Options].self, from: encoded)
      guard let first = options.first else { return }
      compare(validator, with: try Validator(options: first), on: inputs)
      checkSchema([Validator.Options].self, of: encoded, label)
    } catch {
      violate(.validatorOptions, "they cannot be written and read again: \(error)", on: label)
    }
  }

  /// Checks the encoded options against their declared schema.
  private mutating func checkSchema<Options: Decodable>(
    _ type: [Options].Type, of encoded: Data, _ label: String
  ) {
    guard Options.self is any SchemaProviding.Type else {
      return skip(.validatorSchema, because: "its options declare none")
    }
    check(.validatorSchema)
    let findings = SourceFindings(SourceFile(path: "options", bytes: Array(encoded)))
    if let node = SourceDocument.read(findings) {
      _ = SourceDecoding.value(type, of: node, field: "the options", findings)
    }
    for finding in findings.all {
      violate(.validatorSchema, "\(InvalidInput(finding.message, remedy: finding.remedy))", on: label)
    }
  }

  /// Checks every rule except those for its name and its options.
  mutating func check(
    _ validator: some ResponseValidator, on inputs: [NamedResponse], _ label: String,
    twin: (any ResponseValidator)? = nil
  ) {
    let judges = validator.judges
    let results = inputs.map { validator.validate($0.response) }
    checkExamples(label, accepted: results[0], rejected: results[1])
    for (input, result) in zip(inputs, results) { checkForm(of: result, on: input) }

    check(.validatorJudges)
    if validator.judges != judges || twin.map({ $0.judges != judges }) ?? false {
      violate(.validatorJudges, "not the same each time", on: label)
    }
    check(.validatorSameResult)
    let settled = violations.count { $0.rule == .validatorSameResult }
    for (input, result) in zip(inputs, results).reversed() {
      differ(result, validator.validate(input.response), .validatorSameResult, "when asked again", on: input)
      guard let twin else { continue }
      let other = twin.validate(input.response)
      differ(result, other, .validatorSameResult, "from another one with the same options", on: input)
    }
    // If the result is not constant on one thread, it differs between threads too; report it only once.
    guard violations.count(where: { $0.rule == .validatorSameResult }) == settled else { return }
    validateFromManyThreads(validator, inputs: inputs, results: results)
  }

  private mutating func checkExamples(_ label: String, accepted: Validation, rejected: Validation) {
    check(.validatorExamples)
    if let rejection = accepted.rejection {
      violate(.validatorExamples, "rejected: \(rejection)", on: "\(label): the response it accepts")
    }
    if rejected.isAccepted {
      violate(.validatorExamples, "accepted", on: "\(label): the response it rejects")
    }
  }

  private mutating func compare(
    _ validator: some ResponseValidator, with decoded: some ResponseValidator, on inputs: [NamedResponse]
  ) {
    guard !violations.contains(where: { $0.rule == .validatorSameResult }) else { return }
    for input in inputs {
      let (before, after) = (validator.validate(input.response), decoded.validate(input.response))
      differ(before, after, .validatorOptions, "with options that were written and read again", on: input)
    }
  }

  private mutating func validateFromManyThreads(
    _ validator: some ResponseValidator, inputs: [NamedResponse], results: [Validation]
  ) {
    let expected = Array(zip(inputs, results))
    let different = ManyThreads.collect { thread -> [Int: Validation] in
      var different: [Int: Validation] = [:]
      for round in 0..<5 {
        for offset in expected.indices {
          let index = (offset + thread * 7) % expected.count
          let (input, result) = expected[index]
          // Large responses only in the first round; small ones reveal shared state as well.
          guard round == 0 || !input.isLarge else { continue }
          let other = validator.validate(input.response)
          if other != result { different[index] = other }
        }
      }
      return different
    }
    guard let different else {
      return skip(.validatorConcurrency, because: "the machine has no threads left")
    }
    check(.validatorConcurrency)
    for (index, other) in different.flatMap({ $0 }).sorted(by: { $0.key < $1.key }) {
      let (input, result) = expected[index]
      differ(result, other, .validatorConcurrency, "from one of many threads", on: input)
    }
  }

  private mutating func differ(
    _ result: Validation, _ other: Validation, _ rule: ConformanceRule, _ when: String,
    on input: NamedResponse
  ) {
    guard result != other else { return }
    violate(rule, "\(result.inShort), and \(when) \(other.inShort)", on: input.name)
  }
}

extension Validation {
  fileprivate var inShort: String {
    guard let rejection else {
      return captures.isEmpty ? "accepted" : "accepted with \(captures.count) captures"
    }
    return "rejected (\(Excerpt(rejection.description, limit: 120)))"
  }
}

/// Runs a closure on several threads at once.
enum ManyThreads {
  private static let count = 4

  /// Runs the closure on each thread, and waits for all of them.
  ///
  /// - Returns: The result of each thread, or nil if fewer than two threads could be started.
  static func collect<Result: Sendable>(_ body: @escaping @Sendable (_ thread: Int) -> Result) -> [Result]? {
    let results = Guarded<[Result]>([])
    let threads = (0..<count).compactMap { number in
      try? WorkerThread(named: "probekit-kit") {
        let result = body(number)
        results.withLock { $0.append(result) }
      }
    }
    for thread in threads { thread.join() }
    return threads.count > 1 ? results.withLock { $0 } : nil
  }
}

extension ConformanceReport {
  /// Checks that a validation result can be printed in a report.
  mutating func checkForm(of validation: Validation, on input: NamedResponse) {
    check(.validatorCaptures)
    guard let rejection = validation.rejection else { return checkCaptures(validation.captures, on: input) }
    if !validation.captures.isEmpty {
      violate(.validatorCaptures, "a rejection has \(validation.captures.count) captures", on: input.name)
    }
    for rule in [ConformanceRule.validatorReason, .validatorWords, .validatorOffset] { check(rule) }
    if let mistake = WordForm.mistake(in: rejection.reason) {
      violate(.validatorReason, mistake, on: input.name)
    }
    for (name, words) in [("expected", rejection.expected), ("found", rejection.found)] {
      if let mistake = WordForm.mistakeOfLength(in: words, called: name) {
        violate(.validatorWords, mistake, on: input.name)
      }
    }
    if let offset = rejection.offset, !(0...input.response.body.count).contains(offset) {
      let count = input.response.body.count
      violate(.validatorOffset, "the offset \(offset) in a body of \(count) bytes", on: input.name)
    }
  }

  private mutating func checkCaptures(_ captures: [String: String], on input: NamedResponse) {
    if captures.keys.contains("") {
      violate(.validatorCaptures, "a capture without a name", on: input.name)
    }
    // In a charset other than UTF-8, each received byte may become a character of up to four bytes.
    let bound = 4 * input.response.receivedBytes + 1024
    if let large = captures.first(where: { $0.value.utf8.count > bound }) {
      let count = large.value.utf8.count
      violate(.validatorCaptures, "the capture \(Excerpt(large.key)) has \(count) bytes", on: input.name)
    }
    if captures.count > 1000 {
      violate(.validatorCaptures, "\(captures.count) captures", on: input.name)
    }
  }
}

extension ProbeResponse {
  fileprivate var receivedBytes: Int {
    let fields = head?.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } ?? 0
    return body.count + fields
  }
}

/// The required form of texts in reports, whatever their source.
enum WordForm {
  /// The maximum length of a line in a report, in bytes of UTF-8.
  static let maximumLength = 4096

  /// The error in a reason code, or nil.
  ///
  /// It must be `area.word`, or one of ProbeKit's own: it is a metric label, and is matched by globs such as
  /// `tls.*`.
  static func mistake(in reason: ReasonCode) -> String? {
    if reason.meaning != nil { return nil }
    let words = reason.rawValue.split(separator: ".", omittingEmptySubsequences: false)
    let isWellFormed =
      words.count >= 2 && reason.rawValue.utf8.count <= 64
      && words.allSatisfy { word in
        word.utf8.first.map { $0.isASCIILowercase } == true
          && word.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
      }
    return isWellFormed ? nil : "the reason code \(Excerpt(reason.rawValue))"
  }

  /// The error in the length of a text, which is empty or too long; nil if there is none.
  static func mistakeOfLength(in words: String, called name: String) -> String? {
    if words.allSatisfy(\.isWhitespace) { return "\(name) is empty" }
    let count = words.utf8.count
    return count <= maximumLength ? nil : "\(name) has \(count) bytes, more than \(maximumLength)"
  }

  /// The error in printing a text, which has terminal controls or several lines; nil if there is none.
  static func mistakeOfPrinting(in words: String, called name: String) -> String? {
    guard let scalar = words.unicodeScalars.first(where: \.mustBeEscapedForDisplay) else { return nil }
    return "\(name) has an unescaped U+\(String(scalar.value, radix: 16, uppercase: true))"
  }
}
