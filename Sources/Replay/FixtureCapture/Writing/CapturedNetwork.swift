package import FixtureReplay
package import PortalAnalysis
package import ProbeCore

/// A captured network in terms of a fixture: the routes and responses, and how connections failed.
///
/// A fixture cannot express everything; ``remarks`` lists what was omitted or changed.
package struct CapturedNetwork: Sendable {
  /// A request and its response.
  package struct Route: Hashable, Sendable {
    /// The name of the route.
    package var id: String
    /// The URL that it matches.
    package var url: ProbeURL
    /// The method that it matches, or nil for any.
    package var method: String?
    /// Whether its condition needs the port.
    var namesPort: Bool
    /// The bytes of the response; empty if there was none.
    package var response: [UInt8]
    /// What happens to the connection afterwards, or nil for the default.
    package var end: ResponseEnd?
    /// Whether it is a form that was not sent, so that its response is not known.
    var isUnsentForm = false

    /// The name of the file with the response, or nil if there is none.
    package var file: String? { response.isEmpty ? nil : "\(id).resp" }
    /// The listener that receives the request.
    package var listener: ReplayListener { url.scheme == .https ? .https : .http }
  }

  /// The key of a route; a capture may have very many routes, so that a linear search would be too slow.
  private struct RouteIdentity: Hashable {
    let method: String?
    let listener: ReplayListener
    let host: String
    let port: UInt16?
    let target: String
  }

  /// A host and the listener that its clients connect to.
  private struct Endpoint: Hashable {
    let listener: ReplayListener
    let host: String
  }

  private struct Known {
    var ids: Set<String> = []
    var routes: [RouteIdentity: Int] = [:]
    var routesByEndpoint: [Endpoint: [Int]] = [:]
    var ports: [Endpoint: Set<UInt16?>] = [:]
    var tls: [String: TLSMode] = [:]
    var names: Set<String> = []
  }

  /// The routes; those with a query come before those without, which match any query.
  package private(set) var routes: [Route] = []
  /// The listener modes that differ from the default.
  package private(set) var listeners: [ReplayListener: ListenerMode] = [:]
  /// The TLS modes that differ from the default, by host.
  package private(set) var tls: [(host: String, mode: TLSMode)] = []
  /// The results of DNS lookups.
  package private(set) var dns: [(host: String, answer: DNSAnswer)] = []
  /// Remarks on facts that a fixture cannot express, one sentence each.
  package private(set) var remarks: [String] = []
  /// The index of each exchange's route, or nil for an exchange without one.
  private(set) var routeOfExchange: [Int?] = []

  /// Creates the network from exchanges, and from the forms that were not sent.
  package init(_ exchanges: [RecordedExchange], forms: [PageReferences.Form] = []) {
    // A listener that refused every connection is closed; a fixture cannot express refusal by some hosts
    // only.
    for listener in [ReplayListener.http, .https] {
      listeners[listener] = Self.mode(of: exchanges.filter { $0.listener == listener })
    }
    var known = Known()
    for exchange in exchanges {
      noteLookup(exchange, &known)
      guard exchange.wire == nil else {
        routeOfExchange.append(addRoute(exchange, &known))
        continue
      }
      routeOfExchange.append(addFailure(exchange, &known))
    }
    for form in forms { add(form, &known) }
    sortRoutes()
  }
}

/// Routes.
extension CapturedNetwork {
  private mutating func addRoute(_ exchange: RecordedExchange, _ known: inout Known) -> Int? {
    let wire = exchange.wire ?? WireRecord()
    if wire.ending == .broken, exchange.listener == .https {
      // In TLS 1.3 a server reports a missing client certificate only after the handshake (RFC 8446
      // §4.4.2.4).
      let wantsCertificate = exchange.failure?.detail.contains("certificate required") ?? false
      setMode(wantsCertificate ? .clientCertificate : .noCloseNotify, of: exchange, &known)
      if wantsCertificate { return nil }
    }
    if exchange.end == .hold, exchange.failure == nil {
      remarks.append(
        "the response of \(exchange.url) is longer than the limit: its first \(wire.received.count) bytes are kept"
      )
    }
    return add(exchange, wire.received, exchange.end, &known)
  }

  private mutating func add(
    _ exchange: RecordedExchange, _ response: [UInt8], _ end: ResponseEnd?, _ known: inout Known
  ) -> Int {
    let method = exchange.method == "GET" ? nil : exchange.method
    let url = exchange.url
    let identity = RouteIdentity(
      method: method, listener: exchange.listener, host: url.host, port: url.port, target: url.requestTarget)
    if let same = known.routes[identity] {
      if routes[same].response != response || routes[same].end != end {
        remarks.append(
          "\(exchange.url) was requested more than once, with different responses: the first one is kept")
      }
      return same
    }
    var route = Route(
      id: RouteName.make(routes.count + 1, exchange.url), url: exchange.url, method: method,
      namesPort: exchange.url.port != exchange.url.scheme.defaultPort, response: response, end: end)
    while !known.ids.insert(route.id).inserted { route.id += "x" }
    // If a host was requested on several ports, its routes name the port.
    let endpoint = Endpoint(listener: exchange.listener, host: url.host)
    let isNewPort = known.ports[endpoint, default: []].insert(url.port).inserted
    let portCount = known.ports[endpoint, default: []].count
    if portCount > 1 { route.namesPort = true }
    // The second port adds the port to the routes of the first one too.
    if isNewPort, portCount == 2 {
      for other in known.routesByEndpoint[endpoint, default: []] { routes[other].namesPort = true }
    }
    known.routes[identity] = routes.count
    known.routesByEndpoint[endpoint, default: []].append(routes.count)
    routes.append(route)
    return routes.count - 1
  }

