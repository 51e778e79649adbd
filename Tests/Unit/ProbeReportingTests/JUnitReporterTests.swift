import Foundation
import ProbeCore
import ProbePipeline
import TestRequirements
import TestSupport
import Testing

@testable import ProbeReporting

@Suite(.heavy) struct JUnitReporterTests {
  struct Case: Codable, Equatable {
    var suite: String
    var name: String
    var classname: String
    var time: Double
    /// The kind of each result with its type, message and text.
    var results: [[String?]]
  }

  /// junitparser, which accepts only valid XML.
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

  /// The rules of junit-10.xsd, the schema that the xUnit plugin of Jenkins uses to validate a report.
  ///
  /// They cover the attributes of each element, the required ones, the permitted content, and the format of
  /// times. They follow the strictest version of that schema.
  static let jenkins = OtherParser.python(
    """
    import re, xml.etree.ElementTree as tree
    counts = {'tests', 'failures', 'errors'}
    rules = {
        'testsuites': ({'name', 'time'} | counts, set(), {'testsuite'}),
        'testsuite': ({'name', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'group'} | counts,
                      {'name'} | counts, {'testsuite', 'properties', 'testcase', 'system-out', 'system-err'}),
        'properties': (set(), set(), {'property'}),
        'property': ({'name', 'value'}, {'name', 'value'}, set()),
        'testcase': ({'name', 'classname', 'time', 'group'}, {'name'},
                     {'skipped', 'error', 'failure', 'system-out', 'system-err'}),
        'failure': ({'type', 'message'}, set(), set()), 'error': ({'type', 'message'}, set(), set()),
        'skipped': ({'type', 'message'}, set(), set()),
    }
    wrong = []
    for element in tree.parse(sys.argv[1]).iter():
        allowed, needed, children = rules[element.tag]
        wrong += [f'{element.tag} has {name}' for name in sorted(set(element.keys()) - allowed)]
        wrong += [f'{element.tag} lacks {name}' for name in sorted(needed - set(element.keys()))]
        wrong += [f'{element.tag} has a {child.tag} in it' for child in element if child.tag not in children]
        time = element.get('time', '0')
        if not re.fullmatch(r'(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\\.[0-9]{0,3})?', time):
            wrong.append(f'{element.tag} has the time {time}')
        if children and (element.text or '').strip():
            wrong.append(f'{element.tag} has text in it')
    json.dump(sorted(set(wrong)), sys.stdout)
    """)

  @Test func reportsFollowTheJenkinsSchema() throws {
    let long = try HostileSamples.run("x", lasting: .seconds(123_456) + .microseconds(789_123))
    let runs = try HostileSamples.runs() + [ReportedRun(source: "c.yaml", long)]
    for runs in [runs, []] {
      #expect(try Self.jenkins.read(JUnitReporter().text(of: runs), as: [String].self) == [])
    }
    let wrong = "<testsuites skipped='0'><testsuite time='0.0001'><failure/></testsuite></testsuites>"
    #expect(
      try Self.jenkins.read(wrong, as: [String].self) == [
        "testsuite has a failure in it", "testsuite has the time 0.0001", "testsuite lacks errors",
        "testsuite lacks failures", "testsuite lacks name", "testsuite lacks tests", "testsuites has skipped",
      ])
  }

  @Test func golden() throws {
    let text = JUnitReporter().text(of: try HostileSamples.runs())
    #expect(try text == Snapshot("several-junit", is: text, extension: "xml").text)
  }

  @Test func aThirdPartyParserReadsTheSameResults() throws {
    let cases = try Self.junitparser.read(
      JUnitReporter().text(of: try HostileSamples.runs()), as: [Case].self)
    #expect(
      cases.map { "\($0.suite)|\($0.name)|\($0.time)|\($0.results.map { $0[0] ?? "" }.joined())" } == [
        "office: example|https://www.example.com/|0.062|", "office: verdict|verdict|0.062|",
        "built-in: plain|http://captive.example/hotspot-detect.html|0.003|failure",
        "built-in: plain|http://gone.example/|5.0|failure",
        "built-in: secure|https://www.example.com/|0.0|skipped", "built-in: verdict|verdict|5.012|failure",
      ])
    let portal = try #require(cases.first { $0.suite == "built-in: plain" }?.results.first)
    #expect(portal[1] == "http.status")
    #expect(
      portal[2]
        == "expected a 2xx status, found 302 Found, a redirect to \"http://192.0.2.1/login\"")
    #expect(portal[3]?.contains("remoteAddress: 192.0.2.1:80") == true)
  }

  @Test func hostileTextRemainsText() throws {
    // One parse for all of them: starting Python takes longer than everything else.
    let runs = try HostileSamples.texts.map { ReportedRun(source: $0, try HostileSamples.run($0)) }
    let text = JUnitReporter().text(of: runs)
    #expect(text.isSafeToShow)
    #expect(!text.contains("]]>"))
    let cases = try Self.junitparser.read(text, as: [Case].self)
    try #require(cases.count == HostileSamples.texts.count * 5)
    for (index, hostile) in HostileSamples.texts.enumerated() {
      let mine = cases[(index * 5)..<(index * 5 + 5)]
      let shown = hostile.withoutNoncharacters
      #expect(mine.allSatisfy { $0.classname.hasPrefix("\(shown): ") })
      #expect(mine.map(\.name).prefix(4) == (1...4).map { "https://probe.example/\(shown) #\($0)" }[...])
      let kinds = mine.map { $0.results.map { $0[0] ?? "" } }
      #expect(kinds == [[], ["failure"], ["failure"], ["skipped"], ["failure"]])
      #expect(mine.first { !$0.results.isEmpty }?.results[0][2] == shown)
    }
  }

  @Test func anEmptyReport() throws {
    let text = JUnitReporter().text(of: [])
    #expect(
      text.hasSuffix(
        "<testsuites name=\"probekit\" tests=\"0\" failures=\"0\" errors=\"0\">\n</testsuites>\n"
      ))
    #expect(try Self.junitparser.read(text, as: [Case].self) == [])
  }
}
