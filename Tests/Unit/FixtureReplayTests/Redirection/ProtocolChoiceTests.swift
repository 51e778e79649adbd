import Testing

@testable import FixtureReplay

@Suite struct ProtocolChoiceTests {
  private typealias Service = ProtocolChoice.Service

  private static let handshake: UInt8 = 0x16
  private static let letter = UInt8(ascii: "G")

  private static func route(_ id: String, host: String? = nil, port: String? = nil, receive: String? = nil)
    -> ReplayRoute
  {
    ReplayRoute(
      id, when: RouteCondition(listener: .tcp, host: host, port: port, receive: receive),
      response: .send(Array("hello\n".utf8)))
  }

  private static func world(_ routes: ReplayRoute...) -> ReplayWorld {
    ReplayWorld([Fixture(name: "choice", routes: routes)])
  }

  /// The destinations of a client that has resolved a name to an address.
  private static func destinations(_ port: UInt16) -> [ReplayDestination] {
    ["a.example", "28.64.0.1"].map { ReplayDestination(host: $0, port: port) }
  }

  private func service(_ listener: ReplayListener, _ host: String, _ port: UInt16, tls: Bool = false)
    -> Service
  {
    Service(listener: listener, destination: ReplayDestination(host: host, port: port), startsTLS: tls)
  }

  @Test func httpAndHTTPSPortsAreServedAsSuch() {
    var world = Self.world(Self.route("any", receive: "x"))
    #expect(
      ProtocolChoice(.http, Self.destinations(80), in: &world).start
        == .serve(service(.http, "a.example", 80)))
    // Without a server name, the certificate is for the address.
    #expect(
      ProtocolChoice(.https, Self.destinations(443), in: &world).start
        == .serve(service(.https, "28.64.0.1", 443)))
  }

  @Test func onOtherPortsTheFirstByteDecides() {
    var world = Self.world()
    let choice = ProtocolChoice(nil, Self.destinations(3990), in: &world)
    #expect(choice.start == .wait(nil))
    #expect(choice.received(Self.letter, in: world) == service(.http, "a.example", 3990))
    #expect(choice.received(Self.handshake, in: world) == service(.https, "28.64.0.1", 3990))
  }

  @Test(arguments: [nil, ReplayListener.http, .tcp])
  func aRouteForThePortIsPlainTCP(arrival: ReplayListener?) {
    var world = Self.world(Self.route("mail", host: "a.example", port: "25", receive: "HELO *"))
    #expect(
      ProtocolChoice(arrival, Self.destinations(25), in: &world).start
        == .serve(service(.tcp, "a.example", 25)))
  }

  @Test func aRouteForTheAddressOfANameMatches() {
    var world = Self.world(Self.route("mail", host: "28.64.0.1", port: "25", receive: "x"))
    #expect(
      ProtocolChoice(nil, Self.destinations(25), in: &world).start == .serve(service(.tcp, "28.64.0.1", 25)))
    #expect(ProtocolChoice(nil, Self.destinations(26), in: &world).start == .wait(nil))
  }

  @Test func aGreetingWaitsForTheStartOfTLS() {
    var world = Self.world(Self.route("mail", port: "993"))
    let choice = ProtocolChoice(nil, Self.destinations(993), in: &world)
    #expect(choice.start == .wait(ProtocolChoice.greetingDelay))
    #expect(choice.serviceWithoutInput == service(.tcp, "a.example", 993))
    #expect(choice.received(Self.handshake, in: world) == service(.tcp, "a.example", 993, tls: true))
    #expect(choice.received(Self.letter, in: world) == service(.tcp, "a.example", 993))
  }

  @Test func aRouteForEveryPortDoesNotTakeWebClients() {
    var world = Self.world(Self.route("any"), Self.route("talk", receive: "x*"))
    let choice = ProtocolChoice(nil, Self.destinations(8443), in: &world)
    #expect(choice.start == .wait(ProtocolChoice.greetingDelay))
    #expect(choice.received(Self.handshake, in: world) == service(.https, "28.64.0.1", 8443))
    #expect(choice.received(Self.letter, in: world) == service(.http, "a.example", 8443))
    #expect(choice.received(UInt8(ascii: "x"), in: world) == service(.tcp, "a.example", 8443))
  }

  @Test func aRouteOfAnotherStateDoesNotGreet() {
    var route = Self.route("later", port: "25")
    route.condition.state = "open"
    var world = ReplayWorld([Fixture(name: "states", initialState: "captive", routes: [route])])
    #expect(
      ProtocolChoice(nil, Self.destinations(25), in: &world).start == .serve(service(.tcp, "a.example", 25)))
  }

  @Test func unknownDestinationsAreServedToo() {
    var world = Self.world()
    #expect(ProtocolChoice(.http, [], in: &world).start == .serve(Service(listener: .http, destination: nil)))
    #expect(ProtocolChoice(.tcp, [], in: &world).start == .serve(Service(listener: .tcp, destination: nil)))
  }
}
