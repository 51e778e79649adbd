package import FixtureReplay
package import ProbeCore

/// What a network did in a capture, in the words of a fixture: who was answered what, and how connections failed.
///
/// A fixture says less than a network is: what had to be left out or said otherwise stands in ``remarks``.
package struct CapturedNetwork: Sendable {
  /// Whom what was answered.
  package struct Route: Hashable, Sendable {
    /// The name of the route.
    package var id: String
    /// Which requests it is for.
    package var url: ProbeURL
    /// The method, or nil for any.
    package var method: String?
    /// Whether the port has to be said.
    package var namesPort: Bool
    /// The bytes of the answer; none when there were none.
    package var answer: [UInt8]
    /// What happens to the connection then, or nil for what is usual.
    package var end: AnswerEnd?

    /// The name of the file with the answer, or nil without one.
    package var file: String? { answer.isEmpty ? nil : "\(id).resp" }
    /// The listener that is asked.
    package var listener: ReplayListener { url.scheme == .https ? .https : .http }
  }

  /// The routes; those with a query before those without, which would answer for them.
  package private(set) var routes: [Route] = []
  /// How connections to a listener are received, where that is not usual.
  package private(set) var listeners: [ReplayListener: ListenerMode] = [:]
  /// How TLS is spoken, by host, where that is not usual.
  package private(set) var tls: [(host: String, mode: TLSMode)] = []
  /// What names resolved to.
  package private(set) var dns: [(host: String, answer: DNSAnswer)] = []
  /// What a fixture cannot say, a sentence each.
  package private(set) var remarks: [String] = []
  /// The route of each exchange, by its position; nil for one without.
  package private(set) var routeOfExchange: [Int?] = []

  /// The network that these exchanges show.
  package init(_ exchanges: [RecordedExchange]) {
    // A listener that refused everybody is closed; one that refused some hosts cannot be told so.
    for listener in [ReplayListener.http, .https] {
      listeners[listener] = Self.mode(of: exchanges.filter { $0.listener == listener })
    }
    var ids: Set<String> = []
    for exchange in exchanges {
      noteLookup(exchange)
      guard exchange.wire == nil else {
        routeOfExchange.append(addRoute(exchange, ids: &ids))
        continue
      }
      routeOfExchange.append(addFailure(exchange, ids: &ids))
    }
    sortRoutes()
  }
}

/// Routes.
extension CapturedNetwork {
  private mutating func addRoute(_ exchange: RecordedExchange, ids: inout Set<String>) -> Int? {
    let wire = exchange.wire ?? WireRecord()
    if wire.ending == .broken, exchange.listener == .https {
      // With TLS 1.3 a server says only behind the handshake that it wants a certificate (RFC 8446 §4.4.2.4).
      let wantsCertificate = exchange.failure?.detail.contains("certificate required") ?? false
      setMode(wantsCertificate ? .clientCertificate : .noCloseNotify, of: exchange)
      if wantsCertificate { return nil }
    }
    if exchange.end == .hold, exchange.failure == nil {
      remarks.append(
        "the answer of \(exchange.url) went on when enough of it had come: its first \(wire.received.count) bytes are "
          + "kept")
    }
    return add(exchange, wire.received, exchange.end, ids: &ids)
  }

  private mutating func add(
    _ exchange: RecordedExchange, _ answer: [UInt8], _ end: AnswerEnd?, ids: inout Set<String>
  ) -> Int {
    let method = exchange.method == "GET" ? nil : exchange.method
    let same = routes.firstIndex { route in
      route.method == method && route.listener == exchange.listener && route.url.host == exchange.url.host
        && route.url.port == exchange.url.port && route.url.requestTarget == exchange.url.requestTarget
    }
    if let same {
      if routes[same].answer != answer || routes[same].end != end {
        remarks.append(
          "\(exchange.url) was asked more than once and answered differently: the first answer is kept")
      }
      return same
    }
    var route = Route(
      id: CaptureName.make(routes.count + 1, exchange.url), url: exchange.url, method: method,
      namesPort: exchange.url.port != exchange.url.scheme.defaultPort, answer: answer, end: end)
    while !ids.insert(route.id).inserted { route.id += "x" }
    // A host that answers differently on several ports is asked by each of them.
    let others = routes.indices.filter {
      routes[$0].listener == route.listener && routes[$0].url.host == route.url.host
        && routes[$0].url.port != route.url.port
    }
    for other in others { routes[other].namesPort = true }
    if !others.isEmpty { route.namesPort = true }
    routes.append(route)
    return routes.count - 1
  }

