internal import ProbeCore

/// The sessions of one fixture: one for the server, or one for each client.
///
/// A request is in between ``begin(_:at:)`` and ``finish(using:)``; ``current`` is then the session it belongs to.
struct Sessions {
  /// The maximum number of remembered clients; beyond it, the least recently used one is forgotten.
  static let maximumClients = 4096
  /// The maximum length of a cookie that identifies a client.
  private static let maximumCookieLength = 128

  /// Identifies a client.
  private enum Client: Hashable {
    case server
    case address(IPAddress?)
    case cookie(String)
  }

  /// Whether it needs every request, because the fixture has session rules or a template.
  let needsRequests: Bool
  let rules: SessionRules
  /// The names of all states, the initial one first.
  let names: [String]
  /// The session of the current request, or the only one.
  private(set) var current: ClientSession
  /// The state in which new clients start.
  private var start: String?
  /// The client of the current session, or nil if the client is not known yet.
  private var client: Client? = .server
  private var others: [Client: ClientSession] = [:]

  init(_ fixture: Fixture, at now: ContinuousClock.Instant) {
    needsRequests = fixture.session != nil || fixture.routes.contains(where: \.hasTemplate)
    rules = fixture.session ?? SessionRules()
    names = fixture.stateNames
    start = fixture.initialState
    current = ClientSession(start, at: now)
  }

  /// The current state, or nil if the fixture has no states.
  var state: String? { current.state }
  /// The initial state, or nil if the fixture has no states.
  var initial: String? { names.first }
  /// The limit of the current state, or nil.
  var limit: StateLimit? { state.flatMap { rules.limits[$0] } }

  /// Finds the session that a request belongs to, and ends its states whose limits are reached.
  mutating func begin(_ input: MatchInput, at now: ContinuousClock.Instant) {
    switch rules.owner {
    case .server: break
    case .address: load(.address(input.client), at: now)
    case .cookie(let name):
      let value = input.head?.cookie(named: name)
      load(value.flatMap { $0.utf8.count <= Self.maximumCookieLength ? .cookie($0) : nil }, at: now)
    }
    current.passTime(to: now, rules.limits, initial: initial)
    current.lastUse = now
  }

  /// Gives the client of an HTTP request an identity if it needs one.
  ///
  /// - Returns: The header field that sets its cookie, or nil if it is known.
  mutating func identify() -> String? {
    guard client == nil, case .cookie(let name) = rules.owner else { return nil }
    let value = String(UInt64.random(in: (1 << 60) ... .max), radix: 16)
    client = .cookie(value)
    return "Set-Cookie: \(name)=\(value); Path=/; HttpOnly"
  }

  mutating func enter(_ next: String, at now: ContinuousClock.Instant) {
    current.enter(next, initial: initial, at: now)
  }

  mutating func note(_ url: @autoclosure () -> String?) {
    current.note(url(), initial: initial)
  }

  /// Counts the bytes of the current request and its response, and keeps its session.
  mutating func finish(using bytes: Int) {
    current.count(bytes)
    if let client, client != .server { keep(current, for: client) }
  }

  private mutating func load(_ client: Client?, at now: ContinuousClock.Instant) {
    self.client = client
    current = client.flatMap { others[$0] } ?? ClientSession(start, at: now)
  }

  private mutating func keep(_ session: ClientSession, for client: Client) {
    if others.count >= Self.maximumClients, others[client] == nil,
      let oldest = others.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      others[oldest.key] = nil
    }
    others[client] = session
  }
}

/// Control from outside.
extension Sessions {
  /// The sessions with the states that they have now, by the name of the client, sorted.
  func all(at now: ContinuousClock.Instant) -> [(client: String?, session: ClientSession)] {
    func passed(_ session: ClientSession) -> ClientSession {
      var session = session
      session.passTime(to: now, rules.limits, initial: initial)
      return session
    }
    if rules.owner == .server { return [(nil, passed(current))] }
    return others.map { (client: Self.name(of: $0.key), session: passed($0.value)) }
      .sorted { $0.client ?? "" < $1.client ?? "" }
  }

  /// Sets the state of a client, or of all clients including future ones.
  ///
  /// - Throws: ``ReplayError`` if the fixture has no such state, or no client can have this name.
  mutating func set(_ state: String, client name: String?, at now: ContinuousClock.Instant)
    throws(ReplayError)
  {
    guard names.contains(state) else {
      let nearest = nearestName(to: state, among: names).map { "did you mean \($0.escapedForDisplay)?" }
      throw ReplayError(
        .unknownState, "there is no state \(Excerpt(state))", remedy: nearest ?? "use \(names.alternatives)")
    }
    let initial = initial
    try change(name, startingIn: state, at: now) { $0.enter(state, initial: initial, at: now) }
  }

  /// Resets a client, or all of them, to the initial state.
  ///
  /// - Throws: ``ReplayError`` if no client can have this name.
  mutating func reset(client name: String?, at now: ContinuousClock.Instant) throws(ReplayError) {
    let fresh = ClientSession(initial, at: now)
    if name == nil {
      (start, others, current) = (initial, [:], fresh)
    } else {
      try change(name, startingIn: initial, at: now) { $0 = fresh }
    }
  }

