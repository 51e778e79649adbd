import ProbeKit
import ProbeReplay
import Testing

/// A network that changes while it is watched.
@Suite struct LoginTests {
  @Test func aCodeOpensTheCafe() async throws {
    let cafe = try Captured.network("cafe-login")
    #expect(try await cafe.run(Captured.plan()).verdict == .captivePortal)

    // What the till's browser does: the page, and the form on it.
    #expect(try await cafe.open("http://login.cafe.example/welcome").status == 200)
    let response = try await cafe.open("http://login.cafe.example/welcome") { request in
      request.http.method = "POST"
      request.http.body = Array("code=1234".utf8)
    }
    #expect(response.status == 303)

    #expect(try await cafe.run(Captured.plan()).verdict == .online)
    // The journal knows what the server was asked, and nothing was asked that no route is for.
    try cafe.expect(.once, "POST http://login.cafe.example/welcome", route: "login")
    try cafe.expectNoUnmatched()
  }

  @Test func readingThePageOpensNothing() async throws {
    let cafe = try Captured.network("cafe-login")
    try await cafe.open("http://login.cafe.example/welcome")
    #expect(try await cafe.run(Captured.plan()).verdict == .captivePortal)
  }
}
