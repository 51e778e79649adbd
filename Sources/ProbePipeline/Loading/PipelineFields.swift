import ProbeCore
import SourceDocuments

extension FieldReader where Value == Pipeline {
  /// A whole pipeline. What is broken in it is told, and what is whole of it returned, so that it can be checked too.
  static func pipeline(_ language: PipelineLanguage) -> FieldReader {
    .mapping { reader in
      _ = reader.required("version", .version, example: "1")
      let name = reader.required("name", .line, example: "office")
      let policy = reader.optional("policy", .policy)
      let limits = reader.optional("run", .limits)
      let settings = reader.optional("request", .settings(language, of: .pipeline))
      let sets = reader.required("sets", .list(of: .set(language).called("a set")), example: "[{ name: …, urls: […] }]")
      let success = reader.optional("success", .success)
      let decide = reader.optional("decide", .nonEmptyList(of: .possiblyBrokenDecisionRule))
      guard let sets else { return nil }
      var pipeline = Pipeline(name ?? "", sets: sets)
      pipeline.policy = policy?.policy ?? .httpsOnly
      pipeline.capport = policy?.capport
      pipeline.limits = limits ?? RunLimits()
      pipeline.settings = settings ?? []
      pipeline.success = success ?? .all
      pipeline.decide = decide
      return pipeline
    }
  }
}

extension FieldReader where Value == Int {
  /// The version of the form, which this program must know.
  fileprivate static var version: FieldReader { integer(in: 1...1) }
}

/// What `policy` says.
struct PolicyFields {
  var policy: ProbePolicy
  var capport: String?
}

extension FieldReader where Value == PolicyFields {
  private enum HTTPSPolicy: String, CaseIterable {
    case required, optional
  }

  /// What is allowed on the wire, and the API to ask.
  fileprivate static var policy: FieldReader {
    .mapping { reader in
      let https = reader.optional("https", FieldReader<HTTPSPolicy>.choice)
      let capport = reader.optional("capport", .line)
      return PolicyFields(
        policy: https == .optional ? .plaintextAllowed : .httpsOnly, capport: capport == "off" ? nil : capport
      )
    }
  }
}

extension FieldReader where Value == RunLimits {
  /// What a run may cost.
  fileprivate static var limits: FieldReader {
    .mapping { reader in
      let usual = RunLimits()
      let concurrency = reader.optional("concurrency", .integer(in: 1...10_000))
      let perHost = reader.optional("perHost", .integer(in: 1...10_000))
      let deadline = reader.optional("deadline", .duration(in: .milliseconds(1) ... .seconds(86_400)))
      return RunLimits(
        concurrency: concurrency ?? usual.concurrency, perHost: perHost ?? usual.perHost, deadline: deadline)
    }
  }
}

extension FieldReader where Value == Threshold {
  /// `success`, with its threshold.
  fileprivate static var success: FieldReader {
    .mapping { reader in reader.required("threshold", .threshold, example: "75%") }
  }

  /// A percentage or a count.
  static var threshold: FieldReader {
    .text("a percentage such as 50%, or a count such as 2") { text throws(InvalidInput) in try Threshold(text)
    }
  }
}
