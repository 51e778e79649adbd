import FoundationEssentials
import ProbeCore

/// The response of a HAR entry, rebuilt from its parts.
struct HARResponse {
  let bytes: [UInt8]
  let ending: WireRecord.Ending

  /// Rebuilds a response; nil if there was none, or none from the network.
  ///
  /// - Throws: ``InvalidInput`` if a part is not valid in a response.
  init?(
    _ response: HARDocument.Response, to method: String, from url: ProbeURL, _ losses: inout ImportLosses
  ) throws(InvalidInput) {
    guard response.status.code > 0 else { return nil }
    guard (100...999).contains(response.status.code) else {
      throw InvalidInput("response.status is \(response.status.code), not a number of three digits")
    }
    let fields = Self.fields(response.headers ?? [], of: url, &losses)
    // A browser that knows that a host requires https redirects internally, and reports this in this field.
    guard !fields.contains(where: { $0.name == "non-authoritative-reason" }) else { return nil }
    let head = RecordedResponse.Head(
      statusLine: try Self.statusLine(response), fields: fields, emptyLine: Array("\r\n".utf8))
    var rebuilt = RecordedResponse(head: head, body: [])
    if rebuilt.allowsContent(to: method), let content = response.content {
      try Self.read(content, into: &rebuilt, of: url, &losses)
    }
    // Browsers do not keep the bodies of redirects; only the declared length shows that there was one.
    let announced = max(
      response.content?.size?.value ?? 0, Double(rebuilt.head.value(of: "content-length") ?? "") ?? 0)
    let isMissing = rebuilt.allowsContent(to: method) && rebuilt.body.isEmpty && announced > 0
    if isMissing { losses.add(.body, of: url) }
    for loss in rebuilt.dropCodings(to: method) where !isMissing || loss != .length {
      losses.add(loss, of: url)
    }
    for loss in rebuilt.useHTTP1(to: method) { losses.add(loss, of: url) }
    let isASCII = fields.allSatisfy { $0.bytes.allSatisfy { $0 < 0x80 } }
    if !isASCII { losses.add(.fieldBytes, of: url) }
    bytes = rebuilt.bytes
    ending = rebuilt.ending(to: method)
  }

  /// The status line; HTTP/1.1 if the version is missing or unknown.
  private static func statusLine(_ response: HARDocument.Response) throws(InvalidInput) -> [UInt8] {
    let text = response.httpVersion?.lowercased() ?? ""
    let version: String
    switch text {
    case "h2", "http/2", "http/2.0": version = "HTTP/2"
    case "h3", "http/3", "http/3.0", "quic": version = "HTTP/3"
    case "http/1.0": version = "HTTP/1.0"
    case "http/0.9": throw InvalidInput("response.httpVersion is HTTP/0.9, whose responses have no header")
    default: version = "HTTP/1.1"
    }
    let phrase = (response.statusText ?? "").unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
    return Array("\(version) \(response.status.code) \(String(String.UnicodeScalarView(phrase)))\r\n".utf8)
  }

  /// The header fields.
  ///
  /// Browsers join fields of one name with line ends. Other programs write a folded line (RFC 9112 §5.2) as a
  /// value that contains a line end, or as a separate field whose name starts with white space.
  private static func fields(
    _ headers: [HARDocument.Header], of url: ProbeURL, _ losses: inout ImportLosses
  ) -> [RecordedResponse.Field] {
    var fields: [RecordedResponse.Field] = []
    for header in headers where !header.name.hasPrefix(":") {
      let value = header.value ?? ""
      let isFolded = header.name.first == " " || header.name.first == "\t"
      if isFolded, let last = fields.indices.last, isValue(header.name), isValue(value) {
        fields[last].bytes += Array("\(header.name)\(value.isEmpty ? "" : ": ")\(value)\r\n".utf8)
        continue
      }
      // A line of a field ends with CRLF, or with one of them alone; other line separators of Unicode are content.
      let lines = value.split(omittingEmptySubsequences: false) { ["\r\n", "\n", "\r"].contains($0) }
      guard !header.name.isEmpty, header.name.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0x3A }),
        lines.allSatisfy(isValue)
      else {
        losses.add(.noFields, of: url)
        continue
      }
      for (index, line) in lines.enumerated() {
        if index > 0, line.first == " " || line.first == "\t" {
          fields[fields.count - 1].bytes += Array("\(line)\r\n".utf8)
        } else {
          fields.append(RecordedResponse.Field(line: Array("\(header.name): \(line)\r\n".utf8)))
        }
      }
    }
    return fields
  }

  /// Whether a text is valid in a line of a head.
  private static func isValue(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { $0 != 0 && $0 != 0x0A && $0 != 0x0D }
  }

  /// Sets the body of a response, if there is one.
  private static func read(
    _ content: HARDocument.Content, into response: inout RecordedResponse, of url: ProbeURL,
    _ losses: inout ImportLosses
  ) throws(InvalidInput) {
    guard let text = content.text, !text.isEmpty else { return }
    var hasItsBytes = true
    switch content.encoding?.lowercased() {
    case nil, "":
      response.body = Array(text.utf8)
      hasItsBytes = !response.becomesUTF8()
      if !hasItsBytes { losses.add(.charset, of: url) }
    case "base64":
      guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
        throw InvalidInput("response.content.text is not base64")
      }
      response.body = Array(data)
    case let other?:
      throw InvalidInput(
        "response.content.encoding is \(Excerpt(other)), which is not known", remedy: "use base64")
    }
    if hasItsBytes, let size = content.size?.value, size > Double(response.body.count) {
      losses.add(.bodyEnd, of: url)
    }
  }
}

