import ProbeCore
import SourceDocuments

extension FieldReader where Value == any ResponseValidator {
  /// One validator by its name, or several under `all`, `any` or `not`.
  static func validator(_ language: PipelineLanguage) -> FieldReader {
    named("validator") {
      oneKey("a validator") {
        let nested = validator(language)
        return [
          KeyedReader(
            "all", .nonEmptyList(of: nested.called("an item of all")),
            summary: "all of these validators accept the response"
          ) { AllOf($0) },
          KeyedReader(
            "any", .nonEmptyList(of: nested.called("an item of any")),
            summary: "at least one of these validators accepts it"
          ) { AnyOf($0) },
          KeyedReader("not", nested, summary: "this validator rejects it") { Not($0) },
        ] + language.namedValidators
      }
    }
  }
}

extension FieldReader where Value == ProbeCondition {
  /// A validator, a reason or a redirect, or several conditions under `all`, `any` or `not`.
  static func condition(_ language: PipelineLanguage) -> FieldReader {
    named("condition") {
      oneKey("a condition") {
        let nested = condition(language)
        let own: [KeyedReader<ProbeCondition>] = [
          KeyedReader(
            "all", .nonEmptyList(of: nested.called("an item of all")), summary: "all of these conditions hold"
          ) { .all($0) },
          KeyedReader(
            "any", .nonEmptyList(of: nested.called("an item of any")),
            summary: "at least one of these conditions holds"
          ) { .any($0) },
          KeyedReader("not", nested, summary: "this condition does not hold") { .not($0) },
          KeyedReader(
            "partial", .validator(language),
            summary:
              "this validator accepts what was received, even if the probe failed: the head of a response whose body "
              + "is incomplete, or the address of a connection that was not established"
          ) { .partial($0) },
          KeyedReader(
            "reason", .reason,
            summary: "the probe failed with this reason code, such as tls.*; * matches anything"
          ) { .reason($0) },
          KeyedReader(
            "redirect", .redirect(or: language.options(ofValidator: "redirect")),
            summary:
              "the response is a redirect, or was reached by one; offHost: to another host, not counting www. and subdomains; "
              + "downgrade: from an encrypted URL to one that is not; invalid: without a usable target; "
              + "any other value is that of the validator redirect"
          ) { $0 },
        ]
        return own
          + language.namedValidators.filter { $0.key != "redirect" }.map { $0.map { .validator($0) } }
      }
    }
  }
}

extension FieldReader where Value == ProbeCondition {
  /// A kind of redirect, or what the validator with the same key reads, if one is registered.
  ///
  /// A word alone is a kind, so that a correction is suggested for a misspelled one; targets have a slash or a
  /// star, except `https`.
  fileprivate static func redirect(or validator: FieldReader<any ResponseValidator>?) -> FieldReader {
    let kinds = FieldReader<RedirectKind>.choice.map { kind, _, _ in ProbeCondition.redirect(kind) }
    guard let reader = validator?.map({ validator, _, _ in ProbeCondition.validator(validator) }) else {
      return kinds
    }
    return FieldReader(schema: .anyOf([kinds.schema, reader.schema])) { node, field, findings in
      let isKind = node.scalar.map { scalar in
        scalar.text != "https" && !scalar.text.contains { "/*".contains($0) }
      }
      return (isKind == true ? kinds : reader).value(of: node, field: field, findings)
    }
  }
}

extension FieldReader where Value == ClassifyRule {
  /// `{ when: CONDITION, outcome: OUTCOME }`.
  static func classifyRule(_ language: PipelineLanguage) -> FieldReader {
    let whenReader = FieldReader<ProbeCondition>.condition(language)
    let outcomes = FieldReader<Outcome>.choice([.accepted, .intercepted, .failed])
    return .mapping { reader in
      let condition = reader.required(
        "when", whenReader, example: "{ status: 204 }", summary: "the condition of the rule")
      let outcome = reader.required(
        "outcome", outcomes, example: "accepted",
        summary: "the outcome of the probe if the condition holds")
      let reason = reader.optional(
        "reason", .reasonCode,
        summary: "the reason code of the probe, such as office.maintenance, if it is not accepted")
      guard let condition, let outcome else { return nil }
      if reason != nil, outcome == .accepted {
        reader.findings.add(
          "an accepted probe has no reason code", remedy: "omit the reason, or use another outcome",
          at: reader.node)
        return nil
      }
      return ClassifyRule(when: condition, outcome, reason: reason)
    }
  }
}

