import ProbeCore
import SourceDocuments

extension FieldReader where Value == Pipeline {
  /// A whole pipeline.
  ///
  /// Errors are reported, and the valid parts are returned, so that they can be checked too.
  static func pipeline(_ language: PipelineLanguage) -> FieldReader {
    .mapping { reader in
      _ = reader.required("version", .version, example: "1", summary: "the version of this form: 1")
      let name = reader.required(
        "name", .line, example: "office", summary: "the name of the pipeline, for reports")
      let description = reader.optional(
        "description", .nonEmptyText, summary: "what it is for, in words for a person")
      let policy = reader.optional("policy", .policy, summary: "what is allowed on the wire")
      let limits = reader.optional("run", .limits, summary: "what a run may cost")
      let settings = reader.optional(
        "request", .settings(language, of: .pipeline),
        summary: "what holds for every request, unless its set or its URL says otherwise, key by key")
      let sets = reader.required(
        "sets", .nonEmptyList(of: .set(language).called("a set")), example: "[{ name: …, urls: […] }]",
        summary: "what to probe: named groups of URLs")
      let success = reader.optional(
        "success", .success,
        summary: "how many of the required sets must be met for the network to count as online")
      let decide = reader.optional(
        "decide", .nonEmptyList(of: .possiblyBrokenDecisionRule),
        summary:
          "rules that say the verdict, of which the first that applies counts; without them the evidence decides"
      )
      guard let sets else { return nil }
      var pipeline = Pipeline(name ?? "", sets: sets)
      pipeline.origin = .file(reader.node)
      pipeline.policy = policy?.policy ?? .httpsOnly
      pipeline.description = description
      pipeline.capport = policy?.capport
      pipeline.asksAnnouncedCapport = policy?.asksAnnouncedCapport ?? false
      pipeline.asksCapportFirst = policy?.asksCapportFirst ?? false
      pipeline.limits = limits ?? RunLimits()
      pipeline.settings = settings ?? []
      pipeline.success = success ?? .all
      pipeline.decide = decide
      return pipeline
    }
  }
}

extension FieldReader where Value == Int {
  /// The version of the file format, which this program must support.
  fileprivate static var version: FieldReader { integer(in: 1...1) }
}

/// The contents of `policy`.
struct PolicyFields {
  var policy: ProbePolicy
  var capport: String?
  var asksAnnouncedCapport: Bool
  var asksCapportFirst: Bool
}

extension FieldReader where Value == PolicyFields {
  private enum HTTPSPolicy: String, CaseIterable {
    case required, optional
  }

  /// The contents of `policy`: the allowed exchanges, and the captive-portal API to query.
  fileprivate static var policy: FieldReader {
    .mapping { reader in
      let https = reader.optional(
        "https", FieldReader<HTTPSPolicy>.choice,
        summary: "whether plain URLs are mistakes (required) or allowed (optional)")
      let capport = reader.optional(
        "capport", .line.withSchema(.anyOf([.choice(["off", "announced"]), .url([.https])])),
        summary:
          "the API of a captive portal (RFC 8908) to ask: an https URL, the one that the network announced, or off"
      )
      let isFirst = reader.optional(
        "capportFirst", .boolean, summary: "whether the API is heard before anything is probed")
      if isFirst == true, capport == nil || capport == "off" {
        reader.findings.add(
          "there is no API to hear first", remedy: "give capport an https URL, or announced", at: reader.node)
      }
      return PolicyFields(
        policy: https == .optional ? .plaintextAllowed : .httpsOnly,
        capport: capport.flatMap { ["off", "announced"].contains($0) ? nil : $0 },
        asksAnnouncedCapport: capport == "announced", asksCapportFirst: isFirst ?? false)
    }
  }
}

extension FieldReader where Value == RunLimits {
  /// The limits of a run.
  fileprivate static var limits: FieldReader {
    .mapping { reader in
      let usual = RunLimits()
      let concurrency = reader.optional(
        "concurrency", .integer(in: 1...10_000), summary: "how many probes run at a time")
      let perHost = reader.optional(
        "perHost", .integer(in: 1...10_000), summary: "how many of them may go to one host")
      let deadline = reader.optional(
        "deadline", .duration(in: .milliseconds(1) ... .seconds(86_400)),
        summary: "the time for the whole run, such as 30s")
      return RunLimits(
        concurrency: concurrency ?? usual.concurrency, perHost: perHost ?? usual.perHost, deadline: deadline)
    }
  }
}

extension FieldReader where Value == Threshold {
  /// The contents of `success`: a threshold.
  fileprivate static var success: FieldReader {
    .mapping { reader in
      reader.required(
        "threshold", .threshold, example: "75%",
        summary: "a percentage of the required sets, or a count of them")
    }
  }

  /// A percentage or a count.
  static var threshold: FieldReader {
    .text("a percentage such as 50%, or a count such as 2", schema: .threshold) { text throws(InvalidInput) in
      try Threshold(text)
    }
  }
}
