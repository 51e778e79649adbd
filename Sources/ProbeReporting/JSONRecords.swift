package import PortalAnalysis
import ProbeCore
package import ProbePipeline

/// A run in JSON; the names are part of the format.
struct RunRecord: Encodable {
  private enum Key: CodingKey {
    case schema, pipeline, verdict, portal, interception, evidence, sets, duration
  }

  let result: RunResult
  let hasProbes: Bool

  /// Creates a record, with or without the probes of its sets.
  init(_ result: RunResult, hasProbes: Bool = true) {
    self.result = result
    self.hasProbes = hasProbes
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(1, forKey: .schema)
    try container.encode(result.pipeline, forKey: .pipeline)
    try container.encode(result.verdict.rawValue, forKey: .verdict)
    try container.encode(
      result.portal.map { PortalRecord(portal: $0, document: result.capport?.document) }, forKey: .portal)
    try container.encode(result.interception.map(InterceptionRecord.init), forKey: .interception)
    try container.encode(result.evidence.map(EvidenceRecord.init), forKey: .evidence)
    try container.encode(result.sets.map { SetRecord($0, hasProbes: hasProbes) }, forKey: .sets)
    try container.encode(result.duration.inSeconds, forKey: .duration)
  }
}

/// A captive portal in JSON.
package struct PortalRecord: Encodable {
  private enum Key: CodingKey {
    case kind, loginURL, source, wispr, capport
  }

  let portal: Portal
  /// The response of the captive-portal API, or nil if there was none or it is not usable.
  let document: CapportDocument?

  /// Creates a record.
  package init(portal: Portal, document: CapportDocument?) {
    self.portal = portal
    self.document = document
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(portal.kind.name, forKey: .kind)
    try container.encode(portal.loginURL.string, forKey: .loginURL)
    try container.encode(portal.source.rawValue, forKey: .source)
    try container.encode(portal.wispr.map(WISPrRecord.init), forKey: .wispr)
    try container.encode(document.map(CapportRecord.init), forKey: .capport)
  }
}

/// A third party that responds in place of servers, in JSON.
package struct InterceptionRecord: Encodable {
  private enum Key: CodingKey {
    case kind, by
  }

  let interception: Interception

  /// Creates a record.
  package init(_ interception: Interception) {
    self.interception = interception
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(interception.kind, forKey: .kind)
    try container.encode(interception.by, forKey: .by)
  }
}

/// The WISPr data of a portal; the texts are those of the gateway.
struct WISPrRecord: Encodable {
  private enum Key: CodingKey {
    case messageType, responseCode, loginURL, abortLoginURL, logoffURL, accessProcedure, accessLocation
    case locationName, replyMessage
  }

  let message: WISPrMessage

  init(_ message: WISPrMessage) {
    self.message = message
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(message.messageType?.rawValue, forKey: .messageType)
    try container.encode(message.responseCode?.rawValue, forKey: .responseCode)
    try container.encode(message.loginURL, forKey: .loginURL)
    try container.encode(message.abortLoginURL, forKey: .abortLoginURL)
    try container.encode(message.logoffURL, forKey: .logoffURL)
    try container.encode(message.accessProcedure, forKey: .accessProcedure)
    try container.encode(message.accessLocation, forKey: .accessLocation)
    try container.encode(message.locationName, forKey: .locationName)
    try container.encode(message.replyMessage, forKey: .replyMessage)
  }
}

/// The response of a captive-portal API, with the names of RFC 8908 §5 in camel case.
struct CapportRecord: Encodable {
  private enum Key: CodingKey {
    case captive, userPortalURL, venueInfoURL, canExtendSession, secondsRemaining, bytesRemaining
  }

  let document: CapportDocument

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(document.captive, forKey: .captive)
    try container.encode(document.userPortalURL?.string, forKey: .userPortalURL)
    try container.encode(document.venueInfoURL?.string, forKey: .venueInfoURL)
    try container.encode(document.canExtendSession, forKey: .canExtendSession)
    try container.encode(document.timeRemaining?.inSeconds, forKey: .secondsRemaining)
    try container.encode(document.bytesRemaining, forKey: .bytesRemaining)
  }
}

/// A fact in JSON.
package struct EvidenceRecord: Encodable {
  let kind: String
  let summary: String
  let probes: [String]

  /// Creates a record.
  package init(_ evidence: Evidence) {
    kind = evidence.kind.rawValue
    summary = evidence.summary
    probes = evidence.probes.map(\.safeURL)
  }
}

/// The result of a set in JSON.
package struct SetRecord: Encodable {
  private enum Key: CodingKey {
    case name, labels, accepted, total, threshold, met, probes
  }

  let set: SetResult
  let hasProbes: Bool

  /// Creates a record, with or without its probes.
  package init(_ set: SetResult, hasProbes: Bool) {
    self.set = set
    self.hasProbes = hasProbes
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(set.name, forKey: .name)
    try container.encode(set.labels, forKey: .labels)
    try container.encode(set.accepted, forKey: .accepted)
    try container.encode(set.total, forKey: .total)
    // As in a pipeline file: a count is a number, a percentage is text.
    let threshold = set.threshold.description
    if let count = Int(threshold) {
      try container.encode(count, forKey: .threshold)
    } else {
      try container.encode(threshold.filter { $0 != " " }, forKey: .threshold)
    }
    try container.encode(set.met, forKey: .met)
    if hasProbes { try container.encode(set.probes.map(ProbeRecord.init), forKey: .probes) }
  }
}

struct ProbeRecord: Encodable {
  private enum Key: CodingKey {
    case url, name, labels, outcome, reason, detail, status, finalURL, remoteAddress, redirects, timings,
      captures
  }

  let probe: ProbeResult

  init(_ probe: ProbeResult) {
    self.probe = probe
  }

  func encode(to encoder: any Encoder) throws {
    let response = probe.response
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(probe.url.safeURL, forKey: .url)
    try container.encode(probe.name, forKey: .name)
    try container.encode(probe.labels, forKey: .labels)
    try container.encode(probe.outcome.rawValue, forKey: .outcome)
    try container.encode(probe.reason?.rawValue, forKey: .reason)
    try container.encode(probe.detail, forKey: .detail)
    try container.encode(response?.status, forKey: .status)
    try container.encode(probe.answeredURL?.string, forKey: .finalURL)
    try container.encode(response?.remoteAddress?.description, forKey: .remoteAddress)
    try container.encode((response?.redirects ?? []).map(RedirectRecord.init), forKey: .redirects)
    try container.encode(TimingsRecord(timings: response?.timings ?? ProbeTimings()), forKey: .timings)
    // The fixed fields already cover patterns without named groups.
    if !probe.captures.isEmpty { try container.encode(probe.captures, forKey: .captures) }
  }
}

struct RedirectRecord: Encodable {
  private enum Key: CodingKey {
    case url, status, location
  }

  let hop: RedirectHop

  init(_ hop: RedirectHop) {
    self.hop = hop
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(hop.url.string, forKey: .url)
    try container.encode(hop.status, forKey: .status)
    try container.encode(hop.location, forKey: .location)
  }
}

struct TimingsRecord: Encodable {
  private enum Key: CodingKey {
    case resolve, connect, tls, firstByte, total
  }

  let timings: ProbeTimings

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(timings.resolve?.inSeconds, forKey: .resolve)
    try container.encode(timings.connect?.inSeconds, forKey: .connect)
    try container.encode(timings.tls?.inSeconds, forKey: .tls)
    try container.encode(timings.firstByte?.inSeconds, forKey: .firstByte)
    try container.encode(timings.total?.inSeconds, forKey: .total)
  }
}
