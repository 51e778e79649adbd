import FoundationEssentials
import ProbeCore
import ProbePipeline
import ProbeReporting

/// A portal report in JSON; the names are part of the format.
package struct PortalReportRecord: Encodable {
  private enum Key: CodingKey {
    case schema, time, verdict, loginURL, engines, findings, advice, stages, announcements, names, leaks,
      requirements
    case families, evidence
  }

  private let report: PortalReport

  package init(_ report: PortalReport) {
    self.report = report
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(1, forKey: .schema)
    try container.encode(report.findings.map(PortalFindingRecord.init), forKey: .findings)
    try container.encode(report.advice.map(PortalFindingRecord.init), forKey: .advice)
    try container.encode(report.stages.map(StageRecord.init), forKey: .stages)
    try container.encode(report.requirements.map(RequirementRecord.init), forKey: .requirements)
    guard let first = report.stages.first else { return }
    try container.encode(first.time.inUTC, forKey: .time)
    try container.encode(first.verdict.rawValue, forKey: .verdict)
    try container.encode(first.loginURL?.string, forKey: .loginURL)
    try container.encode(first.engines.map(EngineRecord.init), forKey: .engines)
    try container.encode(first.facts.announcements.map(AnnouncementRecord.init), forKey: .announcements)
    try container.encode(first.facts.families.map(FamilyRecord.init), forKey: .families)
    try container.encode(first.facts.conditions.map(ConditionRecord.init), forKey: .evidence)
    try container.encode(first.facts.names.map(NameRecord.init), forKey: .names)
    try container.encode(first.facts.bypassAttempts.map(BypassRecord.init), forKey: .leaks)
  }
}

private struct EngineRecord: Encodable {
  private enum Key: CodingKey {
    case profile, system, verdict, opens, shows
  }

  let reaction: EngineReaction

  init(_ reaction: EngineReaction) {
    self.reaction = reaction
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(reaction.profile, forKey: .profile)
    try container.encode(reaction.system, forKey: .system)
    try container.encode(reaction.verdict.rawValue, forKey: .verdict)
    try container.encode(reaction.opens?.string, forKey: .opens)
    try container.encode(reaction.shows, forKey: .shows)
  }
}

private struct PortalFindingRecord: Encodable {
  let id: String
  let severity: String
  let summary: String
  let detail: String
  let fix: String
  let reference: String
  let evidence: [String]

  init(_ finding: PortalFinding) {
    id = finding.check.id
    severity = finding.severity.rawValue
    summary = finding.summary
    detail = finding.check.harm
    fix = finding.check.fix
    reference = finding.check.reference
    evidence = finding.evidence
  }
}

private struct StageRecord: Encodable {
  private enum Key: CodingKey {
    case stage, time, verdict, loginURL, engines, findings
  }

  let stage: PortalReport.Stage

  init(_ stage: PortalReport.Stage) {
    self.stage = stage
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(stage.kind.rawValue, forKey: .stage)
    try container.encode(stage.time.inUTC, forKey: .time)
    try container.encode(stage.verdict.rawValue, forKey: .verdict)
    try container.encode(stage.loginURL?.string, forKey: .loginURL)
    try container.encode(stage.engines.map(EngineRecord.init), forKey: .engines)
    try container.encode(stage.findings.map(\.check.id), forKey: .findings)
  }
}

private struct RequirementRecord: Encodable {
  private enum Key: CodingKey {
    case id, level, requirement, reference, result, detail
  }

  let check: PortalCheck
  let result: Examination

  init(_ requirement: (check: PortalCheck, result: Examination)) {
    (check, result) = requirement
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(check.id, forKey: .id)
    try container.encode(check.level?.rawValue, forKey: .level)
    try container.encode(check.requirement, forKey: .requirement)
    try container.encode(check.reference, forKey: .reference)
    try container.encode(result.name, forKey: .result)
    try container.encode(result.detail, forKey: .detail)
  }
}

private struct AnnouncementRecord: Encodable {
  private enum Key: CodingKey {
    case method, text, unknown, origin
  }

  let announcement: Announcement

  init(_ announcement: Announcement) {
    self.announcement = announcement
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(announcement.method.rawValue, forKey: .method)
    try container.encode(announcement.text, forKey: .text)
    var unknown: String?
    if case .unknown(let reason) = announcement.finding { unknown = reason }
    try container.encode(unknown, forKey: .unknown)
    try container.encode(announcement.origin, forKey: .origin)
  }
}

private struct FamilyRecord: Encodable {
  private enum Key: CodingKey {
    case family, verdict, loginURL
  }

  let run: FamilyRun

  init(_ run: FamilyRun) {
    self.run = run
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(run.family.rawValue, forKey: .family)
    // Without any connection there is no verdict about the network.
    try container.encode(run.isFamilyUnavailable ? nil : run.result.verdict.rawValue, forKey: .verdict)
    try container.encode(run.isFamilyUnavailable ? nil : run.result.loginURL?.string, forKey: .loginURL)
  }
}

private struct ConditionRecord: Encodable {
  let kind: String
  let summary: String
  let probes: [String]

  init(_ evidence: Evidence) {
    (kind, summary, probes) = (evidence.kind.rawValue, evidence.summary, evidence.probes)
  }
}

private struct NameRecord: Encodable {
  let name: String
  let http: String
  let https: String
  let dns: String

  init(_ name: NameAccess) {
    self.name = name.name
    http = name.http.rawValue
    https = name.https.rawValue
    dns = name.dns.rawValue
  }
}

private struct BypassRecord: Encodable {
  private enum Key: CodingKey {
    case url, passes
  }

  let attempt: BypassAttempt

  init(_ attempt: BypassAttempt) {
    self.attempt = attempt
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(attempt.url, forKey: .url)
    try container.encode(attempt.hasPassed, forKey: .passes)
  }
}

extension Examination {
  /// The name of the result, as in reports.
  var name: String {
    switch self {
    case .met: "met"
    case .unmet: "unmet"
    case .unknown: "unknown"
    case .notApplicable: "notApplicable"
    }
  }

  /// The error, or the reason for an unknown result; otherwise nil.
  var detail: String? {
    switch self {
    case .unmet(let summary, _, _): summary
    case .unknown(let reason): reason
    case .met, .notApplicable: nil
    }
  }
}
