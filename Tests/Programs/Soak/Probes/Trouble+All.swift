import FixtureReplay
import ProbeCore

/// The behavior of the servers.
extension Trouble {
  /// All kinds of trouble.
  ///
  /// Created for each use: the leak detector does not find memory to which a static enum with several values
  /// refers.
  static var all: [Trouble] { responses + faults + handshakes + lookups + listeners + conversations }

  /// The text in a correct page.
  static let word = "soaked"

  private static var page: ReplayResponse {
    ReplayResponse.respond(
      ComposedResponse(
        headers: ["Content-Type: text/plain"], body: Array("\(word) through and through\n".utf8)))
  }

  /// A response with the same results over http and https.
  private static func web(_ ending: ReasonCode?, _ also: ReasonCode?...) -> [URLScheme: Set<ReasonCode?>] {
    let endings = Set([ending] + also)
    return [.http: endings, .https: endings]
  }

  private static func redirect(to location: String) -> Cause {
    .response(.respond(ComposedResponse(status: 302, headers: ["Location: \(location)"])), nil, nil)
  }

  private static var responses: [Trouble] {
    [
      Trouble("page", .response(page, nil, nil), web(nil)),
      Trouble("fin", .response(page, nil, .fin), web(nil)),
      Trouble(
        "other", .response(.respond(ComposedResponse(body: Array("dry\n".utf8))), nil, nil),
        web(.bodyMismatch)),
      Trouble("missing", .response(.respond(ComposedResponse(status: 404)), nil, nil), web(.httpStatus)),
      Trouble("login", redirect(to: "http://login.portal.soak/"), web(.httpStatus)),
      Trouble("loop", redirect(to: "/again"), web(.httpStatus, .tooManyRedirects)),
      // After all others; the target of a redirect.
      Trouble("portal", .response(.respond(ComposedResponse(status: 403)), nil, nil), web(.httpStatus)),
    ]
  }

  private static func fault(
    _ kind: ReplayFault.Kind, reach: Stage = .body, waits: Bool = false, bytes: Int? = nil,
    every: Duration? = nil, for time: Duration? = nil, _ ending: ReasonCode?, _ also: ReasonCode?...
  ) -> Trouble {
    let endings = Set([ending] + also)
    let own: [URLScheme: Set<ReasonCode?>] = [.http: endings, .https: endings]
    let fault = ReplayFault(kind, bytes: bytes, every: every, for: time)
    return Trouble(
      kind.rawValue, .response(page, fault, nil), reach: reach, waits: waits,
      waits ? [.http: [], .https: []] : own)
  }

  /// Every kind of fault there is.
  private static var faults: [Trouble] {
    ReplayFault.Kind.allCases.map { kind in
      switch kind {
      case .delay: fault(kind, for: .milliseconds(30), nil)
      case .rstEarly: fault(kind, reach: .response, .connectReset)
      case .rstAfter: fault(kind, bytes: 40, .connectReset)
      case .emptyFin: fault(kind, reach: .response, .httpNoResponse)
      case .halfClose: fault(kind, bytes: 90, .bodyShort)
      case .shortBody: fault(kind, bytes: 3, .bodyShort)
      case .chunkCut: fault(kind, .bodyShort)
      case .chunkBad: fault(kind, .httpProtocol)
      case .headerCut: fault(kind, bytes: 25, .httpHeadCut)
      case .garbage: fault(kind, .httpProtocol)
      case .slowHeaders: fault(kind, bytes: 20, every: .milliseconds(10), nil)
      case .slowBody: fault(kind, bytes: 5, every: .milliseconds(10), nil)
      case .stallHeaders: fault(kind, reach: .response, waits: true, nil)
      case .stallBody: fault(kind, waits: true, nil)
      case .continueForever: fault(kind, reach: .response, waits: true, nil)
      case .endlessHeaders: fault(kind, .httpHeadTooLarge)
      // The page is repeated, so that the kept part contains the word.
      case .endlessBody: fault(kind, nil)
      case .badGzip: fault(kind, .bodyEncoding)
      case .gzipBomb: fault(kind, .bodyTooLarge)
      }
    }
  }

  /// Every TLS mode.
  private static var handshakes: [Trouble] {
    TLSMode.allCases.compactMap { mode in
      let ending: ReasonCode?
      var reach = Stage.tls
      switch mode {
      // The mode of all others.
      case .valid: return nil
      case .noCloseNotify: (ending, reach) = (nil, .body)
      case .expired: ending = .certificateExpired
      case .notYetValid: ending = .certificateNotYetValid
      case .selfSigned: ending = .certificateSelfSigned
      case .untrusted, .incompleteChain: ending = .certificateUntrusted
      case .wrongHost: ending = .certificateWrongHost
      // In TLS 1.3 the certificate request fails after the client considers the handshake complete.
      case .clientCertificate: (ending, reach) = (.tlsHandshake, .response)
      case .plainHTTP: ending = .notTLS
      case .rst: ending = .connectReset
      case .stall: return Trouble("tls-stall", .tls(mode), reach: .tls, waits: true, [.https: []])
      case .fin, .alertHandshakeFailure, .alertProtocolVersion, .alertInternalError, .alertUnrecognizedName,
        .tls1_0:
        ending = .tlsHandshake
      }
      let name = "tls-\(mode.rawValue.replacing(".", with: "-"))"
      return Trouble(name, .tls(mode), reach: reach, [.https: [ending]])
    }
  }

  private static var lookups: [Trouble] {
    [
      Trouble("nxdomain", .lookup(.nxdomain), reach: .resolve, web(.noSuchHost)),
      Trouble("servfail", .lookup(.servfail), reach: .resolve, web(.dnsFailure)),
      Trouble("dns-timeout", .lookup(.timeout), reach: .resolve, waits: true, [.http: [], .https: []]),
    ]
  }

  /// Every listener mode other than open.
  private static var listeners: [Trouble] {
    [
      Trouble(
        "refused", .listener(.refused), reach: .connect,
        [.http: [.connectRefused], .https: [.connectRefused], .tcp: [.connectRefused]]),
      Trouble(
        "blackhole", .listener(.blackhole), reach: .connect, waits: true, [.http: [], .https: [], .tcp: []]),
      Trouble(
        "reset", .listener(.rst), reach: .response,
        [.http: [.connectReset], .https: [.connectReset], .tcp: [.connectReset]]),
      Trouble(
        "held", .listener(.hold), reach: .response, waits: true, [.http: [], .https: [], .tcp: []]),
    ]
  }

  /// Plain TCP, with the word as the expected text.
  private static var conversations: [Trouble] {
    [
      Trouble("banner", .response(.send(Array("220 \(word)\r\n".utf8)), nil, .hold), [.tcp: [nil]]),
      Trouble("farewell", .response(.send(Array("500 no\r\n".utf8)), nil, .fin), [.tcp: [.bodyMismatch]]),
      Trouble(
        "drop", .response(.send(Array("220 \(word)\r\n".utf8)), ReplayFault(.rstEarly), nil),
        [.tcp: [.connectReset]]),
    ]
  }
}
