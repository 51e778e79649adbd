import PortalReport
import ProbeReporting

/// A portal report as JUnit XML: a test case for each requirement.
///
/// An unmet requirement is a failure if its severity is error; with severity warning, the test passes and has
/// the warning as its output. A requirement that does not apply or has an unknown result is skipped.
struct PortalJUnit {
  /// The document.
  let text: String

  /// The document of a report.
  init(_ report: PortalReport) {
    let requirements = report.requirements
    var evidence: [String: [String]] = [:]
    for finding in report.findings { evidence[finding.check.id] = finding.shownEvidence }
    let failures = report.findings.count { $0.check.severity == .error }
    let skipped = requirements.count { $0.result.isOpen }
    var xml = XMLWriter()
    let counts: [XMLWriter.Attribute] = [
      ("name", "probekit portal"), ("tests", "\(requirements.count)"), ("failures", "\(failures)"),
      ("errors", "0"),
    ]
    xml.element("testsuites", counts) { xml in
      xml.element("testsuite", counts + [("skipped", "\(skipped)")]) { xml in
        for (check, result) in requirements {
          Self.write(check, result, evidence[check.id] ?? [], to: &xml)
        }
      }
    }
    text = xml.text
  }

  private static func write(
    _ check: PortalCheck, _ result: Examination, _ evidence: [String], to xml: inout XMLWriter
  ) {
    let attributes: [XMLWriter.Attribute] = [
      ("name", "\(check.id): \(check.requirement)"), ("classname", "portal"), ("time", "0"),
    ]
    switch result {
    case .met: xml.element("testcase", attributes)
    case .unknown(let reason):
      xml.element("testcase", attributes) { $0.element("skipped", [("message", "unknown: \(reason)")]) }
    case .notApplicable:
      xml.element("testcase", attributes) { $0.element("skipped", [("message", "not applicable")]) }
    case .unmet(let summary, _):
      let lines = evidence + [check.harm, "Fix: \(check.fix)", "Source: \(check.source)"]
      xml.element("testcase", attributes) { xml in
        if check.severity == .error {
          xml.element("failure", [("type", check.id), ("message", summary)], lines: lines)
        } else {
          xml.element("system-out", [], lines: ["warning: \(summary)"] + lines)
        }
      }
    }
  }
}

extension Examination {
  /// Whether the requirement is neither met nor unmet.
  fileprivate var isOpen: Bool {
    switch self {
    case .unknown, .notApplicable: true
    case .met, .unmet: false
    }
  }
}
