package import FixtureReplay
package import ProbeServer
import ProbeCore
import SourceDocuments
package import ProbeBase

/// The interface for other programs to control a replay: JSON over HTTP.
package struct ControlService: Sendable {
  let server: ReplayServer
  let token: ControlToken
  /// The clock that measures waits.
  var clock: any Clock<Duration> = ContinuousClock()

  package init(
    server: ReplayServer,
    token: ControlToken,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.server = server
    self.token = token
    self.clock = clock
  }

  /// Starts the service.
  ///
  /// - Throws: `InvalidInput` if it cannot listen.
  package func start(on address: HTTPService.Address) throws(InvalidInput) -> HTTPService {
    var options = HTTPServiceOptions()
    options.maximumBody = ControlFixture.maximumBody
    options.maximumConnections = 16
    options.admission = { [token] in token.isIn($0.field("authorization")) ? nil : Self.noToken }
    options.failureResponse = Self.response(for:)
    let routes = routes
    return try HTTPService(on: address, options: options) { (request) throws(HTTPServiceFailure) in
      try await routes.response(to: request)
    }
  }

  private static var noToken: HTTPServiceFailure {
    var failure = HTTPServiceFailure(
      status: 401, "the token is missing or wrong", remedy: "send Authorization: Bearer TOKEN")
    failure.fields = ["WWW-Authenticate: Bearer"]
    return failure
  }

  package static func response(for failure: HTTPServiceFailure) -> HTTPServiceResponse {
    HTTPServiceResponse(status: failure.status, fields: failure.fields, json: ControlErrorRecord(failure))
  }

  package var routes: HTTPRoutes {
    var routes = HTTPRoutes()
    addOverview(to: &routes)
    addStates(to: &routes)
    addRequests(to: &routes)
    addFixtures(to: &routes)
    addListeners(to: &routes)
    addFaults(to: &routes)
    return routes
  }

  /// Performs an action on the server; its errors become responses.
  func perform<Value>(_ body: () throws(ReplayError) -> Value) throws(HTTPServiceFailure) -> Value {
    do throws(ReplayError) {
      return try body()
    } catch {
      let status =
        switch error.code {
        case .notFound: 404
        case .unknownState, .unknownClient, .unfitFault: 422
        case .conflict: 409
        default: 503
        }
      throw HTTPServiceFailure(status: status, error.message, remedy: error.remedy)
    }
  }
}

extension ControlService {
  private struct Overview: Encodable {
    struct FixtureRecord: Encodable {
      let name: String
      let states: [String]
      let routes: [String]
    }

    let schema = 1
    let version: String
    let fixtures: [FixtureRecord]
    let listeners: [String: ListenerRecord]
    let ca: String
  }

  private func addOverview(to routes: inout HTTPRoutes) {
    routes.add("GET", "/v1") { (_, _) throws(HTTPServiceFailure) in
      let fixtures = server.fixtures.map {
        Overview.FixtureRecord(name: $0.name, states: $0.stateNames, routes: $0.routes.map(\.id))
      }
      return HTTPServiceResponse(
        json: Overview(
          version: probeKitVersion, fixtures: fixtures, listeners: listeners, ca: server.authorityPEM))
    }
  }
}

/// States.
extension ControlService {
  private func addStates(to routes: inout HTTPRoutes) {
    @Sendable func state(of name: String) throws(HTTPServiceFailure) -> HTTPServiceResponse {
      // This throws if there is no such fixture.
      let state = try perform { () throws(ReplayError) in try server.state(of: name) }
      let states = try perform { () throws(ReplayError) in try server.states() }
      let record = ControlStateRecord(fixture: name, state: state, of: states.first { $0.fixture == name })
      return HTTPServiceResponse(json: record)
    }
    routes.add("GET", "/v1/states") { (_, _) throws(HTTPServiceFailure) in
      let states = try perform { () throws(ReplayError) in try server.states() }
      var records: [ControlStateRecord] = []
      for name in server.fixtures.map(\.name) {
        let state = try perform { () throws(ReplayError) in try server.state(of: name) }
        records.append(
          ControlStateRecord(fixture: name, state: state, of: states.first { $0.fixture == name }))
      }
      return HTTPServiceResponse(json: ["states": records])
    }
    routes.add("GET", "/v1/states/*") { (_, names) throws(HTTPServiceFailure) in try state(of: names[0]) }
    routes.add("PUT", "/v1/states/*") { (request, names) throws(HTTPServiceFailure) in
      let wanted = try request.read("the body", ControlState.reader)
      try perform { () throws(ReplayError) in
        try server.setState(wanted.state, of: names[0], client: wanted.client)
      }
      return try state(of: names[0])
    }
    routes.add("DELETE", "/v1/states/*") { (request, names) throws(HTTPServiceFailure) in
      let client = try request.client
      try perform { () throws(ReplayError) in try server.resetState(of: names[0], client: client) }
      return try state(of: names[0])
    }
  }
}

extension HTTPServiceRequest {
  /// The client that the query names, or nil for all clients.
  fileprivate var client: String? {
    get throws(HTTPServiceFailure) {
      if let other = query.first(where: { $0.name != "client" }) {
        throw HTTPServiceFailure(
          status: 400, "there is no parameter \(Excerpt(other.name))", remedy: "use client, or omit it")
      }
      return query.first?.value
    }
  }
}

/// The journal.
extension ControlService {
  private struct RequestList: Encodable {
    let requests: [ControlRequestRecord]
    /// The number to pass as `since` for the following requests.
    let last: Int
  }

