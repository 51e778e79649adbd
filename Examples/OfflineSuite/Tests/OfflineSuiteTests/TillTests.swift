import ProbeKit
import ProbeReplay
import XCTest

/// The till behind the portal of a cafe, with XCTest.
final class TillTests: XCTestCase {
  func testTheCodeIsSentOnceAndOpensTheCafe() async throws {
    let cafe = try Captured.network("cafe-login")
    try await cafe.open("http://login.cafe.example/welcome") { $0.http.method = "POST" }
    try cafe.expect(.once, "POST http://login.cafe.example/welcome", route: "login")

    let online = try await cafe.run(Captured.plan())
    XCTAssertEqual(online.verdict, .online)
    // The session ends.
    try cafe.setState("captive")
    let captive = try await cafe.run(Captured.plan())
    XCTAssertEqual(captive.verdict, .captivePortal)
  }
}
