import ProbeCore
import SourceDocuments

extension FieldReader where Value == ProbeTarget {
  /// A mapping with a URL or with a check.
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
      target.take(options)
      return target
    }
  }
}

/// The outcome of a warning.
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
