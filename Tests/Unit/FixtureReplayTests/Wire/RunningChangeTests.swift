import FixtureReplay
import TestClients
import Testing

/// Changes of a running server: every call takes effect before it returns.
@Suite struct RunningChangeTests {
  private static let portal = Fixture(
    name: "portal", initialState: "captive",
    routes: [
      ReplayRoute(
        "login", when: RouteCondition(state: "captive", method: "POST"),
        response: .respond(ComposedResponse(status: 303)), goto: "open"),
      ReplayRoute(
        "redirect", when: RouteCondition(state: "captive"), response: Page.response),
      ReplayRoute("page", response: .respond(ComposedResponse(status: 200, body: Array("hello".utf8)))),
    ])

  private static var faultyPortal: Fixture {
    var fixture = portal
    fixture.routes[1].fault = ReplayFault(.emptyFin)
    return fixture
  }

  private static let shop = Fixture(
    name: "shop", initialState: "closed",
    routes: [
      ReplayRoute(
        "open", when: RouteCondition(state: "closed", host: "shop"),
        response: .respond(ComposedResponse(status: 201)), goto: "sold"),
      ReplayRoute(
        "sold", when: RouteCondition(state: "sold", host: "shop"),
        response: .respond(ComposedResponse(status: 410))),
    ])

  /// The status of the response to a request on an open connection, or how it ended.
  private static func status(_ client: RawClient, host: String = "wire.example") -> String {
    do {
      try client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      let part = client.receivePart()
      return part.bytes.isEmpty ? "\(part.ending)" : String(part.text.dropFirst(9).prefix(3))
    } catch {
      return "\(error)"
    }
  }

  @Test func aStateIsSetReadAndReset() async throws {
    let seen = try await serving([Self.portal]) { server in
      let client = try server.client()
      var seen = [Self.status(client), try server.state(of: "portal") ?? "-"]
      try server.setState("open", of: "portal")
      seen += [Self.status(client), try server.state(of: "portal") ?? "-"]
      try server.resetState(of: "portal")
      return seen + [Self.status(client), try server.state(of: "portal") ?? "-"]
    }
    #expect(seen == ["302", "captive", "200", "open", "302", "captive"])
  }

