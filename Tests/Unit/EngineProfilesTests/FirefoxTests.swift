import BundledPlugins
import EngineProfiles
import FixtureReplay
import ProbeCore
import ProbePipeline
import TestSupport
import Testing

/// The rules of Firefox from version 155 on, whose response is empty; `firefox-esr` has those of the page before.
struct FirefoxTests {
  typealias Ending = SimulatedNetwork.Ending

  private static let url = "http://firefox-portal-detection.com/generate_204"
  private static let canonical =
    #"<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>"#

  private static func judgement(
    _ ending: Ending, silence: Duration = .seconds(2)
  ) async throws -> Judgement {
    try await Judgement(of: "firefox", in: SimulatedNetwork([url: ending]), silence: silence)
  }

  /// A response and the verdict.
  struct Row: CustomTestStringConvertible {
    let name: String
    let ending: Ending
    let verdict: Verdict
    var testDescription: String { name }

    init(_ name: String, _ ending: Ending, _ verdict: Verdict) {
      self.name = name
      self.ending = ending
      self.verdict = verdict
    }
  }

  static let rows = [
    Row("204", .noContent, .online),
    // No client reads a body behind 204.
    Row("204 with content", .bytes("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello"), .online),
    Row("200 empty", .content(0), .online),
    Row("200 empty, until the end of the connection", .bytes("HTTP/1.1 200 OK\r\n\r\n"), .online),
    Row("200 with a line break", .response(200, body: "\n"), .captivePortal),
    Row("200 with a page", .response(200, body: "<html>Please log in</html>"), .captivePortal),
    Row("the page of Firefox ESR", .response(200, body: canonical), .captivePortal),
    Row("201 empty", .response(201), .captivePortal),
    Row("206 empty", .response(206), .captivePortal),
    Row("299 with content", .response(299, body: "x"), .captivePortal),
    // Redirects are not followed.
    Row("302", .redirect, .captivePortal),
    Row("303", .response(303, headers: ["Location: http://portal.example/login"]), .captivePortal),
    Row("302 without a location", .response(302), .captivePortal),
    Row("304", .response(304), .captivePortal),
    Row("a redirect to a part of a URL", .response(302, headers: ["Location: http://["]), .inconclusive),
    Row("511", .response(511, body: "log in"), .captivePortal),
    Row("403 with a page", .response(403, body: "log in"), .inconclusive),
    Row("404", .response(404), .inconclusive),
    Row("503", .response(503), .inconclusive),
    Row("a body cut short", .bytes("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"), .inconclusive),
    Row("a reset", .reset, .inconclusive),
  ]

  @Test(arguments: rows) func anEmptyResponseIsAnOpenNetwork(_ row: Row) async throws {
    let judgement = try await Self.judgement(row.ending)
    #expect(judgement.verdict == row.verdict, "\(judgement.result.evidence.map(\.summary))")
    if row.verdict == .captivePortal { #expect(judgement.loginURL == Self.url) }
  }

  @Test func aTimeoutIsRepeatedAndThenUnknown() async throws {
    // A busy machine may need longer than that to send a request.
    let judgement = try await withGrowingLimit(
      from: .milliseconds(50), while: { (judgement: Judgement) in judgement.requests.count < 6 }
    ) { try await Self.judgement(.silence, silence: $0) }
    #expect(judgement.verdict == .inconclusive)
    #expect(judgement.requests == Array(repeating: Self.url, count: 6))
  }

  /// A walled garden that has the host of one of them.
  @Test(arguments: [
    ("worlds/portal-firefox-allowed", Verdict.online, Verdict.captivePortal),
    ("worlds/portal-firefox-esr-allowed", .captivePortal, .online),
  ])
  func theHostsAreIndependent(_ fixture: String, _ release: Verdict, _ esr: Verdict) async throws {
    for (name, verdict) in [("firefox", release), ("firefox-esr", esr), ("default", .captivePortal)] {
      let network = try ReplayedNetwork("fixtures/\(fixture)", with: .bundled)
      let plan = try #require(EngineProfile.named(name)).patientPlan
      #expect(await network.run(plan).verdict == verdict, "\(name)")
    }
  }
}
