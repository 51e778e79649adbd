internal import ProbeHTTPWire
import ProbeCore
import SourceDocuments

/// Checks that the parts of one route are compatible.
struct RouteValidation {
  private let draft: RouteDraft
  private var route: ReplayRoute { draft.route }
  private var isTCP: Bool { route.condition.possibleListeners == [.tcp] }
  /// Whether the route matches only HEAD.
  private var isToHead: Bool { route.condition.method?.pattern == "HEAD" }

  init(_ draft: RouteDraft) {
    self.draft = draft
  }

  /// Reports incompatible parts.
  func check(_ findings: SourceFindings) {
    checkResponse(findings)
    checkListener(findings)
    checkForm(findings)
    switch route.response {
    case .send(let bytes) where !isTCP:
      checkRaw(WireResponse(bytes, isToHead: isToHead), count: bytes.count, findings)
    case .send(let bytes):
      checkBytes(head: 0, content: bytes.count, findings)
    case .respond(let response) where response.isTemplate: break
    case .respond(let response):
      ResponseValidation(response, draft, isToHead: isToHead).check(findings)
      checkBytes(head: response.maximumHead, content: response.body.count, findings)
    case nil: break
    }
  }

  private func checkResponse(_ findings: SourceFindings) {
    if draft.node.entry("send") != nil, let respond = draft.node.entry("respond") {
      findings.add(
        "a route has send or respond, not both", remedy: "keep one", at: respond.keySpan.lowerBound)
    }
    guard route.response == nil else { return }
    if let fault = route.fault {
      if fault.kind.needsNoResponse, fault.requests == nil || hasEnd { return }
      if fault.kind.needsNoResponse {
        findings.add(
          "the fault is for some requests, and the route has no response for the others",
          remedy: "add respond, send or end to the route, or remove requests",
          at: draft.offset(of: "fault", "requests"))
        return
      }
      if fault.kind == .delay, hasEnd { return }
      findings.add(
        "the fault \(fault.kind.rawValue) needs a response to change",
        remedy: "add respond or send to the route",
        at: draft.offset(of: "fault"))
      return
    }
    if hasEnd { return }
    findings.add(
      "the route has no response",
      remedy: "add respond, send, a fault such as rst-early, or end: fin, rst or hold",
      at: draft.offset())
  }

  /// Whether the route declares an end of the connection that needs no response.
  private var hasEnd: Bool { route.end != nil && route.end != .keep }

  private func checkListener(_ findings: SourceFindings) {
    let condition = route.condition
    if condition.receive != nil, let listener = condition.listener, listener != .tcp {
      findings.add(
        "receive is for plain TCP, not for \(listener.rawValue)",
        remedy: "use listener: tcp, or omit receive",
        at: draft.offset(of: "when", "receive"))
    }
    guard isTCP else { return }
    for key in ["method", "path", "headers", "query", "form"]
    where draft.node.entry("when")?.value.entry(key) != nil {
      findings.add(
        "a plain TCP connection has no \(key)", remedy: "use receive, or omit it",
        at: draft.offset(of: "when", key))
    }
    if draft.node.entry("respond") != nil {
      findings.add(
        "respond is for HTTP, not for plain TCP", remedy: "use send", at: draft.offset(of: "respond"))
    }
    if let fault = route.fault, !fault.kind.fitsTCP {
      findings.add("the fault \(fault.kind.rawValue) is for HTTP", at: draft.offset(of: "fault", "kind"))
    }
  }

  /// A request without content has no form.
  private func checkForm(_ findings: SourceFindings) {
    guard !isTCP, !route.condition.form.isEmpty, let method = route.condition.method?.pattern,
      ["GET", "HEAD"].contains(method)
    else { return }
    findings.warn(
      "a \(method) request has its fields in the query, not in a form", remedy: "use query, or method: POST",
      at: draft.offset(of: "when", "form"))
  }

  private func checkRaw(_ wire: WireResponse, count: Int, _ findings: SourceFindings) {
    let offset = draft.offset(of: "send")
    let fault = route.fault?.kind
    // The extension `.resp` declares that the bytes are exactly those received on the wire, with all their
    // errors.
    let name = draft.sendName ?? ""
    let isDeclared = name.hasSuffix(".resp") || fault.map(Self.declaresLength) ?? false
    if let mistake = wire.mistake, !isDeclared {
      findings.add(
        "the file \(Excerpt(name)) \(mistake)",
        remedy:
          "correct it; if this is intended, use a name that ends in .resp, or add a fault",
        at: offset)
    }
    if route.end == .keep, !wire.showsItsEnd {
      let reason = wire.mistake ?? "does not give its length"
      findings.add(
        "a client cannot find the end of this response: the file \(Excerpt(name)) \(reason)",
        remedy: "use end: fin",
        at: draft.offset(of: "end"))
    }
    if let fittingError = route.fault?.fittingError(with: wire, called: "the file \(Excerpt(name))") {
      findings.add(
        fittingError.message, remedy: fittingError.remedy, at: draft.offset(of: "fault", fittingError.key))
    }
    let head = wire.headCount == 0 ? count : wire.headCount
    checkBytes(head: head, content: wire.contentCount, findings)
  }

