import FoundationEssentials
import ProbeCore

/// The content of `capture.json`: facts of each exchange besides its bytes, replacements, and losses.
struct CaptureRecord: Encodable {
  private let schema = 1
  private let exchanges: [ExchangeRecord]
  private let redacted: [CaptureRedaction.Replacement]
  private let remarks: [String]
  private let losses: [String]

  init(
    exchanges: [RecordedExchange], network: CapturedNetwork, replacements: [CaptureRedaction.Replacement],
    remarks: [String], losses: [String]
  ) {
    self.exchanges = zip(exchanges, network.routeOfExchange).map { exchange, route in
      ExchangeRecord(exchange, route: route.map { network.routes[$0] })
    }
    redacted = replacements
    self.remarks = remarks
    self.losses = losses
  }

  func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.inUTC)
    }
    return Array((String(jsonForDisplay: try encoder.encode(self)) + "\n").utf8)
  }
}

private struct ExchangeRecord: Encodable {
  let url: String
  let method: String
  let route: String?
  let bytes: Int?
  let ending: String?
  let reason: String?
  let detail: String?
  let remoteAddress: String?
  let timings: TimingsRecord
  let tls: SessionRecord?

  init(_ exchange: RecordedExchange, route: CapturedNetwork.Route?) {
    url = exchange.url.string
    method = exchange.method
    self.route = route?.id
    bytes = exchange.wire?.received.count
    ending = exchange.wire.map { "\($0.ending)" }
    reason = exchange.failure?.reason.rawValue
    detail = exchange.failure?.detail
    remoteAddress = exchange.remoteAddress?.description
    timings = TimingsRecord(exchange.timings)
    tls = exchange.tls.map(SessionRecord.init)
  }
}

/// The durations of the phases in seconds.
private struct TimingsRecord: Encodable {
  let resolve, connect, tls, firstByte, total: Double?

  init(_ timings: ProbeTimings) {
    func seconds(_ time: Duration?) -> Double? { time.map { $0 / .seconds(1) } }
    resolve = seconds(timings.resolve)
    connect = seconds(timings.connect)
    tls = seconds(timings.tls)
    firstByte = seconds(timings.firstByte)
    total = seconds(timings.total)
  }
}

/// A TLS session.
private struct SessionRecord: Encodable {
  struct Certificate: Encodable {
    let subject, issuer, serialNumber, fingerprint: String
    let alternativeNames: [String]
    let moreNames: Int?
    let notBefore, notAfter: Date
  }

  let version: String?
  let cipher: String?
  let chain: [Certificate]

  init(_ facts: TLSFacts) {
    version = facts.version
    cipher = facts.cipher
    chain = facts.chain.map {
      Certificate(
        subject: $0.subject, issuer: $0.issuer, serialNumber: $0.serialNumber, fingerprint: $0.fingerprint,
        alternativeNames: $0.alternativeNames, moreNames: $0.omittedNames > 0 ? $0.omittedNames : nil,
        notBefore: $0.notBefore, notAfter: $0.notAfter)
    }
  }
}
