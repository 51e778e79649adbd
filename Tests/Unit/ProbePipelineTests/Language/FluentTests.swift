import ProbeCore
import ProbePipeline
import Testing

/// Features of pipelines that are only available in code.
@Suite struct FluentTests {
  private static func plan(_ pipeline: Pipeline, _ context: RequestContext = .environment([:])) throws
    -> ProbePlan
  {
    try pipeline.plan(over: PluginRegistry.ofLanguageTests.transports, in: context)
  }

  @Test func theInnermostSettingApplies() throws {
    let pipeline = Pipeline("p") {
      ProbeSet("near") {
        "https://a.example/"
        ProbeTarget("https://b.example/").setting { request, _ in request.timeout = .seconds(3) }
      }
      .setting { request, _ in request.timeout = .seconds(2) }
      ProbeSet("far", "https://c.example/")
    }
    .setting { request, _ in request.timeout = .seconds(1) }
    let timeouts = try Self.plan(pipeline).probes.map { try $0.request.get().timeout }
    #expect(timeouts == [.seconds(2), .seconds(3), .seconds(1)])
  }

  @Test func equalOptionsOfURLsStayIndependent() throws {
    let methods = ["HEAD", "HEAD", "PUT", "HEAD", "HEAD"]
    let pipeline = Pipeline("p") {
      ProbeSet("a") {
        for (index, method) in methods.enumerated() {
          ProbeTarget("https://a\(index).example/").setting { request, _ in
            request.http.method = method
            request.tls.additionalAuthorities = "\(method).pem"
          }
        }
      }
    }
    var requests = try Self.plan(pipeline).probes.map { try $0.request.get() }
    #expect(requests.map(\.http.method) == methods)
    #expect(requests.map(\.tls.additionalAuthorities) == methods.map { "\($0).pem" })
    requests[0].http.method = "GET"
    requests[3].tls.additionalAuthorities = nil
    #expect(requests.map(\.http.method) == ["GET", "HEAD", "PUT", "HEAD", "HEAD"])
    #expect(requests.map(\.tls.additionalAuthorities).last == "HEAD.pem")
  }

  @Test func aSettingCanReadSecrets() throws {
    let pipeline = Pipeline("p") { ProbeSet("a", "https://a.example/") }
      .setting { request, context throws(InvalidInput) in
        request.http.credentials = .bearer(try context.secret(.environment("TOKEN")))
      }
    let plan = try Self.plan(pipeline, .environment(["TOKEN": "t0ken"]))
    #expect(try plan.probes.first?.request.get().http.credentials == .bearer(Secret("t0ken")))
    #expect(throws: InvalidPlan.self) { try Self.plan(pipeline) }
  }

  @Test func theAnnouncedAPICanBeQueriedFirst() throws {
    let pipeline = Pipeline("p") { ProbeSet("a", "https://a.example/") }
    for (made, asks, first) in [
      (pipeline, false, false), (pipeline.announcedCapport(), true, false),
      (pipeline.announcedCapport(first: true), true, true),
    ] {
      let plan = try Self.plan(made)
      #expect(plan.asksAnnouncedCapport == asks)
      #expect(plan.asksCapportFirst == first)
    }
  }

  @Test func earlyStoppingCanBeDisabled() throws {
    let pipeline = Pipeline("p") { ProbeSet("a", "https://a.example/") }
    #expect(try Self.plan(pipeline).stopsEarly)
    #expect(try !Self.plan(pipeline.probingEverything()).stopsEarly)
  }

  @Test func aURLCanHaveItsOwnRules() throws {
    let rule = ClassifyRule(when: .redirect(.any), .intercepted)
    let pipeline = Pipeline("p") {
      ProbeSet("a") {
        "https://a.example/"
        ProbeTarget("https://b.example/").classify(rule)
      }
    }
    let judges = try Self.plan(pipeline).probes.map { probe in
      if case .rules(let rules) = probe.judge { rules.map(\.outcome) } else { [Outcome]() }
    }
    #expect(judges == [[], [.intercepted]])
  }

  @Test(arguments: [true, false]) func listsSupportLoopsAndConditions(_ isLong: Bool) throws {
    let made = [ProbeSet("made", "https://made.example/")]
    let urls: [ProbeTarget] = ["https://u.example/"]
    let pipeline = Pipeline("p") {
      made
      if isLong {
        ProbeSet("long") {
          urls
          if isLong { "https://then.example/" } else { "https://else.example/" }
          for number in 1...2 { "https://\(number).example/" }
        }
      } else {
        ProbeSet("short") {
          if isLong { "https://then.example/" } else { "https://else.example/" }
          if isLong { "https://more.example/" }
        }
      }
      for name in ["x", "y"] { ProbeSet(name, "https://\(name).example/") }
    }
    let plan = try Self.plan(pipeline)
    #expect(plan.sets.map(\.name) == ["made", isLong ? "long" : "short", "x", "y"])
    let hosts = try plan.sets[1].probes.map { try ProbeURL($0.url).host }
    #expect(
      hosts == (isLong ? ["u.example", "then.example", "1.example", "2.example"] : ["else.example"]))
  }
}
