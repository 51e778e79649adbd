import Foundation
import ProbeCore
import ProbePipeline
import TestSupport
import Testing

@testable import ProbeReporting

@Suite struct JUnitReporterTests {
  struct Case: Codable, Equatable {
    var suite: String
    var name: String
    var classname: String
    var time: Double
    /// The kind of each result with its type, message and text.
    var results: [[String?]]
  }

  /// junitparser, which reads strictly what XML allows.
  static let junitparser = OtherParser.python(
    """
    from junitparser import JUnitXml, TestSuite
    xml = JUnitXml.fromfile(sys.argv[1])
    cases = []
    for suite in xml:
        assert isinstance(suite, TestSuite)
        assert suite.tests == len(list(suite)), suite.tests
        assert suite.failures == sum(any(r._tag == 'failure' for r in c.result) for c in suite)
        assert suite.skipped == sum(any(r._tag == 'skipped' for r in c.result) for c in suite)
        for case in suite:
            results = [[r._tag, r.type, r.message, r.text] for r in case.result]
            cases.append({'suite': suite.name, 'name': case.name, 'classname': case.classname,
                          'time': case.time, 'results': results})
    assert xml.tests == len(cases)
    json.dump(cases, sys.stdout)
    """)

  @Test func golden() throws {
    let text = JUnitReporter().text(of: try HostileSamples.runs())
    #expect(try text == Snapshot("several-junit", is: text, extension: "xml").text)
  }

  @Test func anotherParserReadsTheSame() throws {
    let cases = try Self.junitparser.read(
      JUnitReporter().text(of: try HostileSamples.runs()), as: [Case].self)
    guard let cases else { return }
    #expect(
      cases.map { "\($0.suite)|\($0.name)|\($0.time)|\($0.results.map { $0[0] ?? "" }.joined())" } == [
        "office: example|https://www.example.com/|0.0615|", "office: verdict|verdict|0.062|",
        "built-in: plain|http://captive.example/hotspot-detect.html|0.0027|failure",
        "built-in: plain|http://gone.example/|5.0|failure",
        "built-in: secure|https://www.example.com/|0.0|skipped", "built-in: verdict|verdict|5.012345|failure",
      ])
    let portal = try #require(cases.first { $0.suite == "built-in: plain" }?.results.first)
    #expect(portal[1] == "http.status")
    #expect(
      portal[2]
        == "expected a 2xx status, found 302 Found, a redirect to \"http://192.0.2.1/login\"")
    #expect(portal[3]?.contains("remoteAddress: 192.0.2.1:80") == true)
  }

  @Test func hostileTextStaysText() throws {
    // One parse for all of them: starting Python takes longer than everything else.
    let runs = try HostileSamples.texts.map { ReportedRun(source: $0, try HostileSamples.run($0)) }
    let text = JUnitReporter().text(of: runs)
    #expect(text.isSafeToShow)
    #expect(!text.contains("]]>"))
    guard let cases = try Self.junitparser.read(text, as: [Case].self) else { return }
    try #require(cases.count == HostileSamples.texts.count * 5)
    for (index, hostile) in HostileSamples.texts.enumerated() {
      let mine = cases[(index * 5)..<(index * 5 + 5)]
      let shown = hostile.withoutNoncharacters
      #expect(mine.allSatisfy { $0.classname.hasPrefix("\(shown): ") })
      #expect(mine.map(\.name).prefix(4).allSatisfy { $0 == "https://probe.example/\(shown)" })
      let kinds = mine.map { $0.results.map { $0[0] ?? "" } }
      #expect(kinds == [[], ["failure"], ["failure"], ["skipped"], ["failure"]])
      #expect(mine.first { !$0.results.isEmpty }?.results[0][2] == shown)
    }
  }

  @Test func nothing() throws {
    let text = JUnitReporter().text(of: [])
    #expect(
      text.hasSuffix(
        "<testsuites name=\"probekit\" tests=\"0\" failures=\"0\" errors=\"0\" skipped=\"0\">\n</testsuites>\n"
      ))
    #expect(try Self.junitparser.read(text, as: [Case].self) ?? [] == [])
  }
}
