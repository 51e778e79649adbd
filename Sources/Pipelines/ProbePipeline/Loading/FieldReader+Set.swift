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
    let readersOfURLs = TargetReaders(language, of: .url)
    let target = FieldReader<[ProbeTarget]>.anyOf(
      list: .nonEmptyList(of: .target(language, readersOfURLs).called("a URL")), mapping: .urlFile(language))
    let stepList = FieldReader<[ProbeTarget]>.nonEmptyList(
      of: .step(language, readersOfURLs).called("a step"))
    let readers = TargetReaders(language, of: .set)
    let startChoice = FieldReader<SetStart>.choice
    let familyList = FieldReader<[IPFamily?]>.families
    return .mapping { reader in
      var set = ProbeSet("", targets: [])
      reader.required(
        into: &set.name, "name", .line, example: "office", summary: "the name of the set, unique in the file")
      reader.read(
        into: &set.labels, "labels", .labels, summary: "labels of the set and its probes, for reports")
      let urls = reader.urls(target)
      let steps = reader.optional(
        "steps", stepList,
        summary:
          "in place of urls, requests one after the other, with the cookies of the earlier ones; if one is not "
          + "accepted, the rest is skipped; ${steps.STEP.CAPTURE} is a value that a validator of an earlier step captured"
      )
      set.targets = steps ?? urls ?? []
      set.isSequence = steps != nil
      reader.read(
        into: &set.threshold, "threshold", .threshold, default: "100%",
        summary:
          "how many probes of the set must be accepted for it to be met: a percentage, rounded up to a whole number, "
          + "or a count")
      reader.read(
        into: &set.isRequired, "required", .boolean, default: "true",
        summary: "whether the set counts towards success")
      reader.read(
        into: &set.start, "run", startChoice, default: "always",
        summary:
          "when the set starts; undecided: only if the sets before it have finished and the verdict is still open"
      )
      reader.read(
        into: &set.families, "families", familyList, default: "any",
        summary: "the address families; each URL is probed once for each, and each probe counts")
      set.policy = reader.optional(
        "policy", .policyOfSet,
        summary: "which connections are allowed, in place of the policy of the pipeline")
      reader.read(
        into: &set.settings, "request", readers.settings, summary: "settings of the requests of this set")
      set.judge = reader.judge(readers)
      return set
    }.withSchema { $0.requiring(oneOf: ["urls", "steps"]) }
  }
}

extension FieldReader where Value == ProbeTarget {
  /// A URL, alone or with its own options, or a check; if it has an error, the readable parts are returned.
  fileprivate static func target(_ language: PipelineLanguage, _ readers: TargetReaders) -> FieldReader {
    let short = url(language).map { url, node, _ in ProbeTarget(url, from: node) }
    var long = longTarget(language, readers)
    if language.plugins.transports[.check] != nil {
      long = long.yielding(mappingsWith: "check", to: check(readers).called("a check"))
    }
    return FieldReader.anyOf(scalar: short, mapping: long).withOrigin
  }

  /// A request of a sequence, which has a name.
  fileprivate static func step(_ language: PipelineLanguage, _ readers: TargetReaders) -> FieldReader {
    longTarget(language, readers).refusingChecks.withOrigin
  }

  /// The same reader with the location in the file, even if there is an error.
  private var withOrigin: FieldReader {
    recovering { draft, node in
      var target = draft ?? ProbeTarget("")
      target.origin = .file(node)
      return target
    }
  }

  private static func url(_ language: PipelineLanguage) -> FieldReader<String> {
    .nonEmptyText.withSchema(.url(language.plugins.transports.schemesOfURLs))
  }

  private static func longTarget(_ language: PipelineLanguage, _ readers: TargetReaders) -> FieldReader {
    let text = url(language)
    return .mapping { reader in
      let url = reader.required("url", text, example: "https://example.com/", summary: "the URL to probe")
      var target = ProbeTarget(url ?? "", from: reader.node.entry("url")?.value)
      reader.readOptions(of: &target, readers, ofThe: "requests of this URL")
      return url == nil ? nil : target
    }
  }
}

/// The readers of the parts that sets, URLs and checks share.
private struct TargetReaders {
  let settings: FieldReader<[RequestSetting]>
  let validator: FieldReader<any ResponseValidator>
  let rules: FieldReader<[ClassifyRule]>

  init(_ language: PipelineLanguage, of level: RequestLevel) {
    settings = .settings(language, of: level)
    validator = .validator(language)
    rules = .nonEmptyList(of: .classifyRule(language).called("a rule of classify"))
  }
}

extension MappingReader {
  /// Reads the name, labels, settings and judge of a URL or a check.
  fileprivate mutating func readOptions(
    of target: inout ProbeTarget, _ readers: TargetReaders, ofThe subject: String
  ) {
    target.name = optional("name", .line, summary: "the name of the probe, for reports")
    read(
      into: &target.labels, "labels", .labels,
      summary: "labels of the probe, in addition to those of its set")
    target.settings += optional("request", readers.settings, summary: "settings of the \(subject)") ?? []
    target.judge = judge(readers)
  }
}

extension MappingReader {
  /// The contents of `urls`, which a set without steps requires.
  fileprivate mutating func urls(_ targets: FieldReader<[ProbeTarget]>) -> [ProbeTarget]? {
    let summary =
      "the URLs to probe; a URL with settings of its own is a mapping, and so is a check, or a file with URLs"
    let steps = node.entry("steps")
    guard steps != nil || isAskedForSchema else {
      return required("urls", targets, example: "[https://example.com/]", summary: summary)
    }
    if let steps, node.entry("urls") != nil {
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

extension MappingReader {
  /// The contents of `validate` or `classify`, or nil for neither.
  fileprivate mutating func judge(_ readers: TargetReaders) -> ProbeJudge? {
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
  /// The same reader, which reports a check instead of an unknown key.
  fileprivate var refusingChecks: FieldReader {
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
  fileprivate static func check(_ readers: TargetReaders) -> FieldReader {
    .mapping { reader in
      let arguments = reader.required(
        "check", .arguments, example: "[check_ssh, -H, example.com]",
        summary:
          "a monitoring plugin and its arguments; its exit code is the result. It runs only with --allow-commands"
      )
      let warning = reader.optional(
        "warning", FieldReader<WarningOutcome>.choice, default: "failed",
        summary: "the outcome of a warning, exit code 1")
      var target = ProbeTarget(check: arguments ?? [], acceptsWarnings: warning == .accepted)
      reader.readOptions(of: &target, readers, ofThe: "check")
      if let entry = reader.node.entry("url") {
        _ = reader.entry("url")
        reader.findings.add(
          "url and check cannot be combined", remedy: "make two items of them", at: entry.keySpan.lowerBound)
      }
      return arguments == nil ? nil : target
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
        request.programCheck.program.arguments = arguments
        request.programCheck.acceptsWarnings = acceptsWarnings
      }
    ]
  }
}