  /// Whether a fault declares that a response does not have its declared length.
  private static func declaresLength(_ kind: ReplayFault.Kind) -> Bool {
    switch kind {
    case .shortBody, .chunkCut, .chunkBad, .headerCut, .stallHeaders, .stallBody, .garbage, .endlessBody: true
    default: false
    }
  }

  /// Checks that the response is long enough for the fault.
  private func checkBytes(head: Int, content: Int, _ findings: SourceFindings) {
    guard let fittingError = route.fault?.fittingError(head: head, content: content) else { return }
    findings.add(
      fittingError.message, remedy: fittingError.remedy, at: draft.offset(of: "fault", fittingError.key))
  }
}

/// Checks that the parts of a composed response are compatible.
struct ResponseValidation {
  private let response: ComposedResponse
  private let draft: RouteDraft
  private let isToHead: Bool

  init(_ response: ComposedResponse, _ draft: RouteDraft, isToHead: Bool) {
    self.response = response
    self.draft = draft
    self.isToHead = isToHead
  }

  /// Reports incompatible parts.
  func check(_ findings: SourceFindings) {
    let offset = draft.offset(of: "respond", "headers")
    let exactly = "use send with a .resp for invalid data"
    if !response.allowsContent, !response.body.isEmpty {
      findings.add(
        "a response with status \(response.status) has no body (RFC 9110 §6.4.1)", remedy: exactly,
        at: draft.offset(of: "respond", "body"))
      return
    }
    let lengths = response.values(of: "Content-Length")
    let codings = response.values(of: "Transfer-Encoding")
    let fault = draft.route.fault?.kind
    if !lengths.isEmpty, !codings.isEmpty {
      findings.add("Content-Length and Transfer-Encoding cannot be combined", remedy: exactly, at: offset)
    } else if lengths.count > 1 {
      findings.add("Content-Length occurs \(lengths.count) times", remedy: exactly, at: offset)
    } else if let length = lengths.first {
      checkLength(length, fault, at: offset, findings)
    } else if codings.last?.lowercased().hasSuffix("chunked") == true, fault != .chunkCut, fault != .chunkBad,
      response.allowsContent, !isToHead, let mistake = WireResponse.mistake(inChunks: response.body[...])
    {
      findings.add(
        "Transfer-Encoding is chunked, but the body \(mistake)",
        remedy: "write the chunks into the file, or omit Transfer-Encoding", at: offset)
    }
  }

  private func checkLength(
    _ text: String, _ fault: ReplayFault.Kind?, at offset: Int, _ findings: SourceFindings
  ) {
    if fault == .chunkCut || fault == .chunkBad {
      findings.add("a chunked response has no Content-Length", remedy: "omit it", at: offset)
      return
    }
    // A response to HEAD declares the length of the one to GET, and so does a 304 (RFC 9110 §8.6).
    guard fault != .shortBody, !isToHead, response.status != 304, Int(text: text) != response.body.count
    else {
      return
    }
    findings.add(
      "Content-Length is \(Excerpt(text)), but the body has \(response.body.count.bytes)",
      remedy: "omit Content-Length, use the fault short-body, or use send with a .resp", at: offset)
  }
}

extension ComposedResponse {
  /// An upper bound for the length of its head; no usual reason phrase is longer.
  var maximumHead: Int {
    let line = "HTTP/\(version) \(status) \(reason ?? String(repeating: "x", count: 32))\r\n"
    let length = values(of: "Content-Length").isEmpty ? "Content-Length: \(body.count)\r\n" : ""
    let fields = headers.reduce(0) { $0 + $1.utf8.count + 2 }
    return line.utf8.count + fields + length.utf8.count + 2
  }

  /// The values of a header field; its name is case-insensitive.
  func values(of name: String) -> [String] {
    headers.compactMap { line in
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else {
        return nil
      }
      return String(line[line.index(after: colon)...].withoutOuterSpace)
    }
  }
}
