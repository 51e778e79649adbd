/// The state of a running server: the state of each fixture, the hit counts of the routes, and so what to
/// answer.
///
/// It does no I/O: it receives one request at a time, and returns the script to play.
struct ReplayWorld {
  /// What to do, and why.
  struct Reply {
    /// What the connection does.
    var script: AnswerScript
    /// The reason, for the journal.
    var outcome: JournalEntry.Outcome
  }

  private(set) var fixtures: [Fixture]
  private var routes: [WorldRoute]
  private var states: [String?]
  private var hits: [Int]
  /// For each route, the number of its hits when its fault was changed; the fault counts from there.
  private var faultStarts: [Int]
  /// Whether routes have their faults.
  var injectsFaults = true

  /// Combines fixtures: their routes are tried in the order given, and each fixture has its own state.
  init(_ fixtures: [Fixture]) {
    self.fixtures = fixtures
    routes = fixtures.enumerated().flatMap { index, fixture in
      fixture.routes.map { WorldRoute($0, fixture: index) }
    }
    states = fixtures.map(\.initialState)
    hits = Array(repeating: 0, count: routes.count)
    faultStarts = hits
  }

  /// What to answer a request.
  mutating func answer(_ input: MatchInput) -> Reply {
    if let index = routes.indices.first(where: { routes[$0].matches(input) && isInState(routes[$0]) }) {
      return hit(index, isHead: input.head?.isHead ?? false)
    }
    return Reply(
      script: Self.notFound(isHead: input.head?.isHead ?? false), outcome: .unmatched(nearMisses(input)))
  }

  /// The greeting for a client that has just connected over plain TCP, or nil if the client speaks first.
  mutating func greeting(_ input: MatchInput) -> Reply? {
    let index = routes.indices.first { index in
      let condition = routes[index].route.condition
      return condition.receive == nil && isInState(routes[index]) && condition.matches(input)
    }
    return index.map { hit($0, isHead: false) }
  }

  /// Whether a route receives bytes that start with this one.
  func receivesBytes(startingWith byte: UInt8) -> Bool {
    routes.contains { $0.route.condition.receive?.pattern.utf8.first == byte }
  }

  /// The reply of a plain TCP connection to the received bytes.
  ///
  /// - Parameters:
  ///   - turns: The received bytes; those that are answered, or never will be, are removed.
  ///   - input: The listener and the destination.
  /// - Returns: The reply and the bytes it answers, or nil if more bytes are needed.
  mutating func turn(_ turns: inout TCPTurns, _ input: MatchInput) -> (reply: Reply, received: [UInt8])? {
    let candidates = routes.indices.filter { index in
      routes[index].route.condition.receive != nil && isInState(routes[index])
        && routes[index].route.condition.matches(input)
    }
    let patterns = candidates.compactMap { routes[$0].route.condition.receive }
    switch turns.next(among: patterns) {
    case .needsMore: return nil
    case .matched(let position, let bytes): return (hit(candidates[position], isHead: false), bytes)
    case .unmatched(let bytes):
      var input = input
      input.received = bytes[...]
      return (Reply(script: AnswerScript([], .keep), outcome: .unmatched(nearMisses(input))), bytes)
    }
  }
}

extension ReplayWorld {
  private func isInState(_ candidate: WorldRoute) -> Bool {
    guard let state = candidate.route.condition.state else { return true }
    return states[candidate.fixture] == state
  }

  private mutating func hit(_ index: Int, isHead: Bool) -> Reply {
    let route = routes[index]
    hits[index] += 1
    let (script, fault) = route.script(
      hit: injectsFaults ? hits[index] - faultStarts[index] : nil, isHead: isHead)
    let before = states[route.fixture]
    if let next = route.route.goto { states[route.fixture] = next }
    let hit = RouteHit(
      fixture: fixtures[route.fixture].name, route: route.route.id, number: hits[index], fault: fault,
      stateBefore: before, stateAfter: states[route.fixture])
    return Reply(script: script, outcome: .answered(hit))
  }

  /// The closest routes, fewest mismatches first.
  private func nearMisses(_ input: MatchInput) -> [NearMiss] {
    // A route that greets cannot match after a client has sent something.
    let candidates = routes.filter { input.listener != .tcp || $0.route.condition.receive != nil }
    let misses = candidates.map { candidate in
      NearMiss(
        fixture: fixtures[candidate.fixture].name, route: candidate.route.id,
        reasons: candidate.route.condition.mismatches(with: input, state: states[candidate.fixture]))
    }
    let nearest = misses.enumerated().sorted {
      ($0.element.reasons.count, $0.offset) < ($1.element.reasons.count, $1.offset)
    }
    return nearest.prefix(3).map(\.element)
  }

