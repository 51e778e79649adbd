import ProbeReporting

/// A portal report as JUnit XML: a test case for each requirement.
///
/// An unmet requirement is a failure if its severity is error; otherwise the test passes and has the warning or advice
/// as its output. A requirement that does not apply or has an unknown result is skipped.
package struct PortalJUnit {
  package let text: String

  package init(_ report: PortalReport) {
    let requirements = report.requirements
    var findings: [String: PortalFinding] = [:]
    for finding in report.advice + report.findings { findings[finding.check.id] = finding }
    let failures = report.findings.count { $0.severity == .error }
    let skipped = requirements.count { $0.result.isOpen }
    var xml = XMLWriter()
    let counts: [XMLWriter.Attribute] = [
      ("name", "probekit portal"), ("tests", "\(requirements.count)"), ("failures", "\(failures)"),
      ("errors", "0"),
    ]
    xml.element("testsuites", counts) { xml in
      xml.element("testsuite", counts + [("skipped", "\(skipped)")]) { xml in
        for (check, result) in requirements {
          Self.write(check, result, findings[check.id], to: &xml)
        }
      }
    }
    text = xml.text
  }

  private static func write(
    _ check: PortalCheck, _ result: Examination, _ finding: PortalFinding?, to xml: inout XMLWriter
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
    case .unmet(let summary, _, _):
      let severity = finding?.severity ?? check.severity
      let lines =
        (finding?.shownEvidence ?? []) + [
          check.harm, "Fix: \(check.fix)", "Source: \(check.sourceDescription)",
        ]
      xml.element("testcase", attributes) { xml in
        if severity == .error {
          xml.element("failure", [("type", check.id), ("message", summary)], lines: lines)
        } else {
          xml.element("system-out", [], lines: ["\(severity.rawValue): \(summary)"] + lines)
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