  /// Adds a route for a form that was not sent, unless its request has a response.
  private mutating func add(_ form: PageReferences.Form, _ known: inout Known) {
    let url = form.target
    let isKnown = routes.contains { route in
      // A route without a query matches any, and one without a method does too, but comes after those with one.
      route.url.scheme == url.scheme && route.url.host == url.host && route.url.port == url.port
        && route.url.path == url.path && (route.isUnsentForm || route.url.query == nil)
        && (route.method ?? "GET") == form.method
    }
    guard !isKnown else { return }
    var route = Route(
      id: RouteName.make(routes.count + 1, url), url: url, method: form.method, namesPort: true,
      response: [], isUnsentForm: true)
    while !known.ids.insert(route.id).inserted { route.id += "x" }
    routes.append(route)
  }

  private mutating func sortRoutes() {
    let order = routes.indices.sorted {
      let (left, right) = (routes[$0], routes[$1])
      let ranks = (left.rank, right.rank)
      return ranks.0 == ranks.1 ? $0 < $1 : ranks.0 < ranks.1
    }
    var newIndices = [Int](repeating: 0, count: routes.count)
    for (newIndex, index) in order.enumerated() { newIndices[index] = newIndex }
    routes = order.map { routes[$0] }
    routeOfExchange = routeOfExchange.map { $0.map { newIndices[$0] } }
  }
}

extension CapturedNetwork.Route {
  /// The sort key: a route without a query or a method also matches requests with one.
  fileprivate var rank: Int {
    // A form that was not sent matches by its fields, not by its query.
    if isUnsentForm { return method == "GET" ? 4 : 1 }
    return (url.query == nil ? 1 : 0) + (method == nil ? 2 : 0)
  }
}

/// Failures before a response.
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

  /// Expresses a failure in terms of a fixture.
  ///
  /// - Returns: The route that was added for it, or nil.
  private mutating func addFailure(_ exchange: RecordedExchange, _ known: inout Known) -> Int? {
    guard let failure = exchange.failure, !exchange.isLookupFailure else { return nil }
    if listeners[exchange.listener] != nil { return nil }
    if exchange.listener == .https, let mode = TLSMode(failure) {
      setMode(mode, of: exchange, &known)
      return nil
    }
    let nearest: ResponseEnd = failure.reason == .connectTimeout ? .hold : .rst
    remarks.append(
      "\(exchange.url) failed with \(failure.reason), which a fixture cannot express for one host: the route has end: "
        + nearest.rawValue)
    return add(exchange, [], nearest, &known)
  }

  private mutating func setMode(_ mode: TLSMode, of exchange: RecordedExchange, _ known: inout Known) {
    let host = exchange.url.host
    if let first = known.tls[host] {
      if first != mode {
        remarks.append("\(host) had several TLS modes: \(first.rawValue) is kept")
      }
      return
    }
    known.tls[host] = mode
    tls.append((host, mode))
  }

  private mutating func noteLookup(_ exchange: RecordedExchange, _ known: inout Known) {
    let host = exchange.url.host
    guard exchange.url.address == nil, let answer = exchange.lookup, known.names.insert(host).inserted else {
      return
    }
    dns.append((host, answer))
  }
}

extension RecordedExchange {
  fileprivate var listener: ReplayListener { url.scheme == .https ? .https : .http }

  fileprivate var isLookupFailure: Bool {
    failure?.reason.traits.contains(.lookup) ?? false
  }

  /// The result of the DNS lookup, or nil if unknown.
  fileprivate var lookup: DNSAnswer? {
    if let address = remoteAddress?.address { return .address(address) }
    switch failure?.reason {
    case .noSuchHost?: return .nxdomain
    case .dnsFailure?: return .servfail
    case .resolveTimeout?: return .timeout
    default: return nil
    }
  }

  /// What happened to the connection, or nil for the default.
  fileprivate var end: ResponseEnd? {
    guard let wire else { return nil }
    switch wire.ending {
    case .finished, .broken: return .fin
    case .reset: return .rst
    case .open:
      let showsItsEnd = WireResponse(wire.received, isToHead: method == "HEAD").showsItsEnd
      return failure == nil && showsItsEnd ? .keep : .hold
    }
  }
}

extension TLSMode {
  /// The mode that causes this failure, or nil if there is none.
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

/// Names for the routes and files of a capture: a number, the host, and the end of the path.
enum RouteName {
  private static let maximumLength = 60

  /// Creates a name of lower-case letters, digits, dots and dashes.
  static func make(_ number: Int, _ url: ProbeURL) -> String {
    let last = url.path.split(separator: "/").last.map { "-\($0)" } ?? ""
    let text = (url.host + last).lowercased()
    var name = number < 10 ? "0\(number)-" : "\(number)-"
    for byte in text.utf8 {
      let isPlain = byte.isASCIILowercase || byte.isASCIIDigit || byte == UInt8(ascii: ".")
      let next = isPlain ? Character(UnicodeScalar(byte)) : "-"
      if next == "-", name.last == "-" { continue }
      name.append(next)
    }
    return String(name.prefix(maximumLength).trimmingEnd { $0 == "-" || $0 == "." })
  }
}
