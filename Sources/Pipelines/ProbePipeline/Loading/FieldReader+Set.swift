import ProbeCore
import SourceDocuments

extension FieldReader where Value == ProbeSet {
  /// A set; if it has an error, the readable parts are returned, so that they can be checked.
  static func set(_ language: PipelineLanguage) -> FieldReader {
    draft(language).recovering { draft, node in
      var set = draft ?? ProbeSet("", targets: [])
      set.origin = .file(node)
      return set
    }
  }

  private static func draft(_ language: PipelineLanguage) -> FieldReader {
    let target = FieldReader<[ProbeTarget]>.anyOf(
      list: .nonEmptyList(of: .target(language).called("a URL")), mapping: .urlFile(language))
    let stepList = FieldReader<[ProbeTarget]>.nonEmptyList(of: .step(language).called("a step"))
    let settingsOfSet = FieldReader<[RequestSetting]>.settings(language, of: .set)
    let startChoice = FieldReader<SetStart>.choice
    let familyList = FieldReader<[IPFamily?]>.families
    let judges = JudgeReaders(language)
    return .mapping { reader in
      let name = reader.required(
        "name", .line, example: "office", summary: "the name of the set, unique in the file")
      let labels = reader.optional(
        "labels", .labels, summary: "labels of the set and its probes, for reports")
      let urls = reader.urls(target)
      let steps = reader.optional(
        "steps", stepList,
        summary:
          "in place of urls, requests one after the other, with the cookies of the earlier ones; if one is not "
          + "accepted, the rest is skipped; ${steps.STEP.CAPTURE} is a value that a validator of an earlier step captured"
      )
      let threshold = reader.optional(
        "threshold", .threshold, default: "100%",
        summary:
          "how many probes of the set must be accepted for it to be met: a percentage, rounded up to a whole number, "
          + "or a count")
      let required = reader.optional(
        "required", .boolean, default: "true", summary: "whether the set counts towards success")
      let start = reader.optional(
        "run", startChoice, default: "always",
        summary:
          "when the set starts; undecided: only if the sets before it have finished and the verdict is still open"
      )
      let families = reader.optional(
        "families", familyList, default: "any",
        summary: "the address families; each URL is probed once for each, and each probe counts")
      let policy = reader.optional(
        "policy", .policyOfSet,
        summary: "which connections are allowed, in place of the policy of the pipeline")
      let settings = reader.optional(
        "request", settingsOfSet, summary: "settings of the requests of this set")
      let judge = reader.judge(judges)
      var set = ProbeSet(
        name ?? "", threshold: threshold ?? .all, required: required ?? true, start: start ?? .always,
        targets: steps ?? urls ?? [])
      set.isSequence = steps != nil
      set.labels = labels ?? [:]
      set.policy = policy
      set.families = families ?? [nil]
      set.settings = settings ?? []
      set.judge = judge
      return set
    }.withSchema { $0.requiring(oneOf: ["urls", "steps"]) }
  }
}

extension FieldReader where Value == ProbeTarget {
  /// A URL, alone or with its own options, or a check; if it has an error, the readable parts are returned.
  fileprivate static func target(_ language: PipelineLanguage) -> FieldReader {
    let short = url(language).map { url, node, _ in ProbeTarget(url, from: node) }
    return FieldReader.anyOf(scalar: short, mapping: .urlOrCheck(longTarget(language), language))
      .recovering { draft, node in
        var target = draft ?? ProbeTarget("")
        target.origin = .file(node)
        return target
      }
  }

  /// A request of a sequence, which has a name.
  fileprivate static func step(_ language: PipelineLanguage) -> FieldReader {
    longTarget(language).refusingChecks.recovering { draft, node in
      var target = draft ?? ProbeTarget("")
      target.origin = .file(node)
      return target
    }
  }

  private static func url(_ language: PipelineLanguage) -> FieldReader<String> {
    .nonEmptyText.withSchema(.url(language.plugins.transports.schemesOfURLs))
  }

  private static func longTarget(_ language: PipelineLanguage) -> FieldReader {
    let text = url(language)
    let readers = TargetReaders(language)
    return .mapping { reader in
      let url = reader.required(
        "url", text, example: "https://example.com/", summary: "the URL to probe")
      let options = reader.options(readers, ofThe: "requests of this URL")
      guard let url else { return nil }
      var target = ProbeTarget(url, from: reader.node.entry("url")?.value)
      target.apply(options)
      return target
    }
  }
}

/// The readers of the options that URLs and checks share.
struct TargetReaders {
  fileprivate let settings: FieldReader<[RequestSetting]>
  fileprivate let judges: JudgeReaders

  init(_ language: PipelineLanguage) {
    settings = .settings(language, of: .url)
    judges = JudgeReaders(language)
  }
}

/// The options that URLs and checks share.
struct TargetOptions {
  var name: String?
  var labels: [String: String]?
  var settings: [RequestSetting]?
  var judge: ProbeJudge?
}

extension MappingReader {
  /// The name, labels, settings and judge of a URL or a check.
  mutating func options(_ readers: TargetReaders, ofThe subject: String) -> TargetOptions {
    TargetOptions(
      name: optional("name", .line, summary: "the name of the probe, for reports"),
      labels: optional(
        "labels", .labels, summary: "labels of the probe, in addition to those of its set"),
      settings: optional("request", readers.settings, summary: "settings of the \(subject)"),
      judge: judge(readers.judges))
  }
}