extension RecordedResponse {
  /// Changes the declared charset to UTF-8 if the head or the page declares another.
  ///
  /// - Returns: Whether a change was necessary.
  fileprivate mutating func becomesUTF8() -> Bool {
    guard body.contains(where: { $0 >= 0x80 }),
      let index = head.fields.firstIndex(where: { $0.name == "content-type" })
    else { return false }
    let value = head.fields[index].value
    let start = String(decoding: body.prefix(1024), as: UTF8.self)
    guard let charset = Self.charset(in: value) ?? Self.charset(in: start),
      !["utf-8", "utf8"].contains(charset)
    else { return false }
    let parts = value.split(separator: ";").filter { Self.charset(in: String($0)) == nil }
    let name = head.fields[index].bytes.prefix { $0 != 0x3A }
    head.fields[index].bytes =
      name + Array(": \((parts + ["charset=utf-8"]).joined(separator: ";"))\r\n".utf8)
    return true
  }

  /// The charset that a field or the start of a page declares, in lower case.
  private static func charset(in text: String) -> String? {
    let text = text.lowercased()
    guard let name = text.firstRange(of: "charset") else { return nil }
    let rest = text[name.upperBound...].drop { $0 == " " }
    guard rest.first == "=" else { return nil }
    let value = rest.dropFirst().drop { " \"'".contains($0) }
      .prefix { !"\"' ;>/\r\n".contains($0) }
    return value.isEmpty ? nil : String(value)
  }
}

/// Why a HAR request has no response, derived from the browser's error name.
struct HARFailure {
  let reason: ReasonCode
  let detail: String

  /// The reason; nil if there is a response, or the browser itself caused the failure.
  init?(_ entry: HARDocument.Entry) {
    guard entry.response.status.code <= 0 else { return nil }
    let word = Self.notes(on: entry).compactMap { $0?.value }.first { !$0.isEmpty }
    guard let word else {
      reason = .transportFailure
      detail = "the recording gives no reason"
      return
    }
    let name = word.hasPrefix("net::") ? word.dropFirst(5) : word[...]
    if Self.ownDoing.contains(where: name.hasPrefix) { return nil }
    reason = Self.reasons.first { name.hasPrefix($0.prefix) }?.reason ?? .transportFailure
    detail = "the browser's message: \(Excerpt(word))"
  }

  /// Whether the browser's note on a failure has a type other than text.
  static func hasOtherNotes(_ entry: HARDocument.Entry) -> Bool {
    notes(on: entry).contains { $0 != nil && $0?.value == nil }
  }

  private static func notes(on entry: HARDocument.Entry) -> [HARDocument.Custom<String>?] {
    [entry.response._error, entry.response._failureText, entry._error]
  }

  private static let ownDoing = ["ERR_ABORTED", "ERR_BLOCKED_BY_", "ERR_CACHE_MISS", "NS_BINDING_ABORTED"]

