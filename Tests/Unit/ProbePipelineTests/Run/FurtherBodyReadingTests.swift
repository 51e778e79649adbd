import ProbeCore
import Testing

@testable import ProbePipeline

/// The memory for bodies beyond the limits of their requests.
@Suite struct FurtherBodyReadingTests {
  private func response(_ status: Int = 200, _ fields: HeaderFields = [:]) throws -> ProbeResponse {
    ProbeResponse(
      url: try ProbeURL("http://a.example/"), head: HTTPResponseHead(status: status, fields: fields),
      body: Array("hello".utf8))
  }

  @Test func allProbesShareTheMemory() throws {
    let memory = FurtherBodyMemory(100)
    let first = FurtherBodyReading(memory) { _, _ in true }
    let second = FurtherBodyReading(memory) { _, _ in true }
    let third = FurtherBodyReading(memory) { _, _ in true }
    #expect(try first.room(after: response(200, ["Content-Length": "65"])) == 60)
    #expect(try second.room(after: response()) == 40)
    #expect(try third.room(after: response()) == 0)
    first.end()
    #expect(try third.room(after: response()) == 60)
    second.begin(after: [])
    third.begin(after: [])
    #expect(memory.take(200) == 100)
  }

  @Test(
    arguments: [
      ([:], (1 << 20) - 5), (["Content-Length": "2000000"], (1 << 20) - 5), (["Content-Length": "105"], 100),
      (["Content-Length": "105", "Content-Encoding": "gzip"], (1 << 20) - 5), (["Content-Length": "0"], 0),
      (["Content-Length": "-9223372036854775808"], 0),
      (["Content-Length": "9223372036854775807"], (1 << 20) - 5),
      (["Content-Length": "99999999999999999999"], (1 << 20) - 5),
      (["Content-Length": "many"], (1 << 20) - 5),
    ] as [(HeaderFields, Int)])
  func aBodyHasRoomForItsLengthUpToTheLimit(_ fields: HeaderFields, _ room: Int) throws {
    let body = FurtherBodyReading(FurtherBodyMemory()) { _, _ in true }
    #expect(try body.room(after: response(200, fields)) == room)
  }

  @Test func aProbeIsJudgedByItsPositionAndItsRedirects() throws {
    let hop = RedirectHop(
      of: HTTPResponseHead(status: 302, fields: ["Location": "/b"]), from: try ProbeURL("http://a.example/"))
    let redirect = try #require(hop)
    let body = FurtherBodyReading(FurtherBodyMemory(100)) { $1 == 7 && $0.redirects == [redirect] }
    body.begin(probe: 7)
    #expect(try body.room(after: response()) == 0)
    body.begin(after: [redirect])
    #expect(try body.room(after: response()) > 0)
    // The target of a redirect matters more than its body.
    #expect(try body.room(after: response(302)) == 0)
    body.begin(after: [redirect])
    body.begin(probe: 8)
    #expect(try body.room(after: response()) == 0)
  }

  @Test(arguments: [
    ("http://a.example/", 200, true), ("https://a.example/", 200, false), ("https://a.example/", 511, true),
  ])
  func onlyUnexpectedResponsesAreReadFurther(_ url: String, _ status: Int, _ isWanted: Bool) throws {
    let rule = OutcomeRule { $0 == .https ? .encrypted : .plaintext }
    let request = ProbeRequest(try ProbeURL(url))
    let received = ProbeResponse(
      url: request.url, head: HTTPResponseHead(status: status), body: Array("hello".utf8), bodyIsCut: true)
    for (words, isExpected) in [("hello", true), ("goodbye", false)] {
      let validator = ClosureValidator {
        $0.body == Array(words.utf8) ? .accepted : .rejectedBody(of: $0, expected: words)
      }
      let probe = PlannedProbe(url: url, request: request, validator: validator)
      // A status other than success is not accepted, whatever the body.
      #expect(rule.isUnexpected(received, to: probe) == (isWanted && (!isExpected || status == 511)))
      let rules = [ClassifyRule(when: .validator(validator), .accepted)]
      let classified = PlannedProbe(url: url, request: request, classify: rules)
      #expect(rule.isUnexpected(received, to: classified) == (isWanted && !isExpected))
    }
  }
}
