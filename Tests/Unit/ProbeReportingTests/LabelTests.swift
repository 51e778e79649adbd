import ProbeCore
import ProbePipeline
import Testing

@testable import ProbeReporting

/// Names and labels of sets and probes in every format.
@Suite struct LabelTests {
  private static let url = "https://shop.example/"

  private static func run() throws -> ReportedRun {
    var search = ProbeResult(url: url, outcome: .accepted)
    (search.name, search.labels) = ("search", ["env": "prod", "tier": "2"])
    var failed = ProbeResult(url: url, outcome: .failed, reason: .httpStatus, detail: "no")
    failed.labels = ["env": "prod"]
    var set = SetResult(name: "pages", threshold: .all, probes: [search, failed, failed])
    set.labels = ["env": "prod"]
    return ReportedRun(
      source: "shop.yaml",
      RunResult(
        pipeline: "shop", verdict: .inconclusive, portal: nil, evidence: [], sets: [set], duration: .zero))
  }

  @Test func text() throws {
    let text = TextReport(try Self.run().result).text
    #expect(text.contains("pages (env=prod): 1 of 3 accepted"))
    // The labels of its set are not repeated.
    #expect(text.contains("✓ accepted  search: https://shop.example/ (tier=2)\n"))
    #expect(text.contains("✗ failed    https://shop.example/                   http.status: no\n"))
  }

  @Test func verbose() throws {
    let text = VerboseReport().text(of: try Self.run().result)
    #expect(text.hasPrefix("✓ accepted search: https://shop.example/\n    labels       env=prod, tier=2\n"))
  }

  @Test func json() throws {
    let text = try JSONReport(try Self.run().result).text()
    #expect(text.contains(#""labels":{"env":"prod","tier":"2"},"name":"search","outcome":"accepted""#))
    #expect(text.contains(#""labels":{"env":"prod"},"name":null,"outcome":"failed""#))
    #expect(text.contains(#""labels":{"env":"prod"},"met":false,"name":"pages""#))
  }

  /// CI systems show only one of several cases with the same name.
  @Test func junitCasesHaveUniqueNames() throws {
    let text = JUnitReporter().text(of: [try Self.run()])
    #expect(text.contains(#"<property name="label.env" value="prod"/>"#))
    #expect(text.contains(#"<testcase name="search: https://shop.example/" classname="shop: pages""#))
    #expect(text.contains("<system-out>labels: env=prod, tier=2</system-out>"))
    #expect(text.contains(#"<testcase name="https://shop.example/ #1""#))
    #expect(text.contains(#"<testcase name="https://shop.example/ #2""#))
  }

  @Test func tap() throws {
    let text = TAPReporter().text(of: [try Self.run()])
    #expect(text.contains("ok 1 - shop: pages: search: https://shop.example/\n"))
    #expect(text.contains("  labels: 'env=prod'\n"))
  }

  @Test func metrics() throws {
    let text = PrometheusReporter().text(of: [try Self.run()])
    #expect(text.contains(#"probekit_set_met{pipeline="shop",set="pages",env="prod"} 0"#))
    #expect(
      text.contains(
        #"probekit_probe_success{pipeline="shop",set="pages",url="https://shop.example/",name="search","#
          + #"env="prod",tier="2"} 1"#))
    #expect(
      text.contains(
        #"probekit_probe_success{pipeline="shop",set="pages",url="https://shop.example/",index="2",env="prod"} 0"#
      ))
  }
}
