import BundledPlugins
import FixtureReplay
import ProbeCore
import ProbePipeline
import Validators
import Testing

/// Pages whose decisive part is beyond the limit of the request.
@Suite struct LongPageTests {
  private static let form = "<form action=/log-in><input type=password name=password></form>"

  private func network(_ body: String) throws -> ReplayedNetwork {
    let response = ComposedResponse(headers: ["Content-Type: text/html"], body: Array(body.utf8))
    return try ReplayedNetwork(
      Fixture(name: "page", routes: [ReplayRoute("page", response: .respond(response))]), with: .bundled)
  }

  private func pipeline(_ word: String, urls: Int = 1, client: HTTPClient = .automatic) throws -> Pipeline {
    let validator = try ContainsValidator(word)
    return Pipeline("shop") {
      ProbeSet("shop", targets: (0..<urls).map { ProbeTarget("http://shop\($0).example/") })
        .validate(validator)
    }.policy(.plaintextAllowed).request {
      $0.timeout = .seconds(600)
      $0.http.client = client
    }
  }

  @Test(arguments: [HTTPClient.own, .curl], [70_000, 300_000, 900_000])
  func aFormAfterInlineImagesIsFound(_ client: HTTPClient, _ length: Int) async throws {
    let image = "<img src='data:image/png;base64,\(String(repeating: "A", count: length))'>"
    let network = try network("<html><title>Welcome</title>\(image)\(Self.form)")
    let health = ClosureValidator { .rejectedBody(of: $0, expected: "the word of a healthy shop") }
    var pipeline = try pipeline("the word", client: client)
    pipeline.sets[0].judge = .validator(health)
    let result = try await network.run(pipeline)
    #expect(result.verdict == .captivePortal, "\(result.evidence)")
    #expect(network.journal.entries.count == 1)
  }

  @Test func aFormBeyondAMebibyteIsNotFound() async throws {
    let image = "<img src='data:image/png;base64,\(String(repeating: "A", count: 1 << 20))'>"
    let result = try await network("<html>\(image)\(Self.form)").run(pipeline("the word"))
    #expect(result.verdict != .captivePortal)
  }

  @Test func validatorsSeeOnlyBytesUpToTheLimit() async throws {
    let page = String(repeating: "x", count: 70_000) + "the word"
    let result = try await network(page).run(pipeline("the word"))
    let probe = try #require(result.sets.first?.probes.first)
    #expect(probe.outcome == .failed)
    #expect(probe.detail?.contains("cut at 65536 bytes") == true, "\(probe.detail ?? "")")
    #expect(probe.analysis != nil)
  }

  @Test func anAcceptedResponseIsReadOnlyToTheLimit() async throws {
    let page = "the word" + String(repeating: "x", count: 900_000)
    let network = try network(page)
    let result = try await network.run(pipeline("the word"))
    #expect(result.verdict == .online)
    #expect(result.sets.first?.probes.first?.response?.bodyIsCut == true)
    #expect(result.sets.first?.probes.first?.analysis == nil)
  }

  @Test func manyLongPagesShareTheMemory() async throws {
    let image = "<img src='data:image/png;base64,\(String(repeating: "A", count: 600_000))'>"
    let result = try await network("<html>\(image)\(Self.form)").run(pipeline("the word", urls: 40))
    let probes = try #require(result.sets.first?.probes)
    // There is memory for the first 25; each of the others is judged by its beginning.
    #expect(probes.count { $0.portal != nil } >= 20)
    #expect(probes.allSatisfy { $0.response?.status == 200 })
  }
}
