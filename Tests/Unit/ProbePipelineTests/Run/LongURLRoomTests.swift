import PortalAnalysis
import ProbeCore
import Testing

@testable import ProbePipeline

@Suite struct LongURLRoomTests {
  private func result(_ count: Int, path: String = "/login") throws -> ProbeResult {
    let target = try ProbeURL("http://login.example\(path)?\(String(repeating: "a", count: count))")
    var response = ProbeResponse(url: try ProbeURL("http://probe.example/"))
    response.redirects = [RedirectHop(url: response.url, status: 302, location: nil, target: target)]
    return ProbeResult(
      url: "http://probe.example/", outcome: .intercepted, response: response,
      analysis: ResponseAnalysis(.login, portal: Portal(loginURL: target, source: .location)))
  }

  @Test func usualURLsAreKeptWithoutRoom() throws {
    var room = LongURLRoom(0)
    let usual = try result(8000)
    var kept = usual
    room.fit(&kept)
    #expect(kept == usual)
  }

  @Test func longURLsAreShortenedOnceTheRoomIsUsedUp() throws {
    var room = LongURLRoom(100_000)
    let long = try result(40_000)
    var first = long
    room.fit(&first)
    #expect(first == long)
    var second = long
    room.fit(&second)
    #expect(second.portal?.loginURL.string == "http://login.example/login")
    #expect(second.response?.redirects.last?.target?.string == "http://login.example/login")
    var third = try result(5, path: "/" + String(repeating: "b", count: 30_000))
    room.fit(&third)
    #expect(third.portal?.loginURL.string == "http://login.example/")
  }
}
