import ProbeCore
import ProbePipeline

extension ReportFormat {
  static let tap = ReportFormat("tap", "the Test Anything Protocol, for test harnesses") { _ in
    TAPReporter()
  }
}

/// The Test Anything Protocol, version 13: a test for each probe, and one for each verdict.
///
/// A probe that was not accepted is `not ok`, even if its set is met, and has a YAML block with the reason.
/// In descriptions, `#` and `\` are escaped with a `\`, as in version 14 and later.
struct TAPReporter: Reporter {
  var reportsProbes: Bool { false }

  func text(of runs: [ReportedRun]) -> String {
    let tests = runs.reduce(0) { $0 + 1 + $1.testedSets.reduce(0) { $0 + $1.total } }
    var text = "TAP version 13\n1..\(tests)\n"
    var number = 0
    for run in runs {
      for set in run.testedSets {
        for probe in set.probes {
          number += 1
          text += test(number, probe, "\(run.result.pipeline): \(set.name): \(probe.title)")
        }
      }
      number += 1
      text += verdict(number, run)
    }
    return text
  }

  private func test(_ number: Int, _ probe: ProbeResult, _ name: String) -> String {
    let start = "\(number) - \(Self.escape(name))"
    switch probe.outcome {
    case .accepted: return "ok \(start)\n"
    case .skipped:
      let reason = probe.rejectionDescription.map { " " + Self.escape($0) } ?? ""
      return "ok \(start) # SKIP\(reason)\n"
    case .intercepted, .failed:
      let why: [(name: String, value: String?)] = [
        ("reason", probe.reason?.rawValue), ("detail", probe.detail),
      ]
      return "not ok \(start)\n" + Self.block(why + probe.factDescriptions.map { ($0.name, $0.value) })
    }
  }

  private func verdict(_ number: Int, _ run: ReportedRun) -> String {
    let start = "\(run.isExpected ? "ok" : "not ok") \(number) - \(Self.escape(run.name)): verdict\n"
    guard !run.isExpected else { return start }
    let evidence = run.result.evidence.prefix(TextReport.longSet).map(\.summary).joined(separator: "; ")
    return start
      + Self.block([
        ("verdict", run.result.verdict.rawValue), ("message", run.message), ("evidence", evidence),
      ])
  }

  /// A YAML block after a test; every value is quoted text, so that none is parsed as another type.
  private static func block(_ values: [(name: String, value: String?)]) -> String {
    var text = "  ---\n"
    for case (let name, let value?) in values {
      text += "  \(name): '\(value.withoutNoncharacters.replacing(["'": "''"]))'\n"
    }
    return text + "  ...\n"
  }

  private static func escape(_ text: String) -> String {
    text.withoutNoncharacters.withBackslashes(before: "\\#")
  }
}
