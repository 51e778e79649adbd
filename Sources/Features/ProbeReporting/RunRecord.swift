import FoundationEssentials
package import PortalAnalysis
import ProbeCore
package import ProbePipeline

/// A run in JSON, with or without the probes of its sets; the names are part of the format.
struct RunRecord: FieldRecord {
  let result: RunResult
  var hasProbes = true

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("schema", 1)
    try sink.field("pipeline", result.pipeline)
    try sink.field("question", result.question.rawValue)
    try sink.field("time", result.time?.inUTC)
    try sink.field("verdict", result.verdict.rawValue)
    try sink.field(
      "portal", result.portal.map { PortalRecord(portal: $0, document: result.capport?.document) })
    try sink.field("interception", result.interception.map(InterceptionRecord.init))
    try sink.field("evidence", result.evidence.map(EvidenceRecord.init))
    try sink.field("sets", result.sets.map { SetRecord($0, hasProbes: hasProbes) })
    try sink.field("duration", result.duration.inSeconds)
  }
}

/// A captive portal in JSON.
package struct PortalRecord: FieldRecord {
  let portal: Portal
  /// The response of the captive-portal API, or nil if there was none or it is not usable.
  let document: CapportDocument?

  package init(portal: Portal, document: CapportDocument?) {
    self.portal = portal
    self.document = document
  }

  package func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("kind", portal.kind.name)
    try sink.field("confidence", portal.confidence)
    try sink.field("loginURL", portal.loginURL.string)
    try sink.field("source", portal.source.rawValue)
    try sink.field("wispr", portal.wispr.map(WISPrRecord.init))
    try sink.field("capport", document.map(CapportRecord.init))
  }
}

/// A third party that intercepts requests, in JSON.
package struct InterceptionRecord: FieldRecord {
  let interception: Interception

  package init(_ interception: Interception) {
    self.interception = interception
  }

  package func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("kind", interception.kind)
    try sink.field("by", interception.by)
  }
}

/// The WISPr data of a portal; the texts are those of the gateway.
struct WISPrRecord: FieldRecord {
  let message: WISPrMessage

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("messageType", message.messageType?.rawValue)
    try sink.field("responseCode", message.responseCode?.rawValue)
    try sink.field("loginURL", message.loginURL)
    try sink.field("abortLoginURL", message.abortLoginURL)
    try sink.field("logoffURL", message.logoffURL)
    try sink.field("accessProcedure", message.accessProcedure)
    try sink.field("accessLocation", message.accessLocation)
    try sink.field("locationName", message.locationName)
    try sink.field("replyMessage", message.replyMessage)
  }
}

/// The response of a captive-portal API, with the names of RFC 8908 §5 in camel case.
struct CapportRecord: FieldRecord {
  let document: CapportDocument

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("captive", document.captive)
    try sink.field("userPortalURL", document.userPortalURL?.string)
    try sink.field("venueInfoURL", document.venueInfoURL?.string)
    try sink.field("canExtendSession", document.canExtendSession)
    try sink.field("secondsRemaining", document.timeRemaining?.inSeconds)
    try sink.field("bytesRemaining", document.bytesRemaining)
  }
}

/// A fact in JSON.
package struct EvidenceRecord: FieldRecord {
  let evidence: Evidence

  package init(_ evidence: Evidence) {
    self.evidence = evidence
  }

  package func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("kind", evidence.kind.rawValue)
    try sink.field("summary", evidence.summary)
    try sink.field("probes", evidence.probes.map(\.safeURL))
  }
}

/// The result of a set in JSON.
package struct SetRecord: FieldRecord {
  let set: SetResult
  let hasProbes: Bool

  package init(_ set: SetResult, hasProbes: Bool) {
    self.set = set
    self.hasProbes = hasProbes
  }

  package func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("name", set.name)
    try sink.field("labels", set.labels)
    try sink.field("accepted", set.accepted)
    try sink.field("total", set.total)
    // As in a pipeline file: a count is a number, a percentage is text.
    let threshold = set.threshold.description
    if let count = Int(text: threshold) {
      try sink.field("threshold", count)
    } else {
      try sink.field("threshold", threshold.filter { $0 != " " })
    }
    try sink.field("met", set.isMet)
    if hasProbes { try sink.field("probes", set.probes.map(ProbeRecord.init)) }
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

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("address", named.address.description)
    try sink.field("ttl", named.timeToLive?.inSeconds)
  }
}

/// A value that a monitoring plugin measured, in the unit that it chose.
struct PerformanceRecord: FieldRecord {
  let value: PerformanceValue

  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.field("label", value.label)
    try sink.field("value", value.number)
    try sink.field("unit", value.unit.isEmpty ? nil : value.unit)
  }
}

/// The server's own certificate, even if it was refused.
struct CertificateRecord: FieldRecord {
  let certificate: CertificateFacts

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