  private mutating func change(
    _ name: String?, startingIn state: String?, at now: ContinuousClock.Instant,
    _ change: (inout ClientSession) -> Void
  ) throws(ReplayError) {
    guard let name else {
      start = state
      change(&current)
      for key in others.keys { change(&others[key, default: current]) }
      return
    }
    let client = try client(named: name)
    var session = others[client] ?? ClientSession(start, at: now)
    change(&session)
    session.lastUse = now
    keep(session, for: client)
  }

  /// The current state of a client, or of one that is not known yet.
  ///
  /// - Throws: ``ReplayError`` if no client can have this name.
  func state(client name: String?, at now: ContinuousClock.Instant) throws(ReplayError) -> String? {
    var session = ClientSession(start, at: now)
    if let name {
      session = others[try client(named: name)] ?? session
    } else if rules.owner == .server {
      session = current
    }
    session.passTime(to: now, rules.limits, initial: initial)
    return session.state
  }

  private func client(named name: String) throws(ReplayError) -> Client {
    switch rules.owner {
    case .server:
      throw ReplayError(.unknownClient, "the fixture has one state for all clients", remedy: "name no client")
    case .address:
      guard let address = IPAddress(name) else {
        throw ReplayError(
          .unknownClient, "\(Excerpt(name)) is not an address",
          remedy: "name the client by its address, such as 192.0.2.7")
      }
      return .address(address)
    case .cookie(let cookie):
      guard !name.isEmpty, name.utf8.count <= Self.maximumCookieLength else {
        throw ReplayError(
          .unknownClient, "\(Excerpt(name)) is not a client",
          remedy: "name it by the value of its cookie \(Excerpt(cookie))")
      }
      return .cookie(name)
    }
  }

  private static func name(of client: Client) -> String? {
    switch client {
    case .server: nil
    case .address(let address): address?.description
    case .cookie(let value): value
    }
  }
}

extension Fixture {
  /// The names of its states in the order in which it names them, the initial one first.
  package var stateNames: [String] {
    guard let initialState else { return [] }
    let others = routes.flatMap { [$0.condition.state, $0.goto] }.compactMap(\.self)
    let ends = (session?.limits ?? [:]).sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value.next] }
    var names: [String] = []
    for name in [initialState] + others + ends where !names.contains(name) { names.append(name) }
    return names
  }
}

/// The state of a fixture for one client or for all clients, and how much of the state's limits is used.
struct ClientSession: Hashable, Sendable {
  /// The maximum length of a kept URL in bytes; a longer one is not kept.
  private static let maximumURLLength = 8 * 1024
  /// The maximum number of states that end in a row without a request; then the last one starts now.
  private static let maximumSessionEndsPerRequest = 1000

  /// The current state, or nil if the fixture has no states.
  private(set) var state: String?
  /// When the state was entered.
  private(set) var since: ContinuousClock.Instant
  /// The bytes of requests and responses since then.
  private(set) var bytes = 0
  /// The URL of the first request in the initial state, or nil if there was none yet.
  private(set) var firstURL: String?
  /// The time of the last request.
  var lastUse: ContinuousClock.Instant

  init(_ state: String?, at now: ContinuousClock.Instant) {
    self.state = state
    (since, lastUse) = (now, now)
  }

  /// Enters a state; its limits start again, even if it is the current one.
  mutating func enter(_ next: String, initial: String?, at now: ContinuousClock.Instant) {
    if next == initial, state != initial { firstURL = nil }
    state = next
    (since, bytes) = (now, 0)
  }

  /// Notes the URL of a request in the initial state, unless an earlier one is known.
  mutating func note(_ url: @autoclosure () -> String?, initial: String?) {
    guard firstURL == nil, state == initial, let url = url(), url.utf8.count <= Self.maximumURLLength else {
      return
    }
    firstURL = url
  }

  /// Counts the bytes of a request and its response.
  mutating func count(_ more: Int) {
    let (sum, overflow) = bytes.addingReportingOverflow(more)
    bytes = overflow ? .max : sum
  }

  /// Ends the states whose limits are reached.
  mutating func passTime(
    to now: ContinuousClock.Instant, _ limits: [String: StateLimit], initial: String?
  ) {
    for _ in 0..<Self.maximumSessionEndsPerRequest {
      guard let limit = state.flatMap({ limits[$0] }), let end = end(by: limit), end <= now else { return }
      enter(limit.next, initial: initial, at: end)
    }
    since = now
  }

  /// The time at which a limit ends the state; nil if there is no time limit and the bytes are not used up.
  private func end(by limit: StateLimit) -> ContinuousClock.Instant? {
    let due = limit.after.map { since + $0 }
    guard let maximum = limit.bytes, bytes >= maximum else { return due }
    return due.map { min($0, lastUse) } ?? lastUse
  }
}

extension ClientSession {
  /// The rest of the state's time, or nil if it has no time limit.
  func remainingTime(_ limit: StateLimit?, at now: ContinuousClock.Instant) -> Duration? {
    limit?.after.map { max(.zero, $0 - since.duration(to: now)) }
  }

  /// The rest of the state's bytes, or nil if they are not limited.
  func remainingBytes(_ limit: StateLimit?) -> Int? {
    limit?.bytes.map { max(0, $0 - bytes) }
  }
}