  private func addRequests(to routes: inout HTTPRoutes) {
    routes.add("GET", "/v1/requests") { (request, _) throws(HTTPServiceFailure) in
      let query = try ControlQuery(request.query)
      let written = server.journal.count
      let found = await query.wait(on: server.journal, clock: clock)
      let shown = found.prefix(query.limit)
      let last = shown.count < found.count ? shown.last?.number : found.last?.number
      return HTTPServiceResponse(
        json: RequestList(
          requests: shown.map(ControlRequestRecord.init), last: last ?? max(written, query.since)))
    }
    routes.add("DELETE", "/v1/requests") { (_, _) throws(HTTPServiceFailure) in
      let last = server.journal.count
      server.journal.clear()
      return HTTPServiceResponse(json: RequestList(requests: [], last: last))
    }
  }
}

/// Fixtures.
extension ControlService {
  private struct Replaced: Encodable {
    let fixture: String
    let warnings: [FindingRecord]
  }

  private func addFixtures(to routes: inout HTTPRoutes) {
    routes.add("PUT", "/v1/fixtures/*") { (request, names) throws(HTTPServiceFailure) in
      let name = names[0]
      let loaded = try ControlFixture(request).loaded
      guard let fixture = loaded.fixture else {
        return HTTPServiceResponse(
          status: 422, json: ControlErrorRecord(loaded.findings, of: "the fixture"))
      }
      guard fixture.name == name else {
        throw HTTPServiceFailure(
          status: 409, "the fixture's name is \(Excerpt(fixture.name)), not \(Excerpt(name))",
          remedy: "use the same name in both places")
      }
      try perform { () throws(ReplayError) in try server.replace(name, with: fixture) }
      return HTTPServiceResponse(
        json: Replaced(fixture: name, warnings: loaded.warnings.map(FindingRecord.init)))
    }
  }
}

/// Listeners.
extension ControlService {
  struct ListenerRecord: Encodable {
    let address: String
    let mode: String
  }

  private func record(_ listener: ReplayListener) -> ListenerRecord {
    ListenerRecord(address: "\(server.address(of: listener))", mode: server.mode(of: listener).rawValue)
  }

  private var listeners: [String: ListenerRecord] {
    Dictionary(uniqueKeysWithValues: ReplayListener.allCases.map { ($0.rawValue, record($0)) })
  }

  private func listener(_ name: String) throws(HTTPServiceFailure) -> ReplayListener {
    if let listener = ReplayListener(rawValue: name) { return listener }
    throw HTTPServiceFailure(
      status: 404, "there is no listener \(Excerpt(name))",
      remedy: "use \(ReplayListener.allCases.map(\.rawValue).alternatives)")
  }

  private func addListeners(to routes: inout HTTPRoutes) {
    routes.add("GET", "/v1/listeners") { (_, _) throws(HTTPServiceFailure) in
      HTTPServiceResponse(json: ["listeners": listeners])
    }
    routes.add("PUT", "/v1/listeners/*") { (request, names) throws(HTTPServiceFailure) in
      let listener = try listener(names[0])
      let mode = try request.read("the body", .controlMode)
      try perform { () throws(ReplayError) in try server.setMode(mode, of: listener) }
      return HTTPServiceResponse(json: record(listener))
    }
    routes.add("DELETE", "/v1/listeners/*") { (_, names) throws(HTTPServiceFailure) in
      let listener = try listener(names[0])
      try perform { () throws(ReplayError) in try server.setMode(nil, of: listener) }
      return HTTPServiceResponse(json: record(listener))
    }
  }
}

/// Faults.
extension ControlService {
  private struct RouteFault: Encodable {
    private enum Key: CodingKey { case fixture, route, fault }

    let fixture: String
    let route: String
    let fault: ReplayFault?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(fixture, forKey: .fixture)
      try container.encode(route, forKey: .route)
      try container.encode(fault.map(ControlFaultRecord.init), forKey: .fault)
    }
  }

  private func addFaults(to routes: inout HTTPRoutes) {
    routes.add("GET", "/v1/faults") { (_, _) throws(HTTPServiceFailure) in
      let enabled = try perform { () throws(ReplayError) in try server.injectsFaults() }
      return HTTPServiceResponse(json: ["enabled": enabled])
    }
    routes.add("PUT", "/v1/faults") { (request, _) throws(HTTPServiceFailure) in
      let enabled = try request.read("the body", .controlFaults)
      try perform { () throws(ReplayError) in try server.setInjectsFaults(enabled) }
      return HTTPServiceResponse(json: ["enabled": enabled])
    }
    @Sendable func fault(_ names: [String]) throws(HTTPServiceFailure) -> HTTPServiceResponse {
      let fault = try perform { () throws(ReplayError) in try server.fault(of: names[1], in: names[0]) }
      return HTTPServiceResponse(json: RouteFault(fixture: names[0], route: names[1], fault: fault))
    }
    routes.add("GET", "/v1/faults/*/*") { (_, names) throws(HTTPServiceFailure) in try fault(names) }
    routes.add("PUT", "/v1/faults/*/*") { (request, names) throws(HTTPServiceFailure) in
      let isNull = request.body.filter { !" \t\r\n".utf8.contains($0) }.elementsEqual("null".utf8)
      let wanted = isNull ? nil : try request.read("the fault", ReplayFault.reader)
      try perform { () throws(ReplayError) in try server.setFault(wanted, of: names[1], in: names[0]) }
      return try fault(names)
    }
    routes.add("DELETE", "/v1/faults/*/*") { (_, names) throws(HTTPServiceFailure) in
      try perform { () throws(ReplayError) in try server.resetFault(of: names[1], in: names[0]) }
      return try fault(names)
    }
  }
}
