internal import ByteStreams
internal import ProbeTLS
internal import ProbeHTTPWire
internal import ProbeCore
internal import ProbeSystem
import ProbeStreams

extension ProbeFailure {
  /// Creates the failure for the result of a transfer.
  ///
  /// If a name could not be resolved, the resolver is queried once more, because libcurl does not report the
  /// reason.
  init(_ result: TransferResult, of request: ProbeRequest, partial: ProbeResponse) async {
    var (reason, detail) = FailureMapping(result: result, request: request).reasonAndDetail
    // With a resolver, the name has been looked up, and nobody else must be asked for it.
    if result.code == .couldNotResolve, reason == .dnsFailure, request.resolver == nil,
      let host = request.hostToResolve
    {
      let rest = request.timeout - .microseconds(result.moments.finished)
      switch await SystemLookup.addresses(of: host, family: request.family, within: rest) {
      case .success, nil: detail = "\(host) could not be looked up"
      case .failure(let error):
        (reason, detail) = ConnectionFailure.lookingUp(host, error, family: request.family)
      }
    }
    self.init(reason, detail, partial: partial)
  }
}

/// Maps a result of libcurl to a reason code and a human-readable detail.
struct FailureMapping {
  let result: TransferResult
  let request: ProbeRequest

  var reasonAndDetail: (ReasonCode, String) {
    if let limit = result.response.limit, limit == .head {
      return (.httpHeadTooLarge, "the head of the answer is larger than \(request.maxHead) bytes")
    }
    if let proxy = request.proxy,
      let failure = ProxyFailureMapping(result: result, proxy: proxy, request: request).reasonAndDetail
    {
      return failure
    }
    if result.hasOnlyContent, result.code != .cancelled {
      return result.isTooShort ? noResponse : (.httpProtocol, Self.noStatusLine)
    }
    switch result.code {
    case .ok: return incomplete
    case .interfaceFailed: return sourceFailure
    case .cancelled: return ConnectionFailure.cancelled
    case .timedOut: return timeout
    case .couldNotResolve: return lookupFailure
    case .couldNotConnect: return connectFailure
    case .tlsFailed, .clientCertificateWanted: return handshakeFailure
    case .peerNotVerified: return ConnectionFailure.certificate(result.handshake, host: request.url.host)
    case .gotNothing: return noResponse
    case .partialFile where result.response.head.isEmpty: return noResponse
    case .partialFile: return (.bodyShort, "the connection ended before the announced end of the body")
    case .badEncoding: return (.bodyEncoding, "the body's content coding is broken: \(result.message)")
    case .sendError, .receiveError: return brokenConnection
    case .malformedURL: return (.invalidRequest, result.message)
    case .unsupportedProtocol: return (.httpProtocol, Self.noStatusLine)
    case .http2Stream where result.message.hasPrefix("the server refused"):
      return (.httpNoResponse, result.message)
    case .weirdReply, .http2, .http2Stream: return (.httpProtocol, "not valid HTTP: \(result.message)")
    case .badArgument where result.phase == .response || result.phase == .body:
      let isChunk = result.message.contains("chunk")
      return (
        .httpProtocol,
        isChunk ? Self.brokenChunks : "a line of the head is not a header field: \(result.message)"
      )
    // The decoder rejects further data, because none of our limits was exceeded.
    case .writeError where result.response.limit == nil:
      return (.bodyEncoding, "the body continues after the end of its content coding")
    // libcurl's results for a header line longer than its own limit of 100 KiB.
    case .outOfMemory where result.phase == .response, .tooLarge:
      return (.httpHeadTooLarge, "a line of the head is longer than 100 KiB")
    case .outOfMemory: return shortage
    default: return (.transportFailure, "\(result.message) (libcurl \(result.code.rawValue))")
    }
  }

  private static let noStatusLine = "the answer does not start with an HTTP status line"
  private static let brokenChunks = "the body's chunked framing is broken"

