import Foundation
import ProbeCore
import ProbePipeline
import Testing

/// The expectations of the tests of Chromium's captive portal detector.
struct ChromiumTests {
  typealias Ending = SimulatedNetwork.Ending

  private static let url = "http://connectivitycheck.gstatic.com/generate_204"

  private static func judgement(_ ending: Ending) async throws -> Judgement {
    try await Judgement(of: "chromium", in: SimulatedNetwork([url: ending]))
  }

  private static func retryAfter(_ value: String) async throws -> Judgement {
    try await judgement(.response(503, headers: ["Retry-After: \(value)"]))
  }

  @Test(arguments: [
    (Ending.noContent, Verdict.online), (.response(500), .offline), (.silence, .offline),
    (.content(2), .captivePortal),
    (.content(0), .online), (.content(1), .online), (.response(511), .captivePortal),
    (.response(503), .offline),
  ])
  func theResponseDeterminesTheVerdict(_ ending: Ending, _ verdict: Verdict) async throws {
    #expect(try await Self.judgement(ending).verdict == verdict)
  }

  @Test func redirectsAreFollowedAndTheFinalResponseDecides() async throws {
    var portal = try SimulatedNetwork([Self.url: .redirect])
    try portal.add("http://portal.example/login", .content(500))
    let shown = try await Judgement(of: "chromium", in: portal)
    #expect(shown.verdict == .captivePortal)
    #expect(shown.loginURL == "http://portal.example/login")
    var open = try SimulatedNetwork([Self.url: .redirect])
    try open.add("http://portal.example/login", .noContent)
    #expect(try await Judgement(of: "chromium", in: open).verdict == .online)
  }

  @Test func retryAfterAcceptsSeconds() async throws {
    let judgement = try await Self.retryAfter("101")
    #expect(judgement.verdict == .offline)
    #expect(judgement.result.sets[0].probes[0].response?.retryAfter == .seconds(101))
    #expect(
      judgement.result.evidence.first { $0.kind == .retryAfter }?.summary
        == "1 probe received a request to retry after 101 s")
  }

  @Test func retryAfterAcceptsADate() async throws {
    let start = Date()
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let judgement = try await Self.retryAfter(format.string(from: start.addingTimeInterval(51)))
    let retryAfter = try #require(judgement.result.sets[0].probes[0].response?.retryAfter).components.seconds
    // The date has a resolution of one second, and time has passed since.
    let passed = Int64(Date().timeIntervalSince(start).rounded(.up))
    #expect((51 - passed - 1...51).contains(retryAfter))
    #expect(judgement.verdict == .offline)
  }

  @Test func invalidRetryAfterValuesAreIgnored() async throws {
    let judgement = try await Self.retryAfter("Christmas")
    #expect(judgement.verdict == .offline)
    #expect(judgement.result.sets[0].probes[0].response?.retryAfter == nil)
    #expect(!judgement.result.evidence.contains { $0.kind == .retryAfter })
  }
}
