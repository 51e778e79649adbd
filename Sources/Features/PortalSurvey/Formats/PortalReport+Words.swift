import FoundationEssentials
import ProbeCore
import ProbePipeline
import ProbeReporting

/// The texts that all formats of the report share.
extension PortalReport {
  /// The number of checks with each result.
  package var totals: String {
    var counts = (met: 0, unmet: 0, unknown: 0, none: 0)
    for requirement in requirements {
      switch requirement.result {
      case .met: counts.met += 1
      case .unmet: counts.unmet += 1
      case .unknown: counts.unknown += 1
      case .notApplicable: counts.none += 1
      }
    }
    return
      "\(requirements.count) requirements: \(counts.met) met, \(counts.unmet) not met, \(counts.unknown) unknown, "
      + "\(counts.none) not applicable"
  }

  static let title = "Captive portal report"
}

extension PortalReport.Stage.Kind {
  /// The name of the kind, for people.
  package var words: String {
    switch self {
    case .beforeLogin: "before the login"
    case .secondLogin: "second login"
    case .afterLogin: "after the login"
    case .sessionEnd: "end of the session"
    case .open: "open network"
    }
  }
}

extension PortalReport.Stage {
  /// The verdict, and the login URL if there is one.
  package var summary: String {
    verdict.words + (loginURL.map { ": log in at \($0.string)" } ?? "")
  }

  /// The time since the first stage, such as `12 s`.
  package func elapsedText(since report: PortalReport) -> String {
    guard let first = report.stages.first?.time else { return "" }
    return "\(Int(bounding: time.timeIntervalSince(first).rounded())) s"
  }
}

extension EngineReaction {
  /// The reaction that the user sees, the URL that the system opens, and the page after it.
  package var words: String {
    guard showsLogin, let opens else { return shows }
    let suffix = target.map { ", which leads to \($0.string.shortened(to: 100))" } ?? ""
    return "\(shows), opens \(opens.string.shortened(to: 100))\(suffix)"
  }

  /// Whether the behavior of the system in a stage is correct.
  package func isRight(in stage: PortalReport.Stage) -> Bool {
    stage.facts.isOpen ? verdict == .online : looksForPortals ? showsLogin : verdict != .online
  }
}

extension PortalFinding {
  /// The identifier, with the stage if a report has several.
  package func label(in report: PortalReport) -> String {
    check.id + (report.stages.count > 1 ? ", \(stage.words)" : "")
  }

  /// The first lines of the evidence, which may have hundreds.
  package var shownEvidence: [String] {
    let maximum = 8
    let shown = evidence.prefix(maximum).map { $0.shortened(to: 300) }
    return shown + (evidence.count > maximum ? ["and \(evidence.count - maximum) more"] : [])
  }
}

extension PortalCheck {
  /// The source, with the key word of a standard.
  package var sourceDescription: String { reference + (level.map { " (\($0.rawValue))" } ?? "") }
}

extension Announcement {
  /// The information from the source, for people.
  fileprivate var words: String {
    let text =
      switch finding {
      case .announced(let text): text.escapedForDisplay
      case .absent: "none"
      case .unknown(let reason): "unknown: \(reason)"
      }
    return "\(method.words): \(text) (\(origin))"
  }
}

extension PortalFacts {
  /// The other lists of a report, besides systems and findings: titles with their lines, without empty lists.
  package var lists: [(title: String, lines: [String])] {
    [
      ("Address families", families.map(\.words)),
      ("What else the network does", conditions.map(\.summary)),
      ("Announced captive-portal API", announcements.map(\.words)), ("Names", names.map(\.words)),
      ("Paths to your server", bypassAttempts.map(\.words)),
    ].filter { !$0.1.isEmpty }
  }
}

extension FamilyRun {
  /// The verdict for people, with the login URL if there is one.
  fileprivate var words: String {
    let state =
      isFamilyUnavailable
      ? "not available" : result.verdict.words + (result.loginURL.map { ": log in at \($0.string)" } ?? "")
    return "IP\(family): \(state)"
  }
}

extension NameAccess {
  /// The results for people.
  fileprivate var words: String {
    "\(name): HTTP \(http.rawValue), HTTPS \(https.rawValue), DNS \(dns.rawValue)"
  }
}

extension BypassAttempt {
  /// The result for people.
  fileprivate var words: String { "\(url): \(hasPassed.map { $0 ? "passes" : "blocked" } ?? "unknown")" }
}