  private mutating func sortRoutes() {
    let order = routes.indices.sorted {
      let (left, right) = (routes[$0], routes[$1])
      let ranks = (left.rank, right.rank)
      return ranks.0 == ranks.1 ? $0 < $1 : ranks.0 < ranks.1
    }
    var places = [Int](repeating: 0, count: routes.count)
    for (place, index) in order.enumerated() { places[index] = place }
    routes = order.map { routes[$0] }
    routeOfExchange = routeOfExchange.map { $0.map { places[$0] } }
  }
}

extension CapturedNetwork.Route {
  /// Where it stands: a route without a query or a method is for those with one too.
  fileprivate var rank: Int { (url.query == nil ? 1 : 0) + (method == nil ? 2 : 0) }
}

/// What failed before there was an answer.
extension CapturedNetwork {
  private static func mode(of exchanges: [RecordedExchange]) -> ListenerMode? {
    let reasons = exchanges.filter { $0.wire == nil && !$0.isLookupFailure }.map { $0.failure?.reason }
    guard let first = reasons.first, reasons.allSatisfy({ $0 == first }),
      exchanges.allSatisfy({ $0.wire == nil })
    else { return nil }
    switch first {
    case .connectRefused: return .refused
    case .connectTimeout: return .blackhole
    default: return nil
    }
  }

  /// Says a failure in the words of a fixture.
  ///
  /// - Returns: The route that had to be added for it, or nil.
  private mutating func addFailure(_ exchange: RecordedExchange, ids: inout Set<String>) -> Int? {
    guard let failure = exchange.failure, !exchange.isLookupFailure else { return nil }
    if listeners[exchange.listener] != nil { return nil }
    if exchange.listener == .https, let mode = TLSMode(failure) {
      setMode(mode, of: exchange)
      return nil
    }
    let nearest: AnswerEnd = failure.reason == .connectTimeout ? .hold : .rst
    remarks.append(
      "\(exchange.url) failed with \(failure.reason): a fixture cannot say that of one host, so the route ends with "
        + nearest.rawValue)
    return add(exchange, [], nearest, ids: &ids)
  }

  private mutating func setMode(_ mode: TLSMode, of exchange: RecordedExchange) {
    let host = exchange.url.host
    if let known = tls.first(where: { $0.host == host }) {
      if known.mode != mode {
        remarks.append("\(host) spoke TLS in several ways: \(known.mode.rawValue) is kept")
      }
      return
    }
    tls.append((host, mode))
  }

  private mutating func noteLookup(_ exchange: RecordedExchange) {
    let host = exchange.url.host
    guard exchange.url.address == nil, !dns.contains(where: { $0.host == host }) else { return }
    if let answer = exchange.lookup { dns.append((host, answer)) }
  }
}

extension RecordedExchange {
  fileprivate var listener: ReplayListener { url.scheme == .https ? .https : .http }

  fileprivate var isLookupFailure: Bool {
    guard let failure else { return false }
    return [.noSuchHost, .dnsFailure, .resolveTimeout].contains(failure.reason)
  }

  /// What the name resolved to, or nil when that is not known.
  fileprivate var lookup: DNSAnswer? {
    if let address = remoteAddress?.address { return .address(address) }
    switch failure?.reason {
    case .noSuchHost?: return .nxdomain
    case .dnsFailure?: return .servfail
    case .resolveTimeout?: return .timeout
    default: return nil
    }
  }

  /// What happened to the connection, or nil when it is the usual.
  fileprivate var end: AnswerEnd? {
    guard let wire else { return nil }
    switch wire.ending {
    case .finished, .broken: return .fin
    case .reset: return .rst
    case .open:
      let showsItsEnd = WireAnswer(wire.received, isToHead: method == "HEAD").showsItsEnd
      return failure == nil && showsItsEnd ? .keep : .hold
    }
  }
}

extension TLSMode {
  /// The mode in which a client fails like that, or nil when there is none.
  fileprivate init?(_ failure: RecordedExchange.Failure) {
    switch failure.reason {
    case .certificateExpired: self = .expired
    case .certificateNotYetValid: self = .notYetValid
    case .certificateWrongHost: self = .wrongHost
    case .certificateSelfSigned: self = .selfSigned
    case .certificateUntrusted, .certificateInvalid: self = .untrusted
    case .notTLS: self = .plainHTTP
    case .connectReset, .connectRefused: self = .rst
    case .tlsTimeout, .connectTimeout: self = .stall
    case .tlsHandshake: self = TLSMode(alertIn: failure.detail)
    default: return nil
    }
  }

  private init(alertIn detail: String) {
    let alerts: [(word: String, mode: TLSMode)] = [
      ("protocol version", .alertProtocolVersion), ("internal error", .alertInternalError),
      ("unrecognized name", .alertUnrecognizedName), ("handshake failure", .alertHandshakeFailure),
    ]
    let words = detail.lowercased().map { $0 == "_" ? " " : String($0) }.joined()
    self = alerts.first { words.contains($0.word) }?.mode ?? .fin
  }
}