extension FieldReader where Value == ReasonCode {
  private static var schema: ValueSchema {
    .text(
      pattern: "^[A-Za-z0-9]+([.][A-Za-z0-9]+)*$", canBeNumber: true, canBeBoolean: true,
      examples: ["office.maintenance"])
  }

  /// A custom reason code.
  fileprivate static var reasonCode: FieldReader {
    .text("a reason such as office.maintenance", schema: schema) { text throws(InvalidInput) in
      try ReasonCode(written: text)
    }
  }
}

extension FieldReader where Value == ReasonPattern {
  /// A pattern of reason codes.
  static var reason: FieldReader {
    .text("a reason such as tls.*") { text throws(InvalidInput) in try ReasonPattern(text) }
  }
}

extension PipelineLanguage {
  /// The validators with names: those that are registered, and the plugins that the file declares.
  fileprivate var namedValidators: [KeyedReader<any ResponseValidator>] {
    plugins.validators.names.compactMap { named($0) }
      + declared.filter { $0.plugin.kind == .validator }.map { declared in
        KeyedReader(
          declared.plugin.name, .plugin(declared, uses),
          summary: "the plugin \(declared.plugin.name) accepts the response"
        ) { $0 }
      }
  }

  /// A registered validator, whose type decodes its options.
  fileprivate func named(_ name: String) -> KeyedReader<any ResponseValidator>? {
    plugins.validators[name].map { type in
      KeyedReader(type.name, options(of: type), summary: type.summary) { $0 }
    }
  }

  /// A reader for the options of a registered validator, or nil if there is none with this name.
  fileprivate func options(ofValidator name: String) -> FieldReader<any ResponseValidator>? {
    plugins.validators[name].map { options(of: $0) }
  }

  private func options<Validator: ConfigurableValidator>(
    of type: Validator.Type
  ) -> FieldReader<any ResponseValidator> {
    let decoded = FieldReader<any ResponseValidator>.decoded { [parts] (options: Validator.Options) in
      try parts.validator(of: Validator.self, options)
    }
    let reader = parts.leavingOut(decoded, unlessLight: type)
    guard type is any ProgramValidator.Type else { return reader }
    return FieldReader(schema: reader.schema) { [uses] node, field, findings in
      uses.note(node)
      return reader.value(of: node, field: field, findings)
    }
  }
}

extension CompiledParts {
  /// A validator with these options, or an equal one that already exists.
  fileprivate func validator<Validator: ConfigurableValidator>(
    of type: Validator.Type, _ options: Validator.Options
  ) throws -> any ResponseValidator {
    guard let type = type as? any (ConfigurableValidator & Compiled).Type else {
      return try Validator(options: options)
    }
    return try heavy(type, options)
  }

  private func heavy<Validator: ConfigurableValidator & Compiled>(
    _ type: Validator.Type, _ options: any Sendable
  ) throws -> any ResponseValidator {
    guard let options = options as? Validator.Options else {
      throw InvalidInput("these are not options of the validator")
    }
    return try part(for: options as? AnyHashable) { try Validator(options: options) }
  }

  /// A reader that skips values once it was reported that the limit for compiled parts is reached.
  func leavingOut<Value>(_ reader: FieldReader<Value>, unlessLight type: Any.Type) -> FieldReader<Value> {
    guard type is any Compiled.Type else { return reader }
    return FieldReader(schema: reader.schema) { [self] node, field, findings in
      hasReportedTooMany ? nil : reader.value(of: node, field: field, findings)
    }
  }
}
