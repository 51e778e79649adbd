/// What a server's run remembers, and what it answers: the states of its fixtures, and how often each route was hit.
///
/// It does no I/O: it is told of requests, one at a time, and says what to do.
struct ReplayWorld {
  /// What is to be done, and why.
  struct Reply {
    /// What the connection does.
    var script: AnswerScript
    /// Why, for the journal.
    var outcome: JournalEntry.Outcome
  }

  private let fixtures: [Fixture]
  private let routes: [WorldRoute]
  private var states: [String?]
  private var hits: [Int]

  /// Several fixtures are one world: their routes are tried in the order given, and each keeps a state of its own.
  init(_ fixtures: [Fixture]) {
    self.fixtures = fixtures
    routes = fixtures.enumerated().flatMap { index, fixture in
      fixture.routes.map { WorldRoute($0, fixture: index) }
    }
    states = fixtures.map(\.initialState)
    hits = Array(repeating: 0, count: routes.count)
  }

  /// What to answer a request.
  mutating func answer(_ input: MatchInput) -> Reply {
    if let index = routes.indices.first(where: { routes[$0].matches(input) && isInState(routes[$0]) }) {
      return hit(index, isHead: input.head?.isHead ?? false)
    }
    return Reply(
      script: Self.notFound(isHead: input.head?.isHead ?? false), outcome: .unmatched(nearMisses(input)))
  }

  /// What to say to a client that has just connected over plain TCP, or nil when the client speaks first.
  mutating func greeting(_ input: MatchInput) -> Reply? {
    let index = routes.indices.first { index in
      let condition = routes[index].route.condition
      return condition.receive == nil && isInState(routes[index]) && condition.matches(input)
    }
    return index.map { hit($0, isHead: false) }
  }

  /// What a plain TCP connection does with what has come so far.
  ///
  /// - Parameters:
  ///   - turns: What has come; what is answered, or will never be, is taken from it.
  ///   - input: The listener and the destination.
  /// - Returns: The reply and the bytes it is to, or nil when more must come.
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
    let (script, fault) = route.script(hit: hits[index], isHead: isHead)
    let before = states[route.fixture]
    if let next = route.route.goto { states[route.fixture] = next }
    let hit = RouteHit(
      fixture: fixtures[route.fixture].name, route: route.route.id, number: hits[index], fault: fault,
      stateBefore: before, stateAfter: states[route.fixture])
    return Reply(script: script, outcome: .answered(hit))
  }

  /// The routes that come nearest, those with the fewest mismatches first.
  private func nearMisses(_ input: MatchInput) -> [NearMiss] {
    // A route that greets is done once a client has said something.
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
        body: Array("No route of the replayed fixtures is for this request.\n".utf8)))
    return AnswerScript([.send(isHead ? answer.head : answer.all)], .keep)
  }
}

/// A route made ready: its scripts are written once, not for every request.
final class WorldRoute: Sendable {
  /// The route as its fixture has it.
  let route: ReplayRoute
  /// The position of its fixture.
  let fixture: Int
  /// Whether every request to one of the listeners http and https matches, whatever the state.
  let isCatchAll: Bool
  /// What the host of a request must be like; input first, because most routes of a large fixture are for another one.
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

  /// Whether a request on an HTTP connection fits, apart from the state.
  func matches(_ input: MatchInput) -> Bool {
    if isCatchAll { return listener.map { $0 == input.listener } ?? (input.listener != .tcp) }
    if let host, let found = input.hostBytes, !host.matches(found) { return false }
    return route.condition.receive == nil && route.condition.matches(input)
  }

  /// What a connection does for the route's hit with this number.
  func script(hit: Int, isHead: Bool) -> (script: AnswerScript, fault: ReplayFault.Kind?) {
    if let fault = route.fault, fault.applies(toHit: hit), let script = isHead ? faultyHead : faulty {
      return (script, fault.kind)
    }
    return (isHead ? plainHead : plain, nil)
  }
}