  private static func notFound(isHead: Bool) -> AnswerScript {
    let answer = AnswerBytes(
      ComposedResponse(
        status: 404, headers: ["Content-Type: text/plain"],
        body: Array("No route of the replayed fixtures matches this request.\n".utf8)))
    return AnswerScript([.send(isHead ? answer.head : answer.all)], .keep)
  }
}

/// Changes while the server runs. Indices are those of ``fixtures`` and their routes.
extension ReplayWorld {
  /// The current state of a fixture, or nil if it has no states.
  func state(ofFixture index: Int) -> String? { states[index] }

  /// Changes the state of a fixture.
  mutating func setState(_ state: String?, ofFixture index: Int) { states[index] = state }

  /// Replaces a fixture, which starts from its initial state; the others keep theirs.
  mutating func replace(fixture index: Int, with fixture: Fixture) {
    let first = firstRoute(ofFixture: index)
    let former = first..<(first + fixtures[index].routes.count)
    fixtures[index] = fixture
    states[index] = fixture.initialState
    routes.replaceSubrange(former, with: fixture.routes.map { WorldRoute($0, fixture: index) })
    let zeros = Array(repeating: 0, count: fixture.routes.count)
    hits.replaceSubrange(former, with: zeros)
    faultStarts.replaceSubrange(former, with: zeros)
  }

  /// The fault of a route, or nil if it has none.
  func fault(ofRoute route: Int, inFixture index: Int) -> ReplayFault? {
    routes[firstRoute(ofFixture: index) + route].route.fault
  }

  /// Changes the fault of a route; its hits are counted from now on.
  mutating func setFault(_ fault: ReplayFault?, ofRoute route: Int, inFixture index: Int) {
    var changed = fixtures[index].routes[route]
    changed.fault = fault
    let place = firstRoute(ofFixture: index) + route
    routes[place] = WorldRoute(changed, fixture: index)
    faultStarts[place] = hits[place]
  }

  private func firstRoute(ofFixture index: Int) -> Int {
    fixtures[..<index].reduce(0) { $0 + $1.routes.count }
  }
}

/// A route with its prebuilt scripts, which are not built again for every request.
final class WorldRoute: Sendable {
  /// The route as declared in its fixture.
  let route: ReplayRoute
  /// The index of its fixture.
  let fixture: Int
  /// Whether it matches every HTTP and HTTPS request in any state.
  let isCatchAll: Bool
  /// The pattern for the host; checked first, because most routes of a large fixture are for another host.
  private let host: Glob?
  private let listener: ReplayListener?
  private let plain: AnswerScript
  private let plainHead: AnswerScript
  private let faulty: AnswerScript?
  private let faultyHead: AnswerScript?

  init(_ route: ReplayRoute, fixture: Int) {
    self.route = route
    self.fixture = fixture
    let condition = route.condition
    isCatchAll =
      condition.state == nil && condition.headers.isEmpty && condition.receive == nil
      && [condition.method, condition.host, condition.port, condition.path].allSatisfy {
        $0?.matchesAll ?? true
      }
    (host, listener) = (condition.host, condition.listener)
    let isTCP = condition.isForListener(.tcp)
    let kind: ScriptWriter.RequestKind = isTCP ? .tcp : .request
    let isForHead = condition.method?.pattern == "HEAD"
    let headKind: ScriptWriter.RequestKind = isTCP ? .tcp : isForHead ? .request : .headRequest
    plain = ScriptWriter.script(for: route, fault: nil, kind: kind)
    plainHead = ScriptWriter.script(for: route, fault: nil, kind: headKind)
    faulty = route.fault.map { ScriptWriter.script(for: route, fault: $0, kind: kind) }
    faultyHead = route.fault.map { ScriptWriter.script(for: route, fault: $0, kind: headKind) }
  }

  /// Whether a request on an HTTP connection matches, ignoring the state.
  func matches(_ input: MatchInput) -> Bool {
    if isCatchAll { return listener.map { $0 == input.listener } ?? (input.listener != .tcp) }
    if let host, let found = input.hostBytes, !host.matches(found) { return false }
    return route.condition.receive == nil && route.condition.matches(input)
  }

  /// What a connection does for the hit with this number, or for one without faults.
  func script(hit: Int?, isHead: Bool) -> (script: AnswerScript, fault: ReplayFault.Kind?) {
    if let hit, let fault = route.fault, fault.applies(toHit: hit), let script = isHead ? faultyHead : faulty
    {
      return (script, fault.kind)
    }
    return (isHead ? plainHead : plain, nil)
  }
}
