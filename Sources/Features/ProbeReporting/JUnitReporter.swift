import ProbeCore
import ProbePipeline

extension ReportFormat {
  static let junit = ReportFormat("junit", "JUnit XML, for CI") { _ in JUnitReporter() }
}

/// JUnit XML: a test suite for each set with a test case for each probe, and one for the verdict.
///
/// The output is valid for Jenkins, which validates a report before reading it (junit-10.xsd of its xUnit
/// plugin): the root element has no count of skipped tests, and times have at most three decimals.
///
/// A probe that was not accepted is a failure with its reason code as the type, even if its set is met. The
/// test case `verdict` reports whether the network is online, or the services are healthy. If a run is compared with an expected verdict,
/// that is the only test case, and it reports whether the verdict is the expected one.
struct JUnitReporter: Reporter {
  var reportsProbes: Bool { false }

  func text(of runs: [ReportedRun]) -> String {
    var xml = XMLWriter()
    let probes = runs.flatMap { $0.testedSets.flatMap(\.probes) }
    let unexpected = runs.count { !$0.isExpected }
    let totals: [XMLWriter.Attribute] = [
      ("name", "probekit"), ("tests", "\(probes.count + runs.count)"),
      ("failures", "\(probes.count(where: \.isFailure) + unexpected)"), ("errors", "0"),
    ]
    xml.element("testsuites", totals) { xml in
      for run in runs {
        let numbers = OccurrenceCounter(run.testedSets.map(\.name)).numbers
        for (set, number) in zip(run.testedSets, numbers) {
          let name = "\(run.result.pipeline): \(set.name)\(number.map { " #\($0)" } ?? "")"
          write(set, called: name, to: &xml)
        }
        writeVerdict(run, to: &xml)
      }
    }
    return xml.text
  }

  private func write(_ set: SetResult, called name: String, to xml: inout XMLWriter) {
    let time = set.probes.compactMap(\.response?.timings.total).reduce(.zero, +)
    let attributes: [XMLWriter.Attribute] = [
      ("name", name), ("tests", "\(set.total)"), ("failures", "\(set.probes.count(where: \.isFailure))"),
      ("errors", "0"), ("skipped", "\(set.probes.count { $0.outcome == .skipped })"),
      ("time", time.seconds),
    ]
    xml.element("testsuite", attributes) { xml in
      xml.element("properties", []) { xml in
        xml.element("property", [("name", "accepted"), ("value", "\(set.accepted)")])
        xml.element("property", [("name", "threshold"), ("value", set.threshold.description)])
        xml.element("property", [("name", "required"), ("value", "\(set.isRequired)")])
        xml.element("property", [("name", "met"), ("value", set.isMet.map { "\($0)" } ?? "not needed")])
        for (key, value) in set.labels.sorted(by: { $0.key < $1.key }) {
          xml.element("property", [("name", "label.\(key)"), ("value", value)])
        }
      }
      // CI systems distinguish the cases of a suite by their names.
      let numbers = OccurrenceCounter(set.probes.map(\.title)).numbers
      for (probe, number) in zip(set.probes, numbers) {
        write(probe, called: probe.title + (number.map { " #\($0)" } ?? ""), of: name, to: &xml)
      }
    }
  }

  private func write(
    _ probe: ProbeResult, called name: String, of suite: String, to xml: inout XMLWriter
  ) {
    let time = probe.response?.timings.total ?? .zero
    let attributes: [XMLWriter.Attribute] = [
      ("name", name), ("classname", suite), ("time", time.seconds),
    ]
    switch probe.outcome {
    case .accepted where probe.labels.isEmpty: xml.element("testcase", attributes)
    case .accepted:
      xml.element("testcase", attributes) { xml in
        xml.element("system-out", [], lines: ["labels: \(probe.labels.words)"])
      }
    case .skipped:
      xml.element("testcase", attributes) { xml in
        xml.element("skipped", [("message", probe.rejectionDescription)])
      }
    case .intercepted, .failed:
      xml.element("testcase", attributes) { xml in
        let type = probe.reason?.rawValue ?? probe.outcome.rawValue
        xml.element(
          "failure", [("type", type), ("message", probe.detail ?? probe.outcome.rawValue)],
          lines: probe.factDescriptions.map { "\($0.name): \($0.value)" })
      }
    }
  }

  private func writeVerdict(_ run: ReportedRun, to xml: inout XMLWriter) {
    let result = run.result
    let name = "\(run.name): verdict"
    let time = result.duration.seconds
    let attributes: [XMLWriter.Attribute] = [
      ("name", name), ("tests", "1"), ("failures", run.isExpected ? "0" : "1"), ("errors", "0"),
      ("skipped", "0"),
      ("time", time),
    ]
    xml.element("testsuite", attributes) { xml in
      let test: [XMLWriter.Attribute] = [("name", "verdict"), ("classname", name), ("time", time)]
      guard !run.isExpected else { return xml.element("testcase", test) }
      xml.element("testcase", test) { xml in
        xml.element(
          "failure", [("type", result.verdict.rawValue), ("message", run.message)],
          lines: result.evidence.prefix(TextReport.longSet).map(\.summary))
      }
    }
  }
}

extension Duration {
  /// The time in seconds, to the millisecond.
  fileprivate var seconds: String {
    Duration.milliseconds((inSeconds * 1000).rounded()).decimalSeconds
  }
}

extension ProbeResult {
  /// Whether the probe was needed but not accepted.
  fileprivate var isFailure: Bool { outcome == .intercepted || outcome == .failed }
}
