import ProbeCore
import ProbePipeline
import Testing
import TestTransports

@Suite struct LabelTests {
  private static let transport = FakeTransport {
    ProbeResponse(url: $0.url, head: HTTPResponseHead(status: 204))
  }

  /// This includes probes that never start and lines that cannot be probed.
  @Test func everyResultHasItsNameAndTheLabelsOfItsSet() async throws {
    var bad = ProbeTarget("nothing").named("bad")
    bad.mistake = InvalidInput("it is no URL")
    let pipeline = Pipeline("p") {
      ProbeSet("a") {
        ProbeTarget("https://a.example/").named("first").labels(["tier": "1"])
        bad
      }
      .labels(["env": "prod", "tier": "0"])
      ProbeSet("fallback", start: .undecided, "https://b.example/").labels(["b": "c"])
    }
    .success(try .count(1))
    let transports = try Self.transport.registry
    let result = await PipelineRunner(transports).run(try pipeline.plan(over: transports))
    #expect(result.sets.map(\.labels) == [["env": "prod", "tier": "0"], ["b": "c"]])
    let probes = result.sets.flatMap(\.probes)
    #expect(probes.map(\.name) == ["first", "bad", nil])
    #expect(
      probes.map(\.labels) == [
        ["env": "prod", "tier": "1"], ["env": "prod", "tier": "0"], ["b": "c"],
      ])
  }

  @Test(arguments: ["", "1a", "a-b", "__name__", "größe", "url", String(repeating: "a", count: 65)])
  func labelsThatAreInvalidInMetricsAreRejected(_ name: String) throws {
    let pipeline = Pipeline("p") { ProbeSet("a", "https://a.example/").labels([name: "x"]) }
    #expect(throws: InvalidPlan.self) { try pipeline.plan(over: Self.transport.registry) }
  }
}
