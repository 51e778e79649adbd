import Testing

@testable import FixtureReplay

/// States that are read and changed while the server runs.
@Suite struct StateControlTests {
  private static let page = "GET http://a.example/"
  private static let login = "POST http://a.example/login"

  private static func world(_ owner: SessionRules.Owner?) -> ServerlessWorld {
    ServerlessWorld(SessionTests.portal(owner.map { SessionRules(by: $0) }))
  }

  /// The message of the error that a change throws; nothing may change then.
  private static func mistake(
    _ world: ServerlessWorld, _ change: (inout ReplayWorld) throws(ReplayError) -> Void
  ) -> String {
    var changed = world
    do throws(ReplayError) {
      try change(&changed.world)
      return ""
    } catch {
      #expect(changed.states == world.states)
      return "\(error.code.rawValue): \(error)"
    }
  }

  @Test func theStateOfTheServerIsSet() throws {
    var world = Self.world(nil)
    try world.world.set(state: "open", ofFixture: "portal")
    #expect(world.states == ["all: open"])
    #expect(try world.visit(Self.page) == "204 online open")
    try world.world.reset()
    #expect(try world.visit(Self.page) == "302 redirect captive")
  }

  @Test func theStateOfOneClientIsSet() throws {
    var world = Self.world(.address)
    try world.world.set(state: "open", ofFixture: "portal", client: "192.0.2.1")
    #expect(try world.visit(Self.page) == "204 online open")
    #expect(try world.visit(Self.page, from: "192.0.2.2") == "302 redirect captive")
    try world.world.reset(fixture: "portal", client: "192.0.2.1")
    #expect(try world.visit(Self.page) == "302 redirect captive")
  }

  @Test func theStateOfAllClientsIsSet() throws {
    var world = Self.world(.cookie("sid"))
    _ = try world.visit(Self.page, headers: ["Cookie: sid=1"])
    try world.world.set(state: "open", ofFixture: "portal")
    #expect(try world.visit(Self.page, headers: ["Cookie: sid=1"]) == "204 online open")
    #expect(try world.visit(Self.page, headers: ["Cookie: sid=2"]) == "204 online open")
    try world.world.reset(fixture: "portal")
    #expect(world.states == [])
    #expect(try world.visit(Self.page, headers: ["Cookie: sid=3"]) == "302 redirect captive")
  }

  @Test func aResetRestartsTheCountsOfFaults() throws {
    var fixture = SessionTests.portal(nil)
    fixture.routes[1].fault = ReplayFault(.rstEarly, requests: [1])
    var world = ServerlessWorld(fixture)
    #expect(try world.request(Self.page) == "")
    #expect(try world.request(Self.page) != "")
    try world.world.reset()
    #expect(try world.request(Self.page) == "")
  }

  @Test func missingStatesAreErrors() throws {
    let (server, address) = (Self.world(nil), Self.world(.address))
    #expect(
      Self.mistake(server) { world throws(ReplayError) in
        try world.set(state: "opne", ofFixture: "portal")
      } == "unknownState: there is no state \"opne\": did you mean open?")
    #expect(
      Self.mistake(server) { world throws(ReplayError) in
        try world.set(state: "x", ofFixture: "portal")
      } == "unknownState: there is no state \"x\": use captive or open")
    #expect(
      Self.mistake(server) { world throws(ReplayError) in
        try world.set(state: "open", ofFixture: "hotel")
      } == "notFound: there is no fixture \"hotel\": the server replays portal")
    #expect(
      Self.mistake(server) { world throws(ReplayError) in
        try world.set(state: "open", ofFixture: "portal", client: "192.0.2.1")
      } == "unknownClient: the fixture has one state for all clients: name no client")
    #expect(
      Self.mistake(server) { world throws(ReplayError) in
        try world.reset(client: "192.0.2.1")
      } == "unknownClient: no fixture has a state for each client: name no client")
    #expect(
      Self.mistake(address) { world throws(ReplayError) in
        try world.set(state: "open", ofFixture: "portal", client: "laptop")
      } == "unknownClient: \"laptop\" is not an address: name the client by its address, such as 192.0.2.7")
    let plain = ServerlessWorld(Fixture(name: "plain", routes: []))
    #expect(
      Self.mistake(plain) { world throws(ReplayError) in
        try world.set(state: "open", ofFixture: "plain")
      } == "unknownState: the fixture \"plain\" has no states")
    #expect(plain.world.states == [])
  }
}