  @Test func unknownNamesChangeNothing() async throws {
    let seen = try await serving([Self.portal, Fixture(name: "plain", routes: [])]) { server in
      var errors: [String] = []
      func note(_ body: () throws(ReplayError) -> Void) {
        do throws(ReplayError) { try body() } catch { errors.append("\(error.code.rawValue): \(error)") }
      }
      note { () throws(ReplayError) in try server.setState("opne", of: "portal") }
      note { () throws(ReplayError) in try server.setState("open", of: "portl") }
      note { () throws(ReplayError) in try server.setState("open", of: "plain") }
      note { () throws(ReplayError) in try server.setFault(ReplayFault(.garbage), of: "logn", in: "portal") }
      note { () throws(ReplayError) in try server.replace("shop", with: Self.shop) }
      return (errors, try server.state(of: "portal"), try server.state(of: "plain"))
    }
    #expect(
      seen.0 == [
        #"unknownState: there is no state "opne": did you mean open?"#,
        #"notFound: there is no fixture "portl": did you mean portal?"#,
        #"unknownState: the fixture "plain" has no states"#,
        #"notFound: the fixture portal has no route "logn": use login, redirect or page"#,
        #"notFound: there is no fixture "shop": use portal or plain"#,
      ])
    #expect(seen.1 == "captive")
    #expect(seen.2 == nil)
  }

  @Test func oneFixtureIsReplacedAndTheOthersKeepTheirStates() async throws {
    let seen = try await serving([Self.shop, Self.portal]) { server in
      let client = try server.client()
      var seen = [Self.status(client, host: "shop"), Self.status(client, host: "shop")]
      try server.setState("open", of: "portal")
      var other = Self.portal
      other.routes[2].response = .respond(ComposedResponse(status: 202))
      try server.replace("portal", with: other)
      seen += [Self.status(client, host: "shop"), Self.status(client)]
      try server.setState("open", of: "portal")
      return seen + [Self.status(client), server.fixtures.map(\.name).joined(separator: " ")]
    }
    #expect(seen == ["201", "410", "410", "302", "202", "shop portal"])
  }

  /// From every mode to every other one, on the same port: of a listener, and of a destination's own.
  @Test(arguments: ListenerMode.allCases)
  func aListenerChangesItsMode(from first: ListenerMode) async throws {
    let seen = try await serving([Self.portal]) { server in
      let shared = server.port(of: .http)
      let own = try server.assignPort(for: .http, host: "wire.example", port: 80)
      var seen: [String] = []
      for second in ListenerMode.allCases {
        try server.setMode(first, of: .http)
        try server.setMode(second, of: .http)
        seen += ["\(server.mode(of: .http))"]
        seen += [shared, own].map { Self.seen(port: $0, silent: second == .hold) }
      }
      try server.setMode(nil, of: .http)
      return seen + [Self.seen(port: server.port(of: .http), silent: false)]
    }
    let each = ListenerMode.allCases.flatMap { ["\($0)", Self.expected($0), Self.expected($0)] }
    #expect(seen == each + ["302"])
  }

  private static func expected(_ mode: ListenerMode) -> String {
    switch mode {
    case .open: "302"
    case .refused: "refused"
    case .blackhole: "no connection"
    case .rst: "reset"
    case .hold: "silence"
    }
  }

  private static func seen(port: UInt16, silent: Bool) -> String {
    if RawClient.isStillConnecting(port: port, after: .milliseconds(30)) { return "no connection" }
    do throws(RawClient.Failure) {
      let client = try RawClient(port: port)
      try client.send(Array(plainRequest.utf8))
      let part = client.receivePart(within: silent ? .milliseconds(60) : RawClient.patience)
      return part.bytes.isEmpty ? "\(part.ending)" : String(part.text.dropFirst(9).prefix(3))
    } catch {
      switch error {
      case .connectionReset: return "reset"
      case .timedOut: return "no connection"
      // EPIPE: the reset arrived before the request was sent.
      case .system(let code): return code == 111 ? "refused" : code == 32 ? "reset" : "\(code)"
      }
    }
  }

  @Test(arguments: [
    (ListenerMode.refused, RawClient.Ending.reset), (.rst, .reset), (.hold, .silence), (.blackhole, .silence),
  ])
  func openConnectionsEndAccordingToTheMode(_ mode: ListenerMode, _ ending: RawClient.Ending) async throws {
    let seen = try await serving([Self.portal]) { server in
      let client = try server.client()
      let first = Self.status(client)
      try server.setMode(mode, of: .http)
      // Sending to a reset connection would be the first to see the reset.
      if ending == .silence { try client.send(plainRequest) }
      let after = client.receive(within: ending == .silence ? .milliseconds(60) : RawClient.patience).ending
      // Other listeners are not affected.
      return (first, after, server.journal.count, server.mode(of: .https))
    }
    #expect(seen.0 == "302")
    #expect(seen.1 == ending)
    #expect(seen.2 == 1)
    #expect(seen.3 == .open)
  }

  @Test func aModeOutlastsAReplacement() async throws {
    let seen = try await serving([Self.portal]) { server in
      try server.setMode(.refused, of: .http)
      try server.replace(with: [Self.portal])
      let isRefused = RawClient.refuses(port: server.port(of: .http))
      try server.setMode(nil, of: .http)
      return (isRefused, Self.seen(port: server.port(of: .http), silent: false))
    }
    #expect(seen.0)
    #expect(seen.1 == "302")
  }

  @Test func aFaultIsSetRemovedAndReset() async throws {
    let fixture = Self.faultyPortal
    let seen = try await serving([fixture]) { server in
      func once() throws -> String { Self.status(try server.client()) }
      var seen = [try once()]
      try server.setFault(nil, of: "redirect", in: "portal")
      seen.append(try once())
      // The hits are counted from here: the next request is the first.
      try server.setFault(ReplayFault(.rstEarly, requests: [2]), of: "redirect", in: "portal")
      seen += [try once(), try once(), try once()]
      try server.resetFault(of: "redirect", in: "portal")
      seen.append(try once())
      return (seen, try server.fault(of: "redirect", in: "portal")?.kind)
    }
    #expect(seen.0 == ["fin", "302", "302", "reset", "302", "fin"])
    #expect(seen.1 == .emptyFin)
  }

  @Test func allFaultsAreTurnedOffAndOn() async throws {
    let fixture = Self.faultyPortal
    let seen = try await serving([fixture]) { server in
      func once() throws -> String { Self.status(try server.client()) }
      var seen = [try once()]
      try server.setInjectsFaults(false)
      seen.append(try once())
      // Replaced fixtures have none either.
      try server.replace(with: [fixture])
      seen.append(try once())
      try server.setInjectsFaults(true)
      return (seen + [try once()], try server.injectsFaults())
    }
    #expect(seen.0 == ["fin", "302", "302", "fin"])
    #expect(seen.1)
  }

  @Test(arguments: [
    (ReplayFault(.shortBody), "login", "the fault short-body needs a response with a body: add a body"),
    (
      ReplayFault(.shortBody, bytes: 5), "page",
      "the response is shorter: short-body can have at most 4 bytes, its body less one byte: use a smaller number"
    ),
  ])
  func aFaultThatDoesNotFitIsRefused(_ fault: ReplayFault, _ route: String, _ message: String) async throws {
    let error = try await serving([Self.portal]) { server -> ReplayError? in
      do throws(ReplayError) {
        try server.setFault(fault, of: route, in: "portal")
        return nil
      } catch {
        return error
      }
    }
    #expect(error?.code == .unfitFault)
    #expect(error?.description == message)
  }

  @Test func aStoppedServerReportsIt() throws {
    let server = try ReplayServer([Self.portal])
    server.stop()
    let errors = [
      #expect(throws: ReplayError.self) { try server.setState("open", of: "portal") },
      #expect(throws: ReplayError.self) { try server.setMode(.refused, of: .http) },
      #expect(throws: ReplayError.self) { try server.replace(with: [Self.portal]) },
      #expect(throws: ReplayError.self) { try server.injectsFaults() },
    ]
    #expect(errors.map { $0?.code } == Array(repeating: .stopped, count: 4))
  }
}
