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
    let asker: ScriptWriter.Asker = isTCP ? .tcp : .request
    let isForHead = condition.method?.pattern == "HEAD"
    let headAsker: ScriptWriter.Asker = isTCP ? .tcp : isForHead ? .request : .headRequest
    plain = ScriptWriter.script(for: route, fault: nil, asker: asker)
    plainHead = ScriptWriter.script(for: route, fault: nil, asker: headAsker)
    faulty = route.fault.map { ScriptWriter.script(for: route, fault: $0, asker: asker) }
    faultyHead = route.fault.map { ScriptWriter.script(for: route, fault: $0, asker: headAsker) }
  }

  /// Whether a request on an HTTP connection fits, apart from the state.
  func matches(_ input: MatchInput) -> Bool {
    if isCatchAll { return listener.map { $0 == input.listener } ?? (input.listener != .tcp) }
    if let host, let found = input.hostBytes, !host.matches(found) { return false }
    return route.condition.receive == nil && route.condition.matches(input)
  }

  /// What a connection does for the route's hit with this number.
  func script(hit: Int, isHead: Bool) -> (script: AnswerScript, fault: ReplayFault.Kind?) {
    if let fault = route.fault, fault.befalls(hit: hit), let script = isHead ? faultyHead : faulty {
      return (script, fault.kind)
    }
    return (isHead ? plainHead : plain, nil)
  }
}
