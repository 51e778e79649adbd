import FixtureReplay
import ProbeCore
import TestClients
import Testing

/// Requests as text, for assertions of one line.
@Suite struct RequestTextTests {
  @Test(arguments: [
    (
      "GET http://shop.example/health",
      RouteCondition(listener: .http, method: "GET", host: "shop.example", port: "80", path: "/health")
    ),
    ("https://shop.example", RouteCondition(listener: .https, host: "shop.example", port: "443", path: "/")),
    ("POST /login", RouteCondition(method: "POST", path: "/login")),
    (
      "* http://*.example:8080/a?b=*",
      RouteCondition(listener: .http, method: "*", host: "*.example", port: "8080", path: "/a?b=*")
    ),
    ("http://[2001:db8::1]:81/", RouteCondition(listener: .http, host: "2001:db8::1", port: "81", path: "/")),
    (
      "http://shop.example?a=1",
      RouteCondition(listener: .http, host: "shop.example", port: "80", path: "/?a=1")
    ),
    ("tcp://mail.example:25", RouteCondition(listener: .tcp, host: "mail.example", port: "25")),
  ])
  func isACondition(_ text: String, _ condition: RouteCondition) throws {
    #expect(try RouteCondition(request: text) == condition)
  }

  @Test(arguments: [
    "", " ", "GET", "GET  /a", "GET /a b", "ftp://shop.example/", "http:///a", "http://shop.example:/",
    "G@T /",
    "http://shop!.example/", "tcp://mail.example", "POST tcp://mail.example:25",
    "tcp://mail.example:25/a",
    "http://[::1", " /a",
  ])
  func otherTextsAreRefused(_ text: String) {
    let error = #expect(throws: InvalidInput.self) { try RouteCondition(request: text) }
    #expect(error?.message.hasSuffix("is not a request") == true)
  }

  @Test func oneLineAssertsTheJournal() async throws {
    let fixture = Fixture(name: "wire", routes: [ReplayRoute("page", response: Page.response)])
    let journal = try await serving([fixture]) { server in
      let client = try server.client()
      try client.send("GET /a?b=1 HTTP/1.1\r\nHost: wire.example\r\n\r\n")
      _ = client.receive(upTo: Page.count)
      return server.journal
    }
    try journal.expect(.once, "GET http://wire.example/a")
    try journal.expect(.once, "GET /a?b=1", route: "page")
    try journal.expect(.none, "http://wire.example:8080/a")
    let error = #expect(throws: JournalMismatch.self) { try journal.expect(.once, "POST /a") }
    #expect(
      error?.description == """
        0 matching requests, expected: 1
          1 http GET wire.example:80 /a?b=1 → wire/page: expected method "POST", found "GET"
        """)
  }
}
