import Foundation
import ProbeCore
import ProbePipeline
import TestRequirements
import TestSupport
import Testing

@testable import ProbeReporting

@Suite struct LinesReporterTests {
  /// The entire output of the reporter for a run, in order.
  private func lines(of result: RunResult) throws -> String {
    let reporter = LinesReporter()
    let probes = try result.sets.flatMap { set in
      try set.probes.map { try reporter.text(of: $0, in: set.name, of: result.pipeline) }
    }
    let run = ReportedRun(source: "x.yaml", result)
    return try (probes + [reporter.text(ofFinished: run), reporter.text(of: [run])]).joined()
  }

  @Test func golden() throws {
    let text = try lines(of: Samples.portal())
    #expect(try text == Snapshot("portal", is: text, extension: "ndjson").text)
  }

  @Test func linesHaveTheFieldsOfTheReport() throws {
    let result = try Samples.portal()
    func object(_ text: some StringProtocol) throws -> [String: NSObject] {
      try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: NSObject])
    }
    let report = try object(try JSONReport(result).text())
    let sets = try #require(report["sets"] as? [[String: NSObject]])
    var lines = try self.lines(of: result).split(separator: "\n").map { try object($0) }
    var run = lines.removeLast()
    #expect(run.removeValue(forKey: "type") == "run" as NSString)
    let bare = sets.map { $0.filter { $0.key != "probes" } }
    #expect(run == report.merging(["sets": bare as NSArray]) { $1 })
    let probes = sets.flatMap { set in
      (set["probes"] as? [[String: NSObject]] ?? []).map { probe in
        probe.merging([
          "set": set["name"] ?? NSNull(), "pipeline": "built-in" as NSString, "type": "probe" as NSString,
        ]) {
          $1
        }
      }
    }
    #expect(lines == probes)
  }

  @Test(.heavy) func hostileTextStaysOnOneLine() throws {
    struct Line: Decodable {
      var type: String
      var pipeline: String
      var set: String?
      var detail: String?
    }
    let text = try HostileSamples.texts.map { try lines(of: try HostileSamples.run($0)) }.joined()
    #expect(text.isSafeToShow)
    let parser = OtherParser.python(
      """
      lines = open(sys.argv[1], encoding='utf-8', newline='').read().split('\\n')
      assert lines.pop() == ''
      json.dump([json.loads(line) for line in lines], sys.stdout)
      """)
    let parsed = try parser.read(text, as: [Line].self)
    try #require(parsed.count == HostileSamples.texts.count * 5)
    for (index, hostile) in HostileSamples.texts.enumerated() {
      let mine = parsed[(index * 5)..<(index * 5 + 5)]
      #expect(mine.map(\.type) == ["probe", "probe", "probe", "probe", "run"])
      #expect(mine.allSatisfy { $0.pipeline == hostile })
      #expect(mine.map(\.detail) == [nil, hostile, hostile, hostile, nil])
    }
  }
}
