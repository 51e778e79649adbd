import ProbeCore
import ProbePipeline
import TestSupport
import Testing

@testable import ProbeReporting

@Suite struct ReportFormatTests {
  @Test func formatsAreFoundByName() {
    #expect(ReportFormat.all.map(\.name) == ["text", "json", "ndjson", "junit", "tap", "prometheus"])
    #expect(ReportFormat.named("tap")?.name == "tap")
    #expect(ReportFormat.named("yaml") == nil)
  }

  @Test(arguments: ReportFormat.all.map(\.name))
  func networkTextCannotControlTheTerminal(_ name: String) throws {
    let reporter = try #require(ReportFormat.named(name)).reporter()
    for text in HostileSamples.texts {
      let result = try HostileSamples.run(text)
      let run = ReportedRun(source: text, result)
      let probe = try reporter.text(of: result.sets[0].probes[1], in: text, of: text)
      #expect((try probe + reporter.text(ofFinished: run) + reporter.text(of: [run, run])).isSafeToShow)
    }
  }

  @Test(arguments: ReportFormat.all.map(\.name))
  func noFormatShowsCredentials(_ name: String) throws {
    let reporter = try #require(ReportFormat.named(name)).reporter()
    let result = try Samples.hostileResult()
    let run = ReportedRun(source: "x.yaml", result)
    let probe = try reporter.text(of: result.sets[0].probes[1], in: "s", of: "p")
    #expect(!(try probe + reporter.text(ofFinished: run) + reporter.text(of: [run])).contains("s3cret"))
  }

  @Test func oneRunIsAnObjectAndSeveralAreAList() throws {
    let run = ReportedRun(source: "x", try Samples.online())
    let reporter = JSONReporter()
    #expect(try reporter.text(of: [run]) == JSONReport(run.result).text())
    #expect(try reporter.text(of: [run, run]) == JSONReport([run.result, run.result]).text())
  }

  @Test func severalReportsEndWithASummary() throws {
    let text = TextReporter(style: TextStyle(usesColor: false)).text(of: try HostileSamples.runs())
    #expect(try text == Snapshot("several", is: text).text)
    let color = TextReporter(style: TextStyle(usesColor: true)).text(of: try HostileSamples.runs())
    #expect(color.replacing(/\u{1B}\[\d+m/, with: "") == text, "colour changes nothing else")
  }

  @Test func aSingleReportHasNoSummary() throws {
    let run = ReportedRun(source: "x", try Samples.portal())
    #expect(TextReporter(style: TextStyle(usesColor: false)).text(of: [run]) == TextReport(run.result).text)
  }

  @Test func familiesDistinguishProbes() throws {
    var run = try Samples.online()
    run.sets = [
      SetResult(
        name: "both", threshold: .all,
        probes: IPFamily.allCases.map { ProbeResult(url: "https://h/", outcome: .accepted, family: $0) })
    ]
    let runs = [ReportedRun(source: "x", run)]
    for format in ["text", "junit", "tap"] {
      let text = try #require(try ReportFormat.named(format)?.reporter().text(of: runs))
      #expect(text.contains("https://h/ (v4)") && text.contains("https://h/ (v6)"), "\(text)")
    }
    let metrics = PrometheusReporter().text(of: runs)
    #expect(metrics.contains("set=\"both\",url=\"https://h/\",family=\"v6\"} 1\n"))
    #expect(!metrics.contains("index="))
  }

  static let seconds: [(duration: Duration, text: String)] = [
    (.zero, "0"), (.microseconds(93), "0.000093"), (.milliseconds(2700), "2.7"), (.seconds(12), "12"),
    (.nanoseconds(400), "0"), (.microseconds(1_234_567), "1.234567"), (.seconds(86_400 * 365), "31536000"),
    (.milliseconds(-1500), "-1.5"), (.nanoseconds(500), "0.000001"), (.nanoseconds(-500), "-0.000001"),
    (.seconds(10_000_000_000_000), "10000000000000"), (.seconds(Int64.max), "9223372036854775807"),
    (.seconds(Int64.min), "-9223372036854775808"),
  ]

  @Test(arguments: seconds)
  func decimalSeconds(_ duration: Duration, text: String) {
    #expect(duration.decimalSeconds == text)
  }
}
