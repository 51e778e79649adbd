import FoundationEssentials
import ProbeCore
import ProbePipeline
package import ProbeReporting

/// A portal report in JSON; the names are part of the format.
package struct PortalReportRecord: FieldRecord {
  private let report: PortalReport

  package init(_ report: PortalReport) {
    self.report = report
  }

  package func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("schema", 1)
    try sink.field("findings", report.findings.map(PortalFindingRecord.init))
    try sink.field("advice", report.advice.map(PortalFindingRecord.init))
    try sink.field("stages", report.stages.map(StageRecord.init))
    try sink.field(
      "requirements", report.requirements.map { RequirementRecord(check: $0.check, result: $0.result) })
    guard let first = report.stages.first else { return }
    try sink.field("time", first.time.inUTC)
    try sink.field("verdict", first.verdict.rawValue)
    try sink.field("loginURL", first.loginURL?.string)
    try sink.field("engines", first.engines.map(EngineRecord.init))
    try sink.field("announcements", first.facts.announcements.map(AnnouncementRecord.init))
    try sink.field("families", first.facts.families.map(FamilyRecord.init))
    try sink.field("evidence", first.facts.conditions.map(ConditionRecord.init))
    try sink.field("names", first.facts.names.map(NameRecord.init))
    try sink.field("leaks", first.facts.bypassAttempts.map(BypassRecord.init))
  }
}

private struct EngineRecord: FieldRecord {
  let reaction: EngineReaction

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("profile", reaction.profile)
    try sink.field("system", reaction.system)
    try sink.field("verdict", reaction.verdict.rawValue)
    try sink.field("opens", reaction.opens?.string)
    try sink.field("shows", reaction.shows)
  }
}

private struct PortalFindingRecord: FieldRecord {
  let finding: PortalFinding

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("id", finding.check.id)
    try sink.field("severity", finding.severity.rawValue)
    try sink.field("summary", finding.summary)
    try sink.field("detail", finding.check.harm)
    try sink.field("fix", finding.check.fix)
    try sink.field("reference", finding.check.reference)
    try sink.field("evidence", finding.evidence)
  }
}

private struct StageRecord: FieldRecord {
  let stage: PortalReport.Stage

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("stage", stage.kind.rawValue)
    try sink.field("time", stage.time.inUTC)
    try sink.field("verdict", stage.verdict.rawValue)
    try sink.field("loginURL", stage.loginURL?.string)
    try sink.field("engines", stage.engines.map(EngineRecord.init))
    try sink.field("findings", stage.findings.map(\.check.id))
  }
}

private struct RequirementRecord: FieldRecord {
  let check: PortalCheck
  let result: Examination

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("id", check.id)
    try sink.field("level", check.level?.rawValue)
    try sink.field("requirement", check.requirement)
    try sink.field("reference", check.reference)
    try sink.field("result", result.name)
    try sink.field("detail", result.detail)
  }
}

private struct AnnouncementRecord: FieldRecord {
  let announcement: Announcement

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("method", announcement.method.rawValue)
    try sink.field("text", announcement.text)
    var unknown: String?
    if case .unknown(let reason) = announcement.finding { unknown = reason }
    try sink.field("unknown", unknown)
    try sink.field("origin", announcement.origin)
  }
}

private struct FamilyRecord: FieldRecord {
  let run: FamilyRun

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("family", run.family.rawValue)
    // Without any connection there is no verdict about the network.
    try sink.field("verdict", run.isFamilyUnavailable ? nil : run.result.verdict.rawValue)
    try sink.field("loginURL", run.isFamilyUnavailable ? nil : run.result.loginURL?.string)
  }
}

private struct ConditionRecord: FieldRecord {
  let evidence: Evidence

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("kind", evidence.kind.rawValue)
    try sink.field("summary", evidence.summary)
    try sink.field("probes", evidence.probes)
  }
}

private struct NameRecord: FieldRecord {
  let name: NameAccess

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("name", name.name)
    try sink.field("http", name.http.rawValue)
    try sink.field("https", name.https.rawValue)
    try sink.field("dns", name.dns.rawValue)
  }
}

private struct BypassRecord: FieldRecord {
  let attempt: BypassAttempt

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("url", attempt.url)
    try sink.field("passes", attempt.hasPassed)
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
