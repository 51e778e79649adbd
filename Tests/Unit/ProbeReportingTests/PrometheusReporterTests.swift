import Foundation
import ProbeCore
import ProbePipeline
import TestSupport
import Testing

@testable import ProbeReporting

@Suite struct PrometheusReporterTests {
  struct Sample: Codable, Hashable {
    var name: String
    var labels: [String: String]
    var value: Double
  }

  struct Family: Codable {
    var name: String
    var type: String
    var help: String
    var samples: [Sample]
  }

  /// The parser of Prometheus' own client for Python.
  static let client = OtherParser.python(
    """
    from prometheus_client.parser import text_string_to_metric_families
    text = open(sys.argv[1], encoding='utf-8', newline='').read()
    families = [{'name': f.name, 'type': f.type, 'help': f.documentation,
                 'samples': [{'name': s.name, 'labels': s.labels, 'value': s.value} for s in f.samples]}
                for f in text_string_to_metric_families(text)]
    json.dump(families, sys.stdout)
    """)

  @Test func golden() throws {
    let text = PrometheusReporter().text(of: try HostileSamples.runs())
    #expect(try text == Snapshot("several", is: text, extension: "prom").text)
  }

  @Test func aThirdPartyParserReadsTheSameResults() throws {
    let runs = try HostileSamples.runs()
    let families = try Self.client.read(PrometheusReporter().text(of: runs), as: [Family].self)
    #expect(Set(families.map(\.name)).count == families.count, "a metric is in one piece")
    #expect(families.allSatisfy { $0.type == "gauge" && !$0.help.isEmpty && $0.name.hasPrefix("probekit_") })
    let samples = families.flatMap(\.samples)
    let verdicts = samples.filter { $0.name == "probekit_verdict" && $0.value == 1 }
    #expect(verdicts.map { $0.labels["verdict"] } == ["online", "captivePortal"])
    #expect(
      samples.count { $0.name == "probekit_verdict" } == 2
        * Verdict.allCases.count { $0.question == .internet })
    let url = "http://captive.example/hotspot-detect.html"
    let portal = samples.filter { $0.labels["url"] == url }
    #expect(portal.first { $0.name == "probekit_probe_success" }?.value == 0)
    #expect(portal.first { $0.name == "probekit_probe_duration_seconds" }?.value == 0.0027)
    #expect(portal.first { $0.name == "probekit_probe_outcome" }?.labels["reason"] == "http.status")
    #expect(portal.first { $0.labels["phase"] == "connect" }?.value == 0.0004)
    #expect(portal.first { $0.name == "probekit_probe_http_status_code" }?.value == 302)
    let skipped = samples.filter { $0.labels["set"] == "secure" && $0.labels["url"] != nil }
    #expect(skipped.map(\.name) == ["probekit_probe_outcome"])
  }

  @Test func certificateExpiryIsReported() throws {
    let run = ReportedRun(source: "x", try Samples.hostileResult())
    let line = PrometheusReporter().text(of: [run]).split(separator: "\n").last
    #expect(line?.hasPrefix("probekit_certificate_not_after_seconds{") == true)
    #expect(line?.hasSuffix(" 1800000000") == true)
  }

  /// In base units, with the unit as a label.
  @Test func performanceDataUsesBaseUnits() throws {
    let written: [(number: Double, unit: String, sample: String)] = [
      (0.083, "ms", "seconds\"} 8.3e-05"), (250, "us", "seconds\"} 0.00025"), (3, "ns", "seconds\"} 3e-09"),
      (1.5, "s", "seconds\"} 1.5"), (44, "%", "ratio\"} 0.44"), (7, "c", "count\"} 7"),
      (12, "B", "bytes\"} 12"),
      (2, "kB", "bytes\"} 2000"), (2, "KB", "bytes\"} 2000"), (3, "MB", "bytes\"} 3000000"),
      (4, "TB", "bytes\"} 4000000000000"), (2, "KiB", "bytes\"} 2048"), (1, "MiB", "bytes\"} 1048576"),
      (21.5, "C", "C\"} 21.5"), (-3, "", "} -3"),
    ]
    var response = ProbeResponse(url: try Samples.url("check://check_it"))
    response.performance = written.enumerated().map { index, value in
      PerformanceValue("v\(index)", value.number, text: "", unit: value.unit)
    }
    var run = try Samples.online()
    let probe = ProbeResult(url: "check://check_it", outcome: .accepted, response: response)
    run.sets = [SetResult(name: "example", threshold: .all, probes: [probe])]
    let text = PrometheusReporter().text(of: [ReportedRun(source: "a", run)])
    let start =
      "probekit_probe_performance{pipeline=\"office\",set=\"example\",url=\"check://check_it\",performance_label=\"v"
    #expect(
      text.split(separator: "\n").filter { $0.hasPrefix("probekit_probe_performance{") }
        == written.enumerated().map { index, value in
          let unit = value.unit.isEmpty ? "" : ",performance_unit=\""
          return "\(start)\(index)\"\(unit)\(value.sample)"
        })
    let families = try Self.client.read(text, as: [Family].self)
    #expect(families.first { $0.name == "probekit_probe_performance" }?.samples.count == written.count)
  }

  @Test func noSeriesIsRepeated() throws {
    var run = try Samples.online()
    run.sets = [
      SetResult(name: "s", threshold: .all, probes: run.sets[0].probes + run.sets[0].probes)
    ]
    let text = PrometheusReporter().text(of: [
      ReportedRun(source: "a", run), ReportedRun(source: "b", run),
      ReportedRun(source: "c", try Samples.portal()),
    ])
    let series = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.prefix { $0 != "}" } }
    #expect(Set(series).count == series.count)
    let url = #"url="https://www.example.com/""#
    #expect(
      text.contains(
        "probekit_probe_success{pipeline=\"office\",run=\"2\",set=\"s\",\(url),index=\"1\"} 1\n"))
    #expect(text.contains("probekit_set_met{pipeline=\"built-in\",set=\"plain\"} 0\n"))
  }

  /// Names of sets, probes and values that differ may be equal because of their escapes, and a plugin may repeat a
  /// value.
  @Test func noSeriesIsRepeatedBecauseOfItsEscapes() throws {
    let alike = ["a\u{200B}", "a\\u{200b}", "a"]
    var response = ProbeResponse(url: try Samples.url("check://check_it"))
    response.performance = (alike + ["a"]).map { PerformanceValue($0, 1, text: "", unit: "s") }
    response.performance.append(PerformanceValue("a", 1, text: "", unit: "ms"))
    response.performance.append(PerformanceValue("a", 1, text: "", unit: "B"))
    let probes = (alike + [""]).map { name in
      var probe = ProbeResult(url: "check://check_it", outcome: .accepted, response: response)
      probe.name = name
      return probe
    }
    let unnamed = ProbeResult(url: "check://check_it", outcome: .accepted, response: response)
    var run = try Samples.online()
    run.sets = alike.map { SetResult(name: $0, threshold: .all, probes: probes + [unnamed]) }
    let text = PrometheusReporter().text(of: [ReportedRun(source: "a", run)])
    let samples = try Self.client.read(text, as: [Family].self).flatMap(\.samples)
    // A label without a value is as good as none.
    let series = samples.map { sample in
      Sample(name: sample.name, labels: sample.labels.filter { !$0.value.isEmpty }, value: 0)
    }
    #expect(Set(series).count == series.count)
    #expect(samples.count { $0.name == "probekit_probe_performance" } == 3 * 5 * 6)
    let sets = samples.filter { $0.name == "probekit_set_met" }.map { $0.labels["set_index"] }
    #expect(sets == ["1", "2", nil])
  }

  @Test func hostileTextRemainsText() throws {
    let runs = try HostileSamples.texts.map { ReportedRun(source: $0, try HostileSamples.run($0)) }
    let text = PrometheusReporter().text(of: runs)
    #expect(text.isSafeToShow)
    let families = try Self.client.read(text, as: [Family].self)
    let samples = families.flatMap(\.samples)
    #expect(Set(samples.map { Sample(name: $0.name, labels: $0.labels, value: 0) }).count == samples.count)
    #expect(families.count == 9)
    for hostile in HostileSamples.texts {
      let shown = hostile.escapedForDisplay
      let mine = samples.filter { $0.labels["pipeline"] == shown && $0.labels["set"] == shown }
      #expect(mine.count { $0.name == "probekit_probe_outcome" } == 4, "\(hostile.prefix(20))")
      #expect(mine.filter { $0.name == "probekit_probe_success" }.map(\.value) == [1, 0, 0])
      #expect(mine.filter { $0.labels["url"] == "https://probe.example/\(shown)" }.count >= 7)
    }
  }

  @Test func anEmptyReport() {
    #expect(PrometheusReporter().text(of: []) == "")
  }
}