  /// The failure if libcurl reports success, but there is no response to judge.
  private var incomplete: (ReasonCode, String) {
    switch result.framingError(request) {
    case .contentLength:
      return (.httpProtocol, "the response has an invalid Content-Length, or several")
    case .tooLong: return (.bodyShort, "the connection ended before the announced end of the body")
    case .noCloseNotify: return (.bodyShort, "the connection ended without TLS close_notify")
    case nil: break
    }
    if result.response.head.isEmpty { return noResponse }
    if !result.response.headIsComplete {
      return (.httpHeadCut, "the connection ended inside the head of the answer")
    }
    return (.httpProtocol, "the head of the answer has no status line")
  }

  /// The failure without a response; libcurl does not distinguish no data from a part of the first line.
  private var noResponse: (ReasonCode, String) {
    // Over HTTP/2 it does: the connection was established, and the exchange ended without a response.
    if result.code != .partialFile, result.handshake?.applicationProtocol == "h2" {
      return (.httpProtocol, "the server violated HTTP/2 and ended the exchange without a response")
    }
    return (
      .httpNoResponse, "the server closed the connection before the first line of an answer was complete"
    )
  }

  private var lookupFailure: (ReasonCode, String) {
    switch SystemError(result.systemError) {
    case .noDescriptors(let words): return (.noDescriptors, "no name can be looked up: \(words)")
    case .noMemory(let words): return (.noMemory, "no name can be looked up: \(words)")
    default: break
    }
    // libcurl resolves names on its own threads.
    if result.message.contains("thread failed to start") {
      return (.noMemory, "no name can be looked up: no memory or thread left")
    }
    return (.dnsFailure, result.message)
  }

  private var sourceFailure: (ReasonCode, String) {
    request.source.map(ConnectionFailure.source) ?? (.transportFailure, result.message)
  }

  private var shortage: (ReasonCode, String) {
    if case .noDescriptors(let words) = SystemError(result.systemError) { return (.noDescriptors, words) }
    return (.noMemory, result.message)
  }

  private var timeout: (ReasonCode, String) {
    let limit = Double(result.moments.finished) / 1e6
    let seconds = (limit * 100).rounded() / 100
    switch result.phase {
    // An address needs no lookup: the machine was too busy for the first step of connecting.
    case .resolve where request.hostToResolve == nil:
      return (.connectTimeout, "no connection after \(seconds) s")
    case .resolve: return (.resolveTimeout, "no answer from DNS after \(seconds) s")
    case .connect: return (.connectTimeout, "no connection after \(seconds) s")
    case .tls: return (.tlsTimeout, "the TLS handshake was not done after \(seconds) s")
    case .response: return (.responseTimeout, "no complete response head after \(seconds) s")
    case .body: return (.bodyTimeout, "the body was not complete after \(seconds) s")
    }
  }

  private var connectFailure: (ReasonCode, String) {
    if result.hasRefusedAddress {
      if let resolver = request.resolver, let tried = result.tried?.address,
        request.addressesOfHost?.addresses.contains(where: { $0.address == tried }) == false
      {
        return (.addressRefused, "the resolver \(resolver) did not name \(tried): not connected")
      }
      return ConnectionFailure.refusedAddress(result.tried?.address, for: request)
    }
    return ConnectionFailure.connecting(
      to: request.url.host, at: result.tried?.address, SystemError(result.systemError), else: result.message)
  }

  private var brokenConnection: (ReasonCode, String) {
    let stage = result.phase == .body ? "inside the body" : "before the answer was complete"
    switch SystemError(result.systemError) {
    case .reset: return (.connectReset, "the connection was reset \(stage)")
    case .noMemory(let words): return (.noMemory, words)
    default: break
    }
    if let handshakeFailure = HandshakeFailure(message: result.message) {
      if handshakeFailure.isUnexpectedEnd {
        return (.bodyShort, "the connection ended without TLS close_notify")
      }
      return (
        .tlsHandshake,
        "TLS failed \(stage): \(handshakeFailure.alertName.map { "alert \($0)" } ?? handshakeFailure.text)"
      )
    }
    // The limit of libcurl for a head is 300 KiB.
    if result.message.hasPrefix("Too large response headers") {
      return (.httpHeadTooLarge, "the head of the answer is larger than 300 KiB")
    }
    if result.message.contains("chunk") { return (.httpProtocol, Self.brokenChunks) }
    if result.message.contains("nghttp2") {
      // Its HTTP/2 buffer for a head is 128 KiB, and exceeding it has no separate error code.
      return !result.response.headIsComplete && result.message.contains("-902")
        ? (.httpHeadTooLarge, "the head of the answer is larger than 128 KiB")
        : (.httpProtocol, "the frames of the answer are not those of HTTP/2")
    }
    return (.httpProtocol, result.message)
  }

