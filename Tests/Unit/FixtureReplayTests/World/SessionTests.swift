import ProbeCore
import Testing

@testable import FixtureReplay

/// States of the server, of addresses and of cookies, and what ends them.
@Suite struct SessionTests {
  static func portal(_ session: SessionRules?) -> Fixture {
    Fixture(
      name: "portal", initialState: "captive", session: session,
      routes: [
        ReplayRoute(
          "login", when: RouteCondition(method: "POST", path: "/login"),
          response: .respond(ComposedResponse(status: 303)), goto: "open"),
        ReplayRoute(
          "redirect", when: RouteCondition(state: "captive"),
          response: .respond(ComposedResponse(status: 302))),
        ReplayRoute(
          "online", when: RouteCondition(state: "open"), response: .respond(ComposedResponse(status: 204))),
      ])
  }

  private static let page = "GET http://a.example/"
  private static let login = "POST http://a.example/login"

  @Test func withoutRulesOneLoginOpensTheNetworkForAll() throws {
    var world = ServerlessWorld(Self.portal(nil))
    #expect(try world.visit(Self.page) == "302 redirect captive")
    #expect(try world.visit(Self.login) == "303 login open")
    #expect(try world.visit(Self.page, from: "192.0.2.2") == "204 online open")
    #expect(world.states == ["all: open"])
  }

  @Test func eachAddressHasItsState() throws {
    var world = ServerlessWorld(Self.portal(SessionRules(by: .address)))
    #expect(try world.visit(Self.login, from: "192.0.2.1") == "303 login open")
    #expect(try world.visit(Self.page, from: "192.0.2.2") == "302 redirect captive")
    #expect(try world.visit(Self.page, from: "192.0.2.1") == "204 online open")
    #expect(try world.visit(Self.page, from: "2001:db8::1") == "302 redirect captive")
    #expect(world.states == ["192.0.2.1: open", "192.0.2.2: captive", "2001:db8::1: captive"])
  }

  @Test func eachCookieHasItsState() throws {
    var world = ServerlessWorld(Self.portal(SessionRules(by: .cookie("sid"))))
    func cookie(_ response: String) throws -> String {
      let line = try #require(response.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: sid=") })
      return "Cookie: other=1; " + line.dropFirst("Set-Cookie: ".count).prefix { $0 != ";" }
    }
    let first = try cookie(try world.request(Self.page))
    let second = try cookie(try world.request(Self.page))
    #expect(first != second)
    #expect(try !world.request(Self.page, headers: [first]).contains("Set-Cookie"))
    #expect(try world.visit(Self.login, headers: [first]) == "303 login open")
    #expect(try world.visit(Self.page, headers: [first]) == "204 online open")
    #expect(try world.visit(Self.page, headers: [second]) == "302 redirect captive")
    // A value that the server did not choose is another client's.
    #expect(try world.visit(Self.page, headers: ["Cookie: sid=mine"]) == "302 redirect captive")
    // One without the cookie may log in with its first request.
    let third = try cookie(try world.request(Self.login))
    #expect(try world.visit(Self.page, headers: [third]) == "204 online open")
    // A client whose value is too long to keep receives another.
    let long = "Cookie: sid=" + String(repeating: "x", count: 129)
    #expect(try world.request(Self.page, headers: [long]).contains("Set-Cookie"))
  }

  @Test func rawResponsesGetTheCookieToo() throws {
    let wire = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    var world = ServerlessWorld(
      Fixture(
        name: "f", initialState: "a", session: SessionRules(by: .cookie("c")),
        routes: [ReplayRoute("page", response: .send(Array(wire.utf8)))]))
    let first = try world.request(Self.page)
    #expect(first.hasPrefix("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: c="))
    #expect(first.hasSuffix("\r\n\r\nok"))
    #expect(try world.request(Self.page, headers: ["Cookie: c=1"]) == wire)
  }

