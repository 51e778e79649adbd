internal import ProbeCore

/// The state of a running server, which determines its responses: the state of each fixture, and the hit
/// counts of the routes.
///
/// It does no I/O: it receives one request at a time, and returns the script to play.
struct ReplayWorld {
  /// The reaction to a request, and the reason for it.
  struct Response {
    var script: ResponseScript
    /// The reason, for the journal.
    var outcome: JournalEntry.Outcome
  }

  private(set) var fixtures: [Fixture]
  private var routes: [WorldRoute] = []
  /// The indices of the fixtures whose sessions need more than a state of the server.
  private var living: [Int] = []
  /// Whether a route needs the fields of queries or forms.
  private var needsFields = false
  /// The sessions of each fixture.
  var sessions: [Sessions]
  private var hits: [Int]
  /// For each route, the number of its hits when its fault was changed; the fault counts from there.
  private var faultStarts: [Int]
  /// Whether the faults of the routes are enabled.
  var injectsFaults = true
  /// The time in the network; to be set before each event.
  var clock: WorldClock

  /// Combines fixtures: their routes are tried in the order given, and each fixture has its own state.
  init(_ fixtures: [Fixture], clock: WorldClock = WorldClock()) {
    self.fixtures = fixtures
    self.clock = clock
    sessions = fixtures.map { Sessions($0, at: clock.now) }
    routes = fixtures.enumerated().flatMap { index, fixture in
      fixture.routes.map { WorldRoute($0, fixture: index) }
    }
    hits = Array(repeating: 0, count: routes.count)
    faultStarts = hits
    noteNeeds()
  }

  private mutating func noteNeeds() {
    living = sessions.indices.filter { sessions[$0].needsRequests }
    needsFields = routes.contains { $0.needsFields }
  }

  mutating func respond(to input: MatchInput) -> Response {
    guard needsFields, input.fields == nil else { return matchedResponse(to: input) }
    var input = input
    input.fields = RequestFields(input.head, input.body)
    return matchedResponse(to: input)
  }

  private mutating func matchedResponse(to input: MatchInput) -> Response {
    beginSessions(input)
    if let index = routes.indices.first(where: { routes[$0].matches(input) && isInState(routes[$0]) }) {
      return hit(index, input)
    }
    return Response(
      script: Self.notFound(isHead: input.head?.isHEADRequest ?? false),
      outcome: .unmatched(nearMisses(input)))
  }

  /// The greeting for a client that has just connected over plain TCP, or nil if the client sends first.
  mutating func greeting(_ input: MatchInput) -> Response? {
    beginSessions(input)
    let index = routes.indices.first { index in
      let condition = routes[index].route.condition
      return condition.receive == nil && isInState(routes[index]) && condition.matches(input)
    }
    return index.map { hit($0, input) }
  }

  /// Whether a route receives bytes that start with this one.
  func receivesBytes(startingWith byte: UInt8) -> Bool {
    routes.contains { $0.route.condition.receive?.pattern.utf8.first == byte }
  }

  /// The routes for plain TCP from a client to a destination, or nil if there are none.
  mutating func plainRoutes(to destination: ReplayDestination, client: IPAddress?) -> PlainRoutes? {
    let input = MatchInput(listener: .tcp, destination: destination, client: client)
    beginSessions(input)
    let routes = routes.filter { $0.route.condition.matches(input) }
    guard !routes.isEmpty else { return nil }
    return PlainRoutes(
      hasOwnPort: routes.contains { $0.route.condition.port.map { !$0.matchesAll } ?? false },
      greets: routes.contains { $0.route.condition.receive == nil && isInState($0) })
  }

  /// The response of a plain TCP connection to the received bytes.
  ///
  /// - Parameters:
  ///   - turns: The received bytes; those that have a response, or never will, are removed.
  ///   - input: The listener and the destination.
  /// - Returns: The response and the bytes that it responds to, or nil if more bytes are needed.
  mutating func turn(
    _ turns: inout TCPTurnReader, _ input: MatchInput
  ) -> (response: Response, received: [UInt8])? {
    beginSessions(input)
    let candidates = routes.indices.filter { index in
      routes[index].route.condition.receive != nil && isInState(routes[index])
        && routes[index].route.condition.matches(input)
    }
    let patterns = candidates.compactMap { routes[$0].route.condition.receive }
    switch turns.next(among: patterns) {
    case .needsMore: return nil
    case .matched(let position, let bytes):
      var input = input
      input.received = bytes[...]
      return (hit(candidates[position], input), bytes)
    case .unmatched(let bytes):
      var input = input
      input.received = bytes[...]
      return (Response(script: ResponseScript([], .keep), outcome: .unmatched(nearMisses(input))), bytes)
    }
  }
}

extension ReplayWorld {
  private func isInState(_ candidate: WorldRoute) -> Bool {
    guard let state = candidate.route.condition.state else { return true }
    return sessions[candidate.fixture].state == state
  }

  private mutating func beginSessions(_ input: MatchInput) {
    for index in living { sessions[index].begin(input, at: clock.now) }
  }

