import FoundationEssentials
package import PortalAnalysis
import ProbeCore
package import ProbePipeline

/// A run in JSON; the names are part of the format.
struct RunRecord: Encodable {
  private enum Key: CodingKey {
    case schema, pipeline, question, time, verdict, portal, interception, evidence, sets, duration
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
    try container.encode(result.question.rawValue, forKey: .question)
    try container.encode(result.time?.inUTC, forKey: .time)
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
    case kind, confidence, loginURL, source, wispr, capport
  }

  let portal: Portal
  /// The response of the captive-portal API, or nil if there was none or it is not usable.
  let document: CapportDocument?

  package init(portal: Portal, document: CapportDocument?) {
    self.portal = portal
    self.document = document
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(portal.kind.name, forKey: .kind)
    try container.encode(portal.confidence, forKey: .confidence)
    try container.encode(portal.loginURL.string, forKey: .loginURL)
    try container.encode(portal.source.rawValue, forKey: .source)
    try container.encode(portal.wispr.map(WISPrRecord.init), forKey: .wispr)
    try container.encode(document.map(CapportRecord.init), forKey: .capport)
  }
}

/// A third party that intercepts requests, in JSON.
package struct InterceptionRecord: Encodable {
  private enum Key: CodingKey {
    case kind, by
  }

  let interception: Interception

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
    if let count = Int(text: threshold) {
      try container.encode(count, forKey: .threshold)
    } else {
      try container.encode(threshold.filter { $0 != " " }, forKey: .threshold)
    }
    try container.encode(set.isMet, forKey: .met)
    if hasProbes { try container.encode(set.probes.map(ProbeRecord.init), forKey: .probes) }
  }
}

package struct ProbeRecord: FieldRecord {
  let probe: ProbeResult

  package init(_ probe: ProbeResult) {
    self.probe = probe
  }

  package func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    let response = probe.response
    try sink.field("url", probe.url.safeURL)
    try sink.field("name", probe.name)
    try sink.field("labels", probe.labels)
    try sink.field("outcome", probe.outcome.rawValue)
    try sink.field("reason", probe.reason?.rawValue)
    try sink.field("detail", probe.detail)
    try sink.field("status", response?.status)
    try sink.field("finalURL", probe.responseURL?.string)
    try sink.field("remoteAddress", response?.remoteAddress?.description)
    if let lookup = response?.connection.flatMap(LookupRecord.init) { try sink.field("lookup", lookup) }
    try sink.field("redirects", (response?.redirects ?? []).map(RedirectRecord.init))
    try sink.field("timings", TimingsRecord(timings: response?.timings ?? ProbeTimings()))
    try sink.field("attempts", response?.attempts)
    try sink.field("certificate", response?.tls?.chain.first.map(CertificateRecord.init))
    // The fixed fields already cover patterns without named groups.
    if !probe.captures.isEmpty { try sink.field("captures", probe.captures) }
    if let values = response?.performance, !values.isEmpty {
      try sink.field("performance", values.map(PerformanceRecord.init))
    }
  }
}

/// A lookup at a DNS server that the request names.
struct LookupRecord: FieldRecord {
  let resolver: SocketAddress
  let connection: ConnectionFacts

  /// Reads the lookup from the facts of a connection.
  ///
  /// - Returns: nil without such a server.
  init?(_ connection: ConnectionFacts) {
    guard let resolver = connection.resolver else { return nil }
    self.resolver = resolver
    self.connection = connection
  }

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("resolver", resolver.description)
    try sink.field("addresses", connection.addresses.map(NamedAddressRecord.init))
    try sink.field("aliases", connection.aliases)
  }
}

/// An address from a lookup, with its time to live in seconds.
struct NamedAddressRecord: FieldRecord {
  let named: NamedAddress

  init(_ named: NamedAddress) {
    self.named = named
  }

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("address", named.address.description)
    try sink.field("ttl", named.timeToLive?.inSeconds)
  }
}

/// A value that a monitoring plugin measured, in the unit that it chose.
struct PerformanceRecord: FieldRecord {
  let value: PerformanceValue

  init(_ value: PerformanceValue) {
    self.value = value
  }

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("label", value.label)
    try sink.field("value", value.number)
    try sink.field("unit", value.unit.isEmpty ? nil : value.unit)
  }
}

/// The server's own certificate, even if it was refused.
struct CertificateRecord: FieldRecord {
  let certificate: CertificateFacts

  init(_ certificate: CertificateFacts) {
    self.certificate = certificate
  }

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("subject", certificate.subject)
    try sink.field("names", certificate.alternativeNames)
    if certificate.omittedNames > 0 { try sink.field("moreNames", certificate.omittedNames) }
    try sink.field("issuer", certificate.issuer)
    try sink.field("notAfter", certificate.notAfter.inUTC)
    try sink.field("keyBits", certificate.keyBits)
    try sink.field("signature", certificate.signatureAlgorithm)
  }
}

struct RedirectRecord: FieldRecord {
  let hop: RedirectHop

  init(_ hop: RedirectHop) {
    self.hop = hop
  }

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("url", hop.url.string)
    try sink.field("status", hop.status)
    try sink.field("location", hop.location)
  }
}

struct TimingsRecord: FieldRecord {
  let timings: ProbeTimings

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("resolve", timings.resolve?.inSeconds)
    try sink.field("connect", timings.connect?.inSeconds)
    try sink.field("tls", timings.tls?.inSeconds)
    try sink.field("firstByte", timings.firstByte?.inSeconds)
    try sink.field("total", timings.total?.inSeconds)
  }
}
