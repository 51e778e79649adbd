import FixtureReplay
import TestClients
import Testing

/// The forms a request may have, as bytes in and bytes out.
@Suite struct RequestFormTests {
  /// Three pages at different paths.
  private static var pages: [ReplayRoute] {
    ["/1", "/2", "/3"].map { path in
      ReplayRoute(
        path, when: RouteCondition(path: path),
        response: .respond(ComposedResponse(body: Array("page \(path)\n".utf8))))
    }
  }

  private static func response(_ path: String) -> String {
    "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\npage \(path)\n"
  }

  private static func request(_ path: String, _ fields: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: wire.example\r\n\(fields)\r\n"
  }

  /// The responses to requests that are sent at once on a connection whose sending side is then closed.
  private static func exchange(_ requests: String, inPiecesOf size: Int = .max) async throws
    -> RawClient.Reception
  {
    try await serving([Fixture(name: "pages", routes: pages)]) { server in
      let client = try server.client()
      try client.send(Array(requests.utf8), inPiecesOf: size)
      client.shutdownWrite()
      return client.receive()
    }
  }

  @Test(arguments: [Int.max, 1, 7])
  func requestsInARowReceiveResponsesInOrder(piece: Int) async throws {
    let paths = ["/2", "/1", "/3"]
    let reception = try await Self.exchange(
      paths.map { Self.request($0) }.joined(), inPiecesOf: piece)
    #expect(reception.text == paths.map(Self.response).joined())
    #expect(reception.ending == .fin)
  }

  @Test func aLateResponseDelaysTheFollowingOnes() async throws {
    var routes = Self.pages
    routes[1].fault = ReplayFault(.delay, for: .milliseconds(40), requests: [1])
    let world = [Fixture(name: "pages", routes: routes)]
    let reception = try await serving(world) { server in
      let client = try server.client()
      try client.send(["/2", "/1", "/2", "/3"].map { Self.request($0) }.joined())
      client.shutdownWrite()
      return client.receive()
    }
    #expect(reception.text == ["/2", "/1", "/2", "/3"].map(Self.response).joined())
    #expect(reception.ending == .fin)
  }

  @Test func aClientThatEndsItsSideStillReceivesItsResponse() async throws {
    let late = ReplayFault(.delay, for: .milliseconds(40))
    let seen = try await serving(ReplayRoute("page", response: Page.response, fault: late)) { server in
      let plain = try server.client()
      try plain.send(plainRequest)
      plain.shutdownWrite()
      let secure = try server.secureClient()
      try secure.send(plainRequest)
      try secure.close()
      secure.raw.shutdownWrite()
      return [plain.receive(), secure.receive()]
    }
    #expect(seen == [.init(Array(Page.text.utf8), .fin), .init(Array(Page.text.utf8), .fin)])
  }

  /// How the HTTP version and the Connection field affect the connection.
  private static let connections: [(line: String, fields: String, isKept: Bool)] = [
    ("GET /1 HTTP/1.1", "", true),
    ("GET /1 HTTP/1.1", "Connection: close\r\n", false),
    ("GET /1 HTTP/1.1", "connection: foo, CLOSE\r\n", false),
    ("GET /1 HTTP/1.1", "Connection: keep-alive\r\n", true),
    ("GET /1 HTTP/1.0", "", false),
    ("GET /1 HTTP/1.0", "Connection: Keep-Alive\r\n", true),
    ("GET /1 HTTP/1.0", "Connection: keep-alive, close\r\n", false),
    ("HEAD /1 HTTP/1.1", "Connection: close\r\n", false),
  ]

  @Test(arguments: connections.indices)
  func theClientDecidesWhetherTheConnectionIsKept(_ index: Int) async throws {
    let (line, fields, isKept) = Self.connections[index]
    let reception = try await serving([Fixture(name: "pages", routes: Self.pages)]) { server in
      let client = try server.client()
      // The second request has a response if the connection is kept, and is dropped if it is closed.
      try client.send("\(line)\r\nHost: a.example\r\n\(fields)\r\n" + Self.request("/2"))
      client.shutdownWrite()
      return client.receive()
    }
    let first = line.hasPrefix("HEAD") ? "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n" : Self.response("/1")
    #expect(reception.text == first + (isKept ? Self.response("/2") : ""))
    #expect(reception.ending == .fin)
  }

  @Test func aHeadRequestReceivesOnlyTheHead() async throws {
    let reception = try await Self.exchange("HEAD /1 HTTP/1.1\r\nHost: a\r\n\r\n" + Self.request("/2"))
    #expect(reception.text == "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n" + Self.response("/2"))
  }

  @Test func aRouteForHeadRequestsSendsItsBytesAsTheyAre() async throws {
    let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".utf8)
    let route = ReplayRoute("head", when: RouteCondition(method: "HEAD"), response: .send(bytes))
    let reception = try await serving(route) { server in
      let client = try server.client()
      try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
      return client.receive(upTo: bytes.count)
    }
    #expect(reception == .init(bytes, .enough))
  }

  @Test func everyByteOfAResponseIsSentAsItIs() async throws {
    let bytes = Array("HTTP/1.1  200\nodd:\t \r\n\n".utf8) + (0...255) + (0...255).reversed()
    let reception = try await serving(ReplayRoute("raw", response: .send(bytes))) { server in
      try server.exchange(plainRequest)
    }
    #expect(reception == .init(bytes, .fin))
  }

  @Test func theHostOfAnAbsoluteTargetComesFirst() async throws {
    let route = ReplayRoute(
      "proxied", when: RouteCondition(host: "real.example", port: "8080", path: "/x"), response: Page.response
    )
    let reception = try await serving(route) { server in
      let client = try server.client()
      try client.send("GET http://real.example:8080/x?q HTTP/1.1\r\nHost: other.example\r\n\r\n")
      return client.receive(upTo: Page.count)
    }
    #expect(reception.text == Page.text)
  }
}