  private mutating func hit(_ index: Int, _ input: MatchInput) -> Response {
    let route = routes[index]
    hits[index] += 1
    if sessions[route.fixture].needsRequests { return livingHit(index, input) }
    let before = sessions[route.fixture].state
    if let next = route.route.goto { sessions[route.fixture].enter(next, at: clock.now) }
    let (script, fault) = route.script(hit: faultHit(index), isHead: input.head?.isHEADRequest ?? false)
    return response(script, index, fault, before: before)
  }

  /// A hit in a fixture with sessions.
  private mutating func livingHit(_ index: Int, _ input: MatchInput) -> Response {
    let route = routes[index]
    let fixture = route.fixture
    let added = input.head == nil ? nil : sessions[fixture].identify()
    let before = sessions[fixture].current
    sessions[fixture].note(input.url)
    if let next = route.route.goto { sessions[fixture].enter(next, at: clock.now) }
    let values = TemplateValues(
      input: input, before: before, after: sessions[fixture].current, limit: sessions[fixture].limit,
      clock: clock)
    let (script, fault) = route.script(
      hit: faultHit(index), isHead: input.head?.isHEADRequest ?? false, adding: added, values)
    // The request that enters a state does not count towards its bytes.
    let used = route.route.goto == nil ? input.count + script.count : 0
    sessions[fixture].finish(using: used)
    return response(script, index, fault, before: before.state)
  }

  /// The number of the current hit as the route's fault counts it, or nil if faults are disabled.
  private func faultHit(_ index: Int) -> Int? {
    injectsFaults ? hits[index] - faultStarts[index] : nil
  }

  private func response(
    _ script: ResponseScript, _ index: Int, _ fault: ReplayFault.Kind?, before: String?
  ) -> Response {
    let (route, fixture) = (routes[index].route, routes[index].fixture)
    let hit = RouteHit(
      fixture: fixtures[fixture].name, route: route.id, number: hits[index], fault: fault,
      stateBefore: before, stateAfter: sessions[fixture].state)
    return Response(script: script, outcome: .matched(hit))
  }

  /// Resets the hit counts of the routes of these fixtures.
  mutating func forgetHits(of fixtures: Set<Int>) {
    for index in routes.indices where fixtures.contains(routes[index].fixture) {
      (hits[index], faultStarts[index]) = (0, 0)
    }
  }

  /// The closest routes, fewest mismatches first.
  private func nearMisses(_ input: MatchInput) -> [NearMiss] {
    // A route that greets cannot match after a client has sent something.
    let candidates = routes.filter { input.listener != .tcp || $0.route.condition.receive != nil }
    let misses = candidates.map { candidate in
      NearMiss(
        fixture: fixtures[candidate.fixture].name, route: candidate.route.id,
        reasons: candidate.route.condition.mismatches(with: input, state: sessions[candidate.fixture].state))
    }
    let nearest = misses.enumerated().sorted {
      ($0.element.reasons.count, $0.offset) < ($1.element.reasons.count, $1.offset)
    }
    return nearest.prefix(3).map(\.element)
  }

  private static func notFound(isHead: Bool) -> ResponseScript {
    let response = ResponseBytes(
      ComposedResponse(
        status: 404, headers: ["Content-Type: text/plain"],
        body: Array("No route of the replayed fixtures matches this request.\n".utf8)))
    return ResponseScript([.send(isHead ? response.head : response.all)], .keep)
  }
}

/// Changes while the server runs. Indices are those of ``fixtures`` and their routes.
extension ReplayWorld {
  /// Replaces a fixture, which starts from its initial state; the others keep theirs.
  mutating func replace(fixture index: Int, with fixture: Fixture) {
    let first = firstRoute(ofFixture: index)
    let former = first..<(first + fixtures[index].routes.count)
    fixtures[index] = fixture
    sessions[index] = Sessions(fixture, at: clock.now)
    routes.replaceSubrange(former, with: fixture.routes.map { WorldRoute($0, fixture: index) })
    let zeros = Array(repeating: 0, count: fixture.routes.count)
    hits.replaceSubrange(former, with: zeros)
    faultStarts.replaceSubrange(former, with: zeros)
    noteNeeds()
  }

  /// The fault of a route, or nil if it has none.
  func fault(ofRoute route: Int, inFixture index: Int) -> ReplayFault? {
    routes[firstRoute(ofFixture: index) + route].route.fault
  }

  /// Changes the fault of a route; its hits are counted from now on.
  mutating func setFault(_ fault: ReplayFault?, ofRoute route: Int, inFixture index: Int) {
    var changed = fixtures[index].routes[route]
    changed.fault = fault
    let position = firstRoute(ofFixture: index) + route
    routes[position] = WorldRoute(changed, fixture: index)
    faultStarts[position] = hits[position]
  }

  private func firstRoute(ofFixture index: Int) -> Int {
    fixtures[..<index].reduce(0) { $0 + $1.routes.count }
  }
}