  /// Reasons by prefix of the error name; the first match counts (Chromium's net_error_list.h, Firefox's
  /// ErrorList.py and the errors of NSS).
  private static let reasons: [(prefix: String, reason: ReasonCode)] = [
    ("ERR_NAME_NOT_RESOLVED", .noSuchHost), ("ERR_NAME_RESOLUTION_FAILED", .dnsFailure),
    ("ERR_DNS_TIMED_OUT", .resolveTimeout), ("ERR_DNS_", .dnsFailure),
    ("ERR_ICANN_NAME_COLLISION", .dnsFailure),
    ("ERR_CONNECTION_REFUSED", .connectRefused), ("ERR_CONNECTION_RESET", .connectReset),
    ("ERR_CONNECTION_TIMED_OUT", .connectTimeout), ("ERR_CONNECTION_CLOSED", .httpNoResponse),
    ("ERR_CONNECTION_", .connectFailed), ("ERR_EMPTY_RESPONSE", .httpNoResponse),
    ("ERR_ADDRESS_", .connectUnreachable), ("ERR_INTERNET_DISCONNECTED", .connectUnreachable),
    ("ERR_NETWORK_", .connectUnreachable), ("ERR_TIMED_OUT", .totalTimeout),
    // Chromium has one name for a certificate that is no longer valid and for one that is not yet.
    ("ERR_CERT_DATE_INVALID", .certificateExpired), ("ERR_CERT_COMMON_NAME_INVALID", .certificateWrongHost),
    ("ERR_CERT_AUTHORITY_INVALID", .certificateUntrusted), ("ERR_CERT_", .certificateInvalid),
    ("ERR_SSL_", .tlsHandshake), ("ERR_BAD_SSL_CLIENT_AUTH_CERT", .tlsHandshake),
    ("ERR_PROXY_CONNECTION_FAILED", .proxyUnreachable), ("ERR_TUNNEL_CONNECTION_FAILED", .proxyRefused),
    ("ERR_PROXY_", .proxyFailed), ("ERR_TOO_MANY_REDIRECTS", .tooManyRedirects),
    ("ERR_CONTENT_DECODING_FAILED", .bodyEncoding), ("ERR_CONTENT_LENGTH_MISMATCH", .bodyShort),
    ("ERR_INCOMPLETE_CHUNKED_ENCODING", .bodyShort), ("ERR_RESPONSE_HEADERS_TOO_BIG", .httpHeadTooLarge),
    ("ERR_INVALID_", .httpProtocol), ("ERR_RESPONSE_HEADERS_", .httpProtocol), ("ERR_HTTP", .httpProtocol),
    ("ERR_QUIC_", .httpProtocol),

    ("NS_ERROR_UNKNOWN_HOST", .noSuchHost), ("NS_ERROR_CONNECTION_REFUSED", .connectRefused),
    ("NS_ERROR_NET_RESET", .connectReset), ("NS_ERROR_NET_TIMEOUT", .totalTimeout),
    ("NS_ERROR_NET_PARTIAL_TRANSFER", .bodyShort), ("NS_ERROR_NET_INTERRUPT", .bodyShort),
    ("NS_ERROR_NET_EMPTY_RESPONSE", .httpNoResponse), ("NS_ERROR_OFFLINE", .connectUnreachable),
    ("NS_ERROR_PROXY_CONNECTION_REFUSED", .proxyUnreachable),
    ("NS_ERROR_UNKNOWN_PROXY_HOST", .proxyUnreachable), ("NS_ERROR_PROXY_", .proxyRefused),
    ("NS_ERROR_REDIRECT_LOOP", .tooManyRedirects), ("NS_ERROR_INVALID_CONTENT_ENCODING", .bodyEncoding),
    ("SEC_ERROR_EXPIRED_", .certificateExpired), ("SEC_ERROR_UNKNOWN_ISSUER", .certificateUntrusted),
    ("SEC_ERROR_", .certificateInvalid), ("SSL_ERROR_BAD_CERT_DOMAIN", .certificateWrongHost),
    ("SSL_ERROR_RX_RECORD_TOO_LONG", .notTLS), ("SSL_ERROR_", .tlsHandshake),
    ("MOZILLA_PKIX_ERROR_SELF_SIGNED_CERT", .certificateSelfSigned),
    ("MOZILLA_PKIX_ERROR_NOT_YET_VALID_CERTIFICATE", .certificateNotYetValid),
    ("MOZILLA_PKIX_ERROR_", .certificateInvalid),
  ]
}