extension ProbeTarget {
  /// Applies the options in a file.
  mutating func apply(_ options: TargetOptions) {
    name = options.name
    labels = options.labels ?? [:]
    settings += options.settings ?? []
    judge = options.judge
  }
}

extension MappingReader {
  /// The contents of `urls`, which a set without steps requires.
  fileprivate mutating func urls(_ targets: FieldReader<[ProbeTarget]>) -> [ProbeTarget]? {
    let summary =
      "the URLs to probe; a URL with settings of its own is a mapping, and so is a check, or a file with URLs"
    let steps = entries.first { $0.key == "steps" }
    guard steps != nil || isAskedForSchema else {
      return required("urls", targets, example: "[https://example.com/]", summary: summary)
    }
    if let steps, entries.contains(where: { $0.key == "urls" }) {
      findings.add(
        "urls and steps cannot be combined", remedy: "put them into separate sets",
        at: steps.keySpan.lowerBound)
    }
    return optional("urls", targets, default: "required without steps", summary: summary)
  }
}

extension ProbeTarget {
  /// A URL from a file; if it contains secrets, reports show their names.
  fileprivate init(_ url: String, from node: SourceNode?) {
    self.init(node?.scalar?.shown ?? url)
    if node?.scalar?.shown != nil { secretURL = url }
  }
}

extension FieldReader where Value == [IPFamily?] {
  private enum Name: String, CaseIterable {
    case any, v4, v6
  }

  /// The address families with which each URL is probed, without duplicates.
  fileprivate static var families: FieldReader {
    FieldReader<[Name]>.oneOrMore(of: .choice).map { names, node, findings in
      guard Set(names).count == names.count else {
        findings.add("a family is named twice", remedy: "keep one of them", at: node)
        return nil
      }
      return names.map { IPFamily(rawValue: $0.rawValue) }
    }
  }
}

/// The readers of `validate` and `classify`.
private struct JudgeReaders {
  let validator: FieldReader<any ResponseValidator>
  let rules: FieldReader<[ClassifyRule]>

  init(_ language: PipelineLanguage) {
    validator = .validator(language)
    rules = .nonEmptyList(of: .classifyRule(language).called("a rule of classify"))
  }
}

extension MappingReader {
  /// The contents of `validate` or `classify`, or nil for neither.
  fileprivate mutating func judge(_ readers: JudgeReaders) -> ProbeJudge? {
    let validator = optional(
      "validate", readers.validator,
      default:
        "a 2xx status without a redirect; for tcp and tls, a connection; for udp, the response of the dialog; for a check, exit code 0",
      summary: "the validator that accepts or rejects the response")
    let rules = optional(
      "classify", readers.rules,
      summary:
        "instead of validate, rules for the outcome of a probe: the first one that applies; if none applies, it has failed"
    )
    let judges = entries.filter { ["validate", "classify"].contains($0.key) }
    if judges.count > 1 {
      findings.add(
        "validate and classify cannot be combined", remedy: "omit one of them",
        at: judges[1].keySpan.lowerBound)
      return nil
    }
    return validator.map { .validator($0) } ?? rules.map { .rules($0) }
  }
}

extension FieldReader where Value == ProbeTarget {
  static func urlOrCheck(_ url: FieldReader, _ language: PipelineLanguage) -> FieldReader {
    guard language.plugins.transports[.check] != nil else { return url }
    return url.yielding(mappingsWith: "check", to: check(language).called("a check"))
  }

  /// The same reader, which reports a check instead of an unknown key.
  var refusingChecks: FieldReader {
    let refusal = FieldReader { node, _, findings in
      findings.add(
        "a step cannot be a check, because steps are requests of one session",
        remedy: "put the check under urls in a set of its own",
        at: node.entry("check")?.keySpan.lowerBound ?? node.span.lowerBound)
      return nil
    }
    return yielding(mappingsWith: "check", to: refusal, isInSchema: false)
  }

  /// A monitoring plugin: `{ check: [check_ssh, -H, HOST] }`.
  private static func check(_ language: PipelineLanguage) -> FieldReader {
    let readers = TargetReaders(language)
    return .mapping { reader in
      let arguments = reader.required(
        "check", .arguments, example: "[check_ssh, -H, example.com]",
        summary:
          "a monitoring plugin and its arguments; its exit code is the result. It runs only with --allow-commands"
      )
      let warning = reader.optional(
        "warning", FieldReader<WarningOutcome>.choice, default: "failed",
        summary: "the outcome of a warning, exit code 1")
      let options = reader.options(readers, ofThe: "check")
      if let entry = reader.entries.first(where: { $0.key == "url" }) {
        _ = reader.entry("url")
        reader.findings.add(
          "url and check cannot be combined", remedy: "make two items of them", at: entry.keySpan.lowerBound)
      }
      guard let arguments else { return nil }
      var target = ProbeTarget(check: arguments, acceptsWarnings: warning == .accepted)
      target.apply(options)
      return target
    }
  }
}

private enum WarningOutcome: String, CaseIterable {
  case accepted, failed
}

extension ProbeTarget {
  /// A check by a monitoring plugin.
  fileprivate init(check arguments: [String], acceptsWarnings: Bool) {
    let url = ProbeURL(check: Program(arguments))
    self.init(url.string)
    parsedURL = url
    settings = [
      RequestSetting { request, _ in
        var check = request[ProgramCheck.self] ?? ProgramCheck()
        check.program.arguments = arguments
        check.acceptsWarnings = acceptsWarnings
        request[ProgramCheck.self] = check
      }
    ]
  }
}
