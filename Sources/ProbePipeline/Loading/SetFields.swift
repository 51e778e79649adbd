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
    let target = FieldReader<[ProbeTarget]>.nonEmptyList(of: .target(language).called("a URL"))
    let settingsOfSet = FieldReader<[RequestSetting]>.settings(language, of: .set)
    let startChoice = FieldReader<SetStart>.choice
    let familyList = FieldReader<[IPFamily?]>.families
    let judges = JudgeReaders(language)
    return .mapping { reader in
      let name = reader.required("name", .line, example: "office", summary: "the name, unique in the file")
      let urls = reader.required(
        "urls", target, example: "[https://example.com/]",
        summary: "what to probe: URLs, or mappings with what is special about one")
      let threshold = reader.optional(
        "threshold", .threshold, summary: "a percentage of the set's URLs, or a count of them")
      let required = reader.optional("required", .boolean, summary: "whether the set counts towards success")
      let start = reader.optional(
        "run", startChoice,
        summary:
          "always, or undecided for a fallback that starts only when the sets before it leave the verdict open"
      )
      let families = reader.optional(
        "families", familyList, summary: "the address families by which each URL is probed once")
      let settings = reader.optional(
        "request", settingsOfSet, summary: "what holds for the set's requests, key by key")
      let judge = reader.judge(judges)
      var set = ProbeSet(
        name ?? "", threshold: threshold ?? .all, required: required ?? true, start: start ?? .always,
        targets: urls ?? [])
      set.families = families ?? [nil]
      set.settings = settings ?? []
      set.judge = judge
      return set
    }
  }
}

extension FieldReader where Value == ProbeTarget {
  /// A URL, alone or with its own options; if it has an error, the readable parts are returned.
  fileprivate static func target(_ language: PipelineLanguage) -> FieldReader {
    let short = url(language).map { url, _, _ in ProbeTarget(url) }
    return FieldReader.anyOf(scalar: short, mapping: longTarget(language)).recovering { draft, node in
      var target = draft ?? ProbeTarget("")
      target.origin = .file(node)
      return target
    }
  }

  private static func url(_ language: PipelineLanguage) -> FieldReader<String> {
    .nonEmptyText.withSchema(.url(language.plugins.transports.schemes))
  }

  private static func longTarget(_ language: PipelineLanguage) -> FieldReader {
    let text = url(language)
    let settingsOfURL = FieldReader<[RequestSetting]>.settings(language, of: .url)
    let judges = JudgeReaders(language)
    return .mapping { reader in
      let url = reader.required(
        "url", text, example: "https://example.com/", summary: "the URL to probe")
      let settings = reader.optional(
        "request", settingsOfURL,
        summary: "what holds for this URL's requests alone, key by key")
      let judge = reader.judge(judges)
      guard let url else { return nil }
      var target = ProbeTarget(url)
      target.settings = settings ?? []
      target.judge = judge
      return target
    }
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
    let validator = optional("validate", readers.validator, summary: "what judges the answer")
    let rules = optional(
      "classify", readers.rules,
      summary: "rules that say what became of a probe, of which the first that applies counts; none: failed")
    let places = entries.filter { ["validate", "classify"].contains($0.key) }
    if places.count > 1 {
      findings.add(
        "validate and classify exclude each other", remedy: "leave one of them out",
        at: places[1].keySpan.lowerBound)
      return nil
    }
    return validator.map { .validator($0) } ?? rules.map { .rules($0) }
  }
}
