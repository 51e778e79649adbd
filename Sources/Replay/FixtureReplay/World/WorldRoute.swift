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
  private let template: ResponseTemplate?
  private let kind: ScriptWriter.RequestKind
  private let headKind: ScriptWriter.RequestKind
  private let plain: ResponseScript
  private let plainHead: ResponseScript
  private let faulty: ResponseScript?
  private let faultyHead: ResponseScript?

  init(_ route: ReplayRoute, fixture: Int) {
    self.route = route
    self.fixture = fixture
    let condition = route.condition
    isCatchAll =
      condition.state == nil && condition.headers.isEmpty && condition.receive == nil && !condition.hasFields
      && [condition.method, condition.host, condition.port, condition.path].allSatisfy {
        $0?.matchesAll ?? true
      }
    (host, listener) = (condition.host, condition.listener)
    let isTCP = condition.isForListener(.tcp)
    let kind: ScriptWriter.RequestKind = isTCP ? .tcp : .request
    let isForHead = condition.method?.pattern == "HEAD"
    let headKind: ScriptWriter.RequestKind = isTCP ? .tcp : isForHead ? .request : .headRequest
    (self.kind, self.headKind) = (kind, headKind)
    template = route.template
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

  /// Whether it needs the fields of the query or the form.
  var needsFields: Bool {
    route.condition.hasFields
      || template?.variables.contains { variable in
        switch variable {
        case .query, .form: true
        default: false
        }
      } ?? false
  }

  /// The script of a connection for the hit with this number.
  ///
  /// - Parameters:
  ///   - hit: The number of the hit.
  ///   - isHead: Whether the method is HEAD.
  ///   - field: A header field line to add, or nil.
  ///   - values: The values of variables, or nil if there are none.
  /// - Returns: The script, and the fault in it.
  func script(
    hit: Int?, isHead: Bool, adding field: String? = nil, _ values: TemplateValues? = nil
  ) -> (script: ResponseScript, fault: ReplayFault.Kind?) {
    if let template, let values {
      let response = ReplayResponse.respond(template.filled(with: values.value(of:)))
      return changed(field.map(response.adding) ?? response, hit: hit, isHead: isHead)
    }
    if let field { return changed(route.response?.adding(field), hit: hit, isHead: isHead) }
    if let hit, let fault = route.fault, fault.applies(toHit: hit), let script = isHead ? faultyHead : faulty
    {
      return (script, fault.kind)
    }
    return (isHead ? plainHead : plain, nil)
  }

  private func changed(
    _ response: ReplayResponse?, hit: Int?, isHead: Bool
  ) -> (script: ResponseScript, fault: ReplayFault.Kind?) {
    var route = route
    route.response = response
    let fault = route.fault.flatMap { fault in hit.map(fault.applies) ?? false ? fault : nil }
    let kind: ScriptWriter.RequestKind = isHead ? headKind : kind
    return (ScriptWriter.script(for: route, fault: fault, kind: kind), fault?.kind)
  }
}