  private var handshakeFailure: (ReasonCode, String) {
    let wasReset =
      SystemError(result.systemError) == .reset || result.message.contains("reset by peer")
    return ConnectionFailure.handshake(HandshakeFailure(message: result.message), wasReset: wasReset)
  }
}

/// The reason why a response that libcurl considers complete may be incomplete.
enum FramingError: Hashable, Sendable {
  /// Its Content-Length fields are not valid, or different (RFC 9112 §6.3).
  case contentLength
  /// Its Content-Length is larger than any number here, so that no body is complete; libcurl ignores it.
  case tooLong
  /// The body ends with the connection, which was closed without TLS close_notify (RFC 9112 §9.8), so that an
  /// attacker on the path may have cut it anywhere.
  case noCloseNotify
}

extension TransferResult {
  /// The error in how a response marks its end; nil if there is none.
  ///
  /// A response that was truncated at one of our limits need not have an end. In HTTP/2, frames mark the end.
  func framingError(_ request: ProbeRequest) -> FramingError? {
    guard code == .ok, let head = HTTPResponseHead(wireBytes: response.wholeLines) else { return nil }
    guard let length = head.fields.contentLength else { return .contentLength }
    if length == .tooMany, head.hasContent(inResponseTo: request), head.fields["Transfer-Encoding"] == nil {
      return .tooLong
    }
    guard !hasCloseNotify, head.version != "2", length == .none, head.fields["Transfer-Encoding"] == nil,
      head.hasContent(inResponseTo: request)
    else { return nil }
    return .noCloseNotify
  }
}

extension HTTPResponseHead {
  /// Whether a response can have content (RFC 9110 §6.4.1).
  fileprivate func hasContent(inResponseTo request: ProbeRequest) -> Bool {
    request.http.method != "HEAD" && status >= 200 && status != 204 && status != 304
  }
}

/// A response without a head, which libcurl delivers as content if HTTP/0.9 is allowed.
extension TransferResult {
  /// Whether content was received without a head.
  var hasOnlyContent: Bool { response.head.isEmpty && !response.body.isEmpty }

  /// Whether so little was received that it can be the start of a status line.
  var isTooShort: Bool {
    let body = response.body
    return response.limit == nil && StatusLine.mayBegin(with: body.span)
  }

  /// Whether the content is a text, and so a response of HTTP/0.9; nothing that resembles a status line is.
  var isHTTP09: Bool {
    let body = response.body
    return hasOnlyContent && !isTooShort && !body.prefix(9).contains("http/".utf8)
      && (body.span.hasUTF16Mark || !body.span.hasBinaryData)
  }
}

extension ArraySlice<UInt8> {
  /// Whether a text of ASCII in lower case occurs, in any case.
  fileprivate func contains(_ text: String.UTF8View) -> Bool {
    let folded = map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return folded.firstRange(of: Array(text)) != nil
  }
}

/// The length that Content-Length states.
private enum ContentLength: Hashable {
  case none
  case bytes(Int64)
  /// More than 2^63 - 1.
  case tooMany
}

extension HeaderFields {
  /// The length that the fields state; nil if they are not valid, or if they differ.
  ///
  /// Two lengths that are too large for a number count as the same.
  fileprivate var contentLength: ContentLength? {
    var length = ContentLength.none
    for value in values(for: "Content-Length") {
      // The same number several times counts as one (RFC 9110 §8.6).
      for part in value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
        let digits = Substring(part).withoutOuterSpace
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let stated = Int64(text: digits).map(ContentLength.bytes) ?? .tooMany
        guard length == .none || length == stated else { return nil }
        length = stated
      }
    }
    return length
  }
}
