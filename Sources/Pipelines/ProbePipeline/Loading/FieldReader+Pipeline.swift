import ProbeCore
import SourceDocuments

extension FieldReader where Value == Pipeline {
  /// A whole pipeline.
  ///
  /// Errors are reported, and the valid parts are returned, so that they can be checked too.
  static func pipeline(_ language: PipelineLanguage) -> FieldReader {
    .mapping { reader in
      var pipeline = Pipeline("", sets: [])
      pipeline.origin = .file(reader.node)
      _ = reader.required("version", .integer(in: 1...1), example: "1", summary: "the version of the format")
      reader.required(
        into: &pipeline.name, "name", .line, example: "office",
        summary: "the name of the pipeline, for reports")
      pipeline.description = reader.optional(
        "description", .nonEmptyText, summary: "what the pipeline is for")
      reader.read(
        into: &pipeline.question, "question", .choice, default: "internet",
        summary:
          "what the verdict is about; internet: whether the network is open to the Internet; services: whether the "
          + "probed services are healthy; every probe runs, and only the validators decide")
      _ = reader.optional(
        "extends", .nonEmptyText,
        summary:
          "a file below the folder of the pipeline, whose settings apply where this one has none: policy, run, request, "
          + "vars, success and decide, key by key")
      let variables = reader.optional(
        "vars", .variables,
        summary:
          "values for ${vars.NAME} in URLs, header fields, queries, bodies, names, labels and dialogs: a text by name, "
          + "which --set replaces")
      pipeline.parameters = reader.requestParameters(variables ?? [])
      // Read before the rest, which uses their names.
      _ = reader.entry(
        "plugins", FieldReader<[DeclaredPlugin]>.declaredPlugins(besides: language.plugins, in: nil),
        summary:
          "plugins in other processes: programs that judge responses or make probes, used by their names")
      let policy =
        reader.optional("policy", .policy, summary: "which connections are allowed") ?? PolicyFields()
      pipeline.policy = policy.policy
      pipeline.capport = policy.capport
      pipeline.asksAnnouncedCapport = policy.asksAnnouncedCapport
      pipeline.asksCapportFirst = policy.asksCapportFirst
      reader.read(into: &pipeline.limits, "run", .limits, summary: "the limits of a run")
      reader.read(
        into: &pipeline.settings, "request", .settings(language, of: .pipeline),
        summary:
          "settings of every request, for the URLs whose scheme has the key; a set or a URL overrides them key by key"
      )
      let sets = reader.required(
        "sets", .nonEmptyList(of: .set(language).called("a set")), example: "[{ name: …, urls: […] }]",
        summary: "what to probe: named groups of URLs, which start in this order")
      reader.read(
        into: &pipeline.success, "success", .success, default: "all required sets",
        summary:
          "how many of the required sets must be met for the network to be online, or for the services not to be "
          + "unhealthy; without decide")
      pipeline.decide = reader.optional(
        "decide", .nonEmptyList(of: .possiblyBrokenDecisionRule),
        default: "decided by the evidence or, for services, by success",
        summary:
          "rules for the verdict: the first one that applies; if none applies, the verdict is inconclusive or, about "
          + "services, follows from the sets that are met"
      )
      guard let sets else { return nil }
      pipeline.sets = sets
      return pipeline
    }
  }
}

/// The contents of `policy`.
struct PolicyFields {
  var policy = ProbePolicy.httpsOnly
  var capport: String?
  var asksAnnouncedCapport = false
  var asksCapportFirst = false
}

private enum HTTPSPolicy: String, CaseIterable {
  case required, optional

  var policy: ProbePolicy { self == .optional ? .plaintextAllowed : .httpsOnly }
}

extension MappingReader {
  fileprivate mutating func https(default usual: String) -> ProbePolicy? {
    optional(
      "https", FieldReader<HTTPSPolicy>.choice, default: usual,
      summary:
        "required: an unencrypted URL is an error, and a redirect to one ends its probe with policy.downgrade; "
        + "optional: both are allowed"
    )?.policy
  }
}

extension FieldReader where Value == ProbePolicy {
  /// The contents of `policy` of a set.
  static var policyOfSet: FieldReader {
    .mapping { reader in reader.https(default: "that of the pipeline") }
  }
}

extension FieldReader where Value == PolicyFields {
  /// The contents of `policy`: the allowed exchanges, and the captive-portal API to query.
  fileprivate static var policy: FieldReader {
    .mapping(into: PolicyFields()) { policy, reader in
      policy.policy = reader.https(default: "required") ?? policy.policy
      let capport = reader.optional(
        "capport", .line.withSchema(.anyOf([.choice(["off", "announced"]), .url([.https])])),
        default: "off",
        summary:
          "the captive portal API (RFC 8908) of the network, which is queried once a run: its https URL; or announced, "
          + "the URL that the network announces (RFC 8910) as given to the option --capport"
      )
      reader.read(
        into: &policy.asksCapportFirst, "capportFirst", .boolean, default: "false",
        summary: "whether to query the API before any probe starts")
      if policy.asksCapportFirst, capport == nil || capport == "off" {
        reader.findings.add(
          "capportFirst requires a captive-portal API", remedy: "give capport an https URL, or announced",
          at: reader.node)
      }
      policy.capport = capport.flatMap { ["off", "announced"].contains($0) ? nil : $0 }
      policy.asksAnnouncedCapport = capport == "announced"
    }
  }
}

extension FieldReader where Value == RunLimits {
  fileprivate static var limits: FieldReader {
    .mapping(into: RunLimits()) { limits, reader in
      reader.read(
        into: &limits.concurrency, "concurrency", .integer(in: 1...10_000), default: "\(limits.concurrency)",
        summary: "how many probes run at the same time")
      reader.read(
        into: &limits.perHost, "perHost", .integer(in: 1...10_000), default: "\(limits.perHost)",
        summary: "how many probes of one host run at the same time")
      limits.deadline = reader.optional(
        "deadline", .duration(in: .milliseconds(1) ... .seconds(86_400)),
        default: "none", summary: "the time limit for the whole run, such as 30s")
    }
  }
}

extension FieldReader where Value == Threshold {
  /// The contents of `success`: a threshold.
  fileprivate static var success: FieldReader {
    .mapping { reader in
      reader.required(
        "threshold", .threshold, example: "75%",
        summary: "how many of the required sets must be met: a percentage, or a count")
    }
  }

  /// A percentage or a count.
  static var threshold: FieldReader {
    .text("a percentage such as 50%, or a count such as 2", schema: .threshold) { text throws(InvalidInput) in
      try Threshold(text)
    }
  }
}
