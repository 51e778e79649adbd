import ConnectivityMonitor
import FoundationEssentials
import PortalAnalysis
import ProbeCore
import ProbePipeline
import ProbeReporting

/// One JSON object per line, for programs: type `change` for each change of Internet access, type `set` for each
/// change of a set of services and, if requested, type `check` for each check.
struct MonitorRecords: MonitorFormatter {
  /// Whether to write a line for every check too.
  let reportsChecks: Bool

  func text(of change: MonitorChange) throws -> String {
    try JSONLine.text(ConnectivityRecord(change))
  }

  func text(of change: ServiceChange) throws -> String { try JSONLine.text(ServiceRecord(change)) }

  func text(of check: ConnectivityCheck, at time: Date) throws -> String {
    reportsChecks ? try JSONLine.text(ConnectivityRecord(check, at: time)) : ""
  }
}

/// The report on each check in a format of runs, such as JUnit or metrics.
struct MonitorReports: MonitorFormatter {
  /// The pipeline's name.
  let pipeline: String
  /// The format.
  let reporter: any Reporter

  func text(of change: MonitorChange) -> String { "" }

  func text(of change: ServiceChange) -> String { "" }

  func text(of check: ConnectivityCheck, at time: Date) throws -> String {
    try reporter.text(of: [ReportedRun(source: pipeline, check.result)])
  }
}

/// The state of Internet access in JSON; the names are part of the format.
struct ConnectivityRecord: Encodable {
  private enum Key: CodingKey {
    case schema, type, time, status, description, previousStatus, isConnected, verdict, interface, families
    case slow, latency, portal, interception, evidence, sets, nextCheck
  }
  private enum InterfaceKey: CodingKey {
    case name, kind, metered
  }
  private enum FamilyKey: CodingKey {
    case v4, v6
  }

  private let time: Date
  private let state: ConnectivityState
  private let previous: ConnectivityStatus?
  private let check: ConnectivityCheck?

  init(_ change: MonitorChange) {
    time = change.time
    state = change.state
    previous = change.previous
    check = nil
  }

  init(_ check: ConnectivityCheck, at time: Date) {
    self.time = time
    state = check.state
    previous = nil
    self.check = check
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(1, forKey: .schema)
    try container.encode(check == nil ? "change" : "check", forKey: .type)
    try container.encode(time.inUTCWithMilliseconds, forKey: .time)
    try container.encode(state.status.rawValue, forKey: .status)
    try container.encode(state.statusDescription, forKey: .description)
    try container.encode(state.isConnected, forKey: .isConnected)
    // The verdict of the check itself, which may not have changed the verdict of the state yet.
    try container.encode((check?.result.verdict ?? state.verdict)?.rawValue, forKey: .verdict)
    try encodeInterface(to: &container)
    var families = container.nestedContainer(keyedBy: FamilyKey.self, forKey: .families)
    try families.encode(state.families[.v4], forKey: .v4)
    try families.encode(state.families[.v6], forKey: .v6)
    try container.encode(state.isSlow, forKey: .slow)
    try container.encode(state.latency?.inSeconds, forKey: .latency)
    let document = (check?.result ?? state.result)?.capport?.document
    let portal = check.map(\.result.portal) ?? state.portal
    try container.encode(
      portal.map { PortalRecord(portal: $0, document: document) }, forKey: .portal)
    let interception = (check?.result ?? state.result)?.interception
    try container.encode(interception.map(InterceptionRecord.init), forKey: .interception)
    let evidence = check?.result.evidence ?? state.evidence
    try container.encode(evidence.map(EvidenceRecord.init), forKey: .evidence)
    // Probes are relevant only if every check is reported.
    let sets = (check?.result ?? state.result)?.sets ?? []
    try container.encode(sets.map { SetRecord($0, hasProbes: check != nil) }, forKey: .sets)
    if check == nil {
      try container.encode(previous?.rawValue, forKey: .previousStatus)
    } else {
      try container.encode(check?.nextCheck?.inSeconds, forKey: .nextCheck)
    }
  }

  private func encodeInterface(to container: inout KeyedEncodingContainer<Key>) throws {
    guard let interface = state.currentInterface else {
      try container.encodeNil(forKey: .interface)
      return
    }
    var record = container.nestedContainer(keyedBy: InterfaceKey.self, forKey: .interface)
    try record.encode(interface.name, forKey: .name)
    try record.encode(interface.kind.rawValue, forKey: .kind)
    try record.encode(interface.isMetered, forKey: .metered)
  }
}