  @Test func aStateEndsAfterItsTime() throws {
    let rules = SessionRules(limits: ["open": StateLimit(after: .seconds(1800), goto: "captive")])
    var world = ServerlessWorld(Self.portal(rules))
    _ = try world.visit(Self.login)
    world.wait(.seconds(1799))
    #expect(try world.visit(Self.page) == "204 online open")
    #expect(world.world.states[0].sessions[0].remainingTime == .seconds(1))
    world.wait(.seconds(1))
    #expect(world.states == ["all: captive"])
    #expect(try world.visit(Self.page) == "302 redirect captive")
    // Entering it again starts its time again, also from the state itself.
    _ = try world.visit(Self.login)
    world.wait(.seconds(1000))
    _ = try world.visit(Self.login)
    world.wait(.seconds(1000))
    #expect(try world.visit(Self.page) == "204 online open")
  }

  @Test func severalStatesCanEndWithoutRequests() throws {
    let rules = SessionRules(limits: [
      "open": StateLimit(after: .seconds(60), goto: "warned"),
      "warned": StateLimit(after: .seconds(30), goto: "captive"),
    ])
    var world = ServerlessWorld(Self.portal(rules))
    _ = try world.visit(Self.login)
    world.wait(.seconds(89))
    #expect(world.states == ["all: warned"])
    #expect(world.world.states[0].names == ["captive", "open", "warned"])
    world.wait(.seconds(1))
    #expect(world.states == ["all: captive"])
  }

  @Test func statesThatEndEachOtherDoNotLoopForever() throws {
    let rules = SessionRules(limits: [
      "captive": StateLimit(after: .milliseconds(1), goto: "open"),
      "open": StateLimit(after: .milliseconds(1), goto: "captive"),
    ])
    var world = ServerlessWorld(Self.portal(rules))
    world.wait(.seconds(1_000_000))
    #expect(world.states == ["all: captive"])
  }

  @Test func aStateEndsAfterItsByteLimit() throws {
    let rules = SessionRules(
      by: .address, limits: ["open": StateLimit(bytes: 500, goto: "captive")])
    var world = ServerlessWorld(Self.portal(rules))
    _ = try world.visit(Self.login)
    // The login itself does not count.
    #expect(world.world.states[0].sessions[0].remainingBytes == 500)
    let response = try world.request("GET http://a.example/")
    let used =
      response.utf8.count + "GET / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 0\r\n\r\n".utf8.count
    #expect(world.world.states[0].sessions[0].remainingBytes == 500 - used)
    var visits = 1
    while try world.visit(Self.page) == "204 online open" { visits += 1 }
    #expect(visits == (500 + used - 1) / used)
    #expect(world.states == ["192.0.2.1: captive"])
  }

  @Test func theLeastRecentlyUsedClientIsForgotten() throws {
    var world = ServerlessWorld(Self.portal(SessionRules(by: .address)))
    func address(_ number: Int) -> String { "10.0.\(number / 256).\(number % 256)" }
    for number in 0..<Sessions.maximumClients {
      _ = try world.visit(Self.login, from: address(number))
      world.wait(.seconds(1))
    }
    #expect(try world.visit(Self.page, from: address(0)) == "204 online open")
    world.wait(.seconds(1))
    #expect(try world.visit(Self.login, from: "192.0.2.1") == "303 login open")
    #expect(world.states.count == Sessions.maximumClients)
    #expect(try world.visit(Self.page, from: address(0)) == "204 online open")
    #expect(try world.visit(Self.page, from: address(1)) == "302 redirect captive")
  }

  @Test func fixturesHaveTheirOwnSessions() throws {
    var other = Self.portal(SessionRules(by: .address))
    other.name = "other"
    other.routes = other.routes.map { route in
      var route = route
      route.condition.host = Glob("b.example")
      return route
    }
    var world = ServerlessWorld(other, Self.portal(nil))
    #expect(try world.visit("POST http://b.example/login") == "303 login open")
    #expect(try world.visit(Self.page) == "302 redirect captive")
    #expect(try world.visit("GET http://b.example/") == "204 online open")
    #expect(try world.visit("GET http://b.example/", from: "192.0.2.2") == "302 redirect captive")
  }
}
