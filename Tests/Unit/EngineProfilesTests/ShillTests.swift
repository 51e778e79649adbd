import ProbeCore
import ProbePipeline
import Testing

/// The expectations of the tests of ChromeOS's shill for its two probes.
struct ShillTests {
  typealias Ending = SimulatedNetwork.Ending

  private static let http = "http://connectivitycheck.gstatic.com/generate_204"
  private static let https = "https://www.google.com/generate_204"

  private static func judgement(
    http: Ending, https: Ending, silence: Duration = .seconds(2)
  ) async throws -> Judgement {
    try await Judgement(
      of: "chromeos", in: SimulatedNetwork([Self.http: http, Self.https: https]), silence: silence)
  }

  @Test(arguments: [Ending.tlsError, .silence])
  func withoutHTTPSThereIsNoConnectivity(_ https: Ending) async throws {
    #expect(try await Self.judgement(http: .noContent, https: https).verdict == .offline)
  }

  @Test func anUnknownStatusIsAFailure() async throws {
    let odd = Ending.bytes("HTTP/1.1 123 Odd\r\n\r\n")
    #expect(try await Self.judgement(http: odd, https: .noContent).verdict == .offline)
  }

  @Test(arguments: [302, 307])
  func aRedirectIsAPortalEvenWhileHTTPSIsPending(_ status: Int) async throws {
    let redirect = Ending.response(status, headers: ["Location: http://portal.example/login"])
    let judgement = try await Self.judgement(http: redirect, https: .silence, silence: .seconds(60))
    #expect(judgement.verdict == .captivePortal)
    #expect(judgement.loginURL == "http://portal.example/login")
    let pending = judgement.result.sets[1].probes[0]
    #expect(pending.outcome == .skipped)
  }

  @Test func aPageIsASuspectedPortal() async throws {
    let judgement = try await Self.judgement(http: .content(768), https: .noContent)
    #expect(judgement.verdict == .captivePortal)
    #expect(judgement.loginURL == Self.http)
  }

  @Test func anInvalidLengthIsAFailure() async throws {
    let invalid = Ending.bytes("HTTP/1.1 200 OK\r\nContent-Length: invalid\r\n\r\n<p>Hello</p>")
    #expect(try await Self.judgement(http: invalid, https: .noContent).verdict == .offline)
  }

  @Test(arguments: [[], ["Location: "], ["Location: http://"]])
  func aRedirectWithoutALocationIsNotAPortal(_ headers: [String]) async throws {
    let judgement = try await Self.judgement(http: .response(302, headers: headers), https: .noContent)
    #expect(judgement.verdict == .offline)
  }

  @Test func onlineRequiresBothProbes() async throws {
    #expect(try await Self.judgement(http: .noContent, https: .response(404)).verdict == .online)
    #expect(try await Self.judgement(http: .content(1), https: .noContent).verdict == .online)
    #expect(try await Self.judgement(http: .response(404), https: .noContent).verdict == .offline)
  }
}
