package import FoundationEssentials
package import ProbeCore
package import ProbePipeline

/// A report on a network and its captive portal: what every system shows, and what to fix.
package struct PortalReport: Sendable {
  /// The stages in the order of time; there is at least one.
  package private(set) var stages: [Stage]

  package init(_ facts: PortalFacts) {
    stages = [Stage(facts, after: [])]
  }

  /// Adds the facts of a later time, such as those after the login.
  package mutating func add(_ facts: PortalFacts) {
    stages.append(Stage(facts, after: stages))
  }

  /// The findings of all stages, the most severe first; one that several stages have is that of the first.
  package var findings: [PortalFinding] { Self.merged(stages.flatMap(\.findings)) }

  /// The advice of all stages, in the order of the checks.
  package var advice: [PortalFinding] { Self.merged(stages.flatMap(\.advice)) }

  /// The first finding of each check.
  private static func merged(_ all: [PortalFinding]) -> [PortalFinding] {
    var found: [String: PortalFinding] = [:]
    for finding in all where found[finding.check.id] == nil { found[finding.check.id] = finding }
    return PortalCheck.all.compactMap { found[$0.id] }.inOrderOfHarm
  }

  /// Every check with its result: the worst one over the stages.
  package var requirements: [(check: PortalCheck, result: Examination)] {
    PortalCheck.all.map { check in
      (check, stages.compactMap { $0.results[check.id] }.max { $0.rank < $1.rank } ?? .notApplicable)
    }
  }
}

extension Examination {
  /// The precedence of the results of several stages.
  fileprivate var rank: Int {
    switch self {
    case .notApplicable: 0
    case .unknown: 1
    case .met: 2
    case .unmet: 3
    }
  }
}

extension PortalReport {
  /// A survey of the network at one time.
  package struct Stage: Sendable {
    /// The event at which the stage began.
    package enum Kind: String, Hashable, Sendable {
      /// Nothing yet: a login is required.
      case beforeLogin
      /// A login, after which the network requires another one, at another host.
      case secondLogin
      /// A login, after which the network is open.
      case afterLogin
      /// The end of the session: a login is required again.
      case sessionEnd
      /// No login was seen, and the network is open.
      case open
    }

    /// The event at which the stage began.
    package let kind: Kind
    package let facts: PortalFacts
    /// The results of the checks that apply in the stage, by their identifiers.
    package let results: [String: Examination]

    fileprivate init(_ facts: PortalFacts, after stages: [Stage]) {
      let wasOpen = stages.contains { $0.facts.isOpen }
      let wasCaptive = stages.contains { !$0.facts.isOpen }
      self.facts = facts
      kind =
        switch (facts.isOpen, wasOpen, wasCaptive) {
        case (true, _, true): .afterLogin
        case (true, _, false): .open
        case (false, true, _): .sessionEnd
        case (false, false, true): .secondLogin
        case (false, false, false): .beforeLogin
        }
      let input = PortalCheckInput(facts, after: kind == .secondLogin ? stages.last?.facts : nil)
      let phase: PortalCheck.Phase =
        switch kind {
        case .beforeLogin, .secondLogin, .sessionEnd: .beforeLogin
        case .afterLogin: .afterLogin
        case .open: .always
        }
      results = PortalCheck.all.reduce(into: [:]) { results, check in
        if check.phase == .always || check.phase == phase { results[check.id] = check.examine(input) }
      }
    }

    /// The start time of the stage.
    package var time: Date { facts.time }
    /// The verdict of ProbeKit's own profile.
    package var verdict: Verdict { facts.probeKitRun.verdict }
    /// The login URL, or nil if there is none.
    package var loginURL: ProbeURL? { facts.isOpen ? nil : facts.loginURL }
    /// What the user sees in each operating system.
    package var engines: [EngineReaction] { facts.engines.map(EngineReaction.init) }

    /// The requirements that are not met, the most severe first, without advice.
    package var findings: [PortalFinding] { unmet.filter { $0.severity != .advice } }

    /// The requirements that are not met, and whose violation hinders nobody.
    package var advice: [PortalFinding] { unmet.filter { $0.severity == .advice } }

    private var unmet: [PortalFinding] {
      PortalCheck.all.compactMap { check in
        guard case .unmet(let summary, let evidence, let severity)? = results[check.id] else { return nil }
        return PortalFinding(
          check: check, severity: severity ?? check.severity, summary: summary, evidence: evidence,
          stage: kind)
      }.inOrderOfHarm
    }
  }
}

/// A requirement that is not met.
package struct PortalFinding: Sendable {
  package let check: PortalCheck
  /// The severity, which may differ from that of the check.
  package let severity: PortalCheck.Severity
  /// The problem: a sentence without a full stop.
  package let summary: String
  /// The evidence, one item per line; safe to print.
  package let evidence: [String]
  /// The stage in which it was seen first.
  package let stage: PortalReport.Stage.Kind
}

extension [PortalFinding] {
  /// Errors before warnings, and these before advice; otherwise in the same order.
  fileprivate var inOrderOfHarm: Self {
    PortalCheck.Severity.allCases.flatMap { severity in filter { $0.severity == severity } }
  }
}
