internal import FoundationEssentials
import ProbeBase
import ProbeJSON

/// A response as JSON on one line, for programs that judge it.
///
/// The fields and their order are always the same; unknown values are null. Fields that the JSON report has
/// too have the same names.
package enum ResponseMessage {
  /// The response as a JSON object.
  ///
  /// - Parameters:
  ///   - response: The response, without secrets.
  ///   - hasText: Whether there is a field `text`: the body, if it is UTF-8.
  /// - Returns: The bytes, without a line break.
  package static func json(of response: ProbeResponse, hasText: Bool = false) -> [UInt8] {
    let body = response.body.count
    var json = JSONBytes(reserving: 1024 + body * 4 / 3 + (hasText ? body + body / 16 : 0))
    json.object { $0.write(response, hasText: hasText) }
    return json.bytes
  }
}

extension JSONBytes {
  fileprivate mutating func write(_ response: ProbeResponse, hasText: Bool) {
    name("url")
    text(response.url.string)
    name("status")
    number(response.status)
    name("headers")
    object { $0.write(response.head?.fields ?? [:]) }
    if hasText {
      name("text")
      write(text: response.body, isCut: response.bodyIsCut)
    }
    name("bodyBase64")
    text(utf8: Data(response.body).base64EncodedData())
    name("bodyIsCut")
    boolean(response.bodyIsCut)
    name("tls")
    object(response.tls) { $0.write($1) }
    name("timings")
    object { $0.write(response.timings) }
    name("remoteAddress")
    text(response.remoteAddress?.description)
    name("redirects")
    list(response.redirects) { json, hop in json.object { $0.write(hop) } }
    name("captures")
    object { json in
      for (name, value) in response.captures.sorted(by: { $0.key < $1.key }) {
        json.name(name)
        json.text(value)
      }
    }
    name("dns")
    object(response.dns) { $0.write($1) }
    name("ping")
    object(response.ping) { $0.write($1) }
  }

  /// The body, or null if it is not UTF-8; a character that the body limit cuts is omitted.
  private mutating func write(text body: [UInt8], isCut: Bool) {
    let whole = isCut ? body.withoutCutCharacter : body[...]
    guard String(validating: whole, as: UTF8.self) != nil else { return null() }
    text(utf8: whole)
  }

  /// The fields by name in lower case, each with a list of its values, as curl writes them (`%{header_json}`).
  private mutating func write(_ fields: HeaderFields) {
    var names: [String] = []
    var values: [String: [String]] = [:]
    for field in fields {
      let name = field.name.lowercased()
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(field.value)
    }
    for name in names {
      self.name(name)
      texts(values[name] ?? [])
    }
  }

  private mutating func write(_ tls: TLSFacts) {
    name("version")
    text(tls.version)
    name("cipher")
    text(tls.cipher)
    name("chain")
    list(tls.chain) { json, certificate in json.object { $0.write(certificate) } }
  }

  private mutating func write(_ certificate: CertificateFacts) {
    name("subject")
    text(certificate.subject)
    name("issuer")
    text(certificate.issuer)
    name("names")
    texts(certificate.alternativeNames)
    if certificate.omittedNames > 0 {
      name("moreNames")
      number(certificate.omittedNames)
    }
    name("notBefore")
    text(certificate.notBefore.inUTC)
    name("notAfter")
    text(certificate.notAfter.inUTC)
    name("fingerprint")
    text(certificate.fingerprint)
    name("keyBits")
    number(certificate.keyBits)
    name("signature")
    text(certificate.signatureAlgorithm)
  }

  private mutating func write(_ timings: ProbeTimings) {
    name("resolve")
    number(timings.resolve?.inSeconds)
    name("connect")
    number(timings.connect?.inSeconds)
    name("tls")
    number(timings.tls?.inSeconds)
    name("firstByte")
    number(timings.firstByte?.inSeconds)
    name("total")
    number(timings.total?.inSeconds)
  }

  private mutating func write(_ hop: RedirectHop) {
    name("url")
    text(hop.url.string)
    name("status")
    number(hop.status)
    name("location")
    text(hop.location)
  }

  private mutating func write(_ dns: DNSFacts) {
    name("name")
    text(dns.name)
    name("type")
    text(dns.type)
    name("code")
    text(dns.code.description)
    name("isAuthoritative")
    boolean(dns.isAuthoritative)
    name("isAuthenticated")
    boolean(dns.isAuthenticated)
    name("offersRecursion")
    boolean(dns.offersRecursion)
    for (section, records) in [
      ("answer", dns.answer), ("authority", dns.authority), ("additional", dns.additional),
    ] {
      name(section)
      list(records) { json, record in json.object { $0.write(record) } }
    }
  }

  private mutating func write(_ record: DNSRecord) {
    name("name")
    text(record.name)
    name("ttl")
    number(Int(clamping: record.timeToLive.components.seconds))
    name("class")
    text(record.recordClass)
    name("type")
    text(record.type)
    name("data")
    text(record.data)
  }

  private mutating func write(_ ping: PingFacts) {
    name("sent")
    number(ping.sent)
    name("received")
    number(ping.received)
    name("roundTrips")
    list(ping.roundTrips) { $0.number($1.inSeconds) }
  }

  /// Writes an object, or null for none.
  private mutating func object<Value>(_ value: Value?, _ write: (inout JSONBytes, Value) -> Void) {
    guard let value else { return null() }
    object { write(&$0, value) }
  }

  private mutating func texts(_ texts: [String]) {
    list(texts) { $0.text($1) }
  }
}

extension [UInt8] {
  /// The bytes without an incomplete UTF-8 sequence at their end.
  fileprivate var withoutCutCharacter: ArraySlice<UInt8> {
    guard let start = suffix(3).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return self[...] }
    let length =
      switch self[start] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    return count - start < length ? self[..<start] : self[...]
  }
}
