import BundledPlugins
import PortalAnalysis
import ProbeCore
import ProbePipeline
import TestSupport
import Testing
import TestTransports

/// Settings that apply to every request of a run, whatever its pipeline says.
@Suite struct OverridesTests {
  private static func setting(
    _ option: String, _ change: @escaping @Sendable (inout ProbeRequest) -> Void
  ) -> RequestSetting {
    var setting = RequestSetting { request, _ in change(&request) }
    setting.option = option
    return setting
  }

  private static func pipeline(_ overrides: [RequestSetting]) throws -> Pipeline {
    let rule = try ConnectTo("a.example::127.0.0.1:2")
    var pipeline = Pipeline("p") {
      ProbeSet("s", "https://a.example/").request {
        $0.connectTo = [rule]
        $0.redirects = 3
      }
    }.announcedCapport()
    pipeline.overrides = overrides
    return pipeline
  }

  @Test func overridesFollowThePipelinesSettings() throws {
    let rule = try ConnectTo("::127.0.0.1:1")
    let plan = try Self.pipeline([
      Self.setting("--connect-to") { $0.connectTo = [rule] + $0.connectTo },
      Self.setting("--timeout") { $0.timeout = .seconds(7) },
    ]).plan(over: PluginRegistry.bundled.transports)
    let request = try #require(try plan.probes.first?.request.get())
    #expect(request.connectTo.map(\.targetPort) == [1, 2])
    #expect(request.redirects == 3)
    #expect(request.timeout == .seconds(7))
  }

  @Test func connectToAndTimeoutApplyToTheAPIRequestButHeadersDoNot() async throws {
    let rule = try ConnectTo("::127.0.0.1:1")
    let transport = FakeTransport { request in
      var head = HTTPResponseHead(status: 204)
      guard request.url.host == "api.example" else { return ProbeResponse(url: request.url, head: head) }
      #expect(request.connectTo == [rule])
      #expect(request.timeout == .seconds(7))
      #expect(request.http.headers["Authorization"] == nil)
      head = HTTPResponseHead(status: 200, fields: ["Content-Type": "application/captive+json"])
      return ProbeResponse(url: request.url, head: head, body: Array(#"{"captive": true}"#.utf8))
    }
    let transports = try transport.registry
    var plan = try Self.pipeline([
      Self.setting("--connect-to") { $0.connectTo = [rule] + $0.connectTo },
      Self.setting("--timeout") { $0.timeout = .seconds(7) },
      Self.setting("--header") { $0.http.headers.append(name: "Authorization", value: "s3cret") },
    ]).plan(over: transports)
    plan.announcedCapport = "https://api.example/"
    let result = await PipelineRunner(transports).run(plan)
    #expect(result.capport?.document?.captive == true)
  }

  @Test func aFindingNamesTheOptionOfItsOverride() throws {
    let file = try TemporaryFile("no certificate")
    var cacert = Self.setting("--cacert") { $0.tls.additionalAuthorities = file.path }
    cacert.key = "ca"
    let error = #expect(throws: InvalidPlan.self) {
      try Self.pipeline([cacert]).plan(over: PluginRegistry.bundled.transports)
    }
    #expect(error?.problems.map(\.override) == ["--cacert"])
    #expect(error?.problems.first?.input.concernsFile == true)
  }
}
