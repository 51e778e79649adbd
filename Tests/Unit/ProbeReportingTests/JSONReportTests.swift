import FoundationEssentials
import PortalAnalysis
import ProbeCore
import ProbePipeline
import Testing
import TestRequirements
import TestSupport

@testable import ProbeReporting

@Suite struct JSONReportTests {
  @Test func online() throws {
    let text = try JSONReport(Samples.online()).text()
    #expect(try text == Snapshot("online", is: text, extension: "json").text)
  }

  @Test func portal() throws {
    let text = try JSONReport(Samples.portal()).text()
    #expect(try text == Snapshot("portal", is: text, extension: "json").text)
  }

  @Test func thePortalAPIIsReported() throws {
    var result = try Samples.portal()
    let api = try Samples.url("https://portal.example/api")
    result.capport = CapportResult(
      of: api,
      CapportDocument(
        captive: true, userPortalURL: try Samples.url("https://portal.example/login"),
        timeRemaining: .seconds(90)))
    #expect(
      try JSONReport(result).text().contains(
        #""capport":{"bytesRemaining":null,"canExtendSession":null,"captive":true,"secondsRemaining":90,"#
          + #""userPortalURL":"https://portal.example/login","venueInfoURL":null}"#))
    result.capport = CapportResult(of: api, unavailable: .httpStatus, "found 404")
    #expect(try JSONReport(result).text().contains(#""capport":null"#))
  }

  @Test func theWISPrMessageIsReported() throws {
    var result = try Samples.portal()
    result.portal?.wispr = Samples.wispr()
    let text = try JSONReport(result).text()
    #expect(try text == Snapshot("wispr", is: text, extension: "json").text)
    result.portal?.wispr = WISPrMessage()
    #expect(
      try JSONReport(result).text().contains(
        #""wispr":{"abortLoginURL":null,"accessLocation":null,"accessProcedure":null,"locationName":null,"#
          + #""loginURL":null,"logoffURL":null,"messageType":null,"replyMessage":null,"responseCode":null}"#))
  }

  @Test func severalResultsAreAList() throws {
    let one = try JSONReport(Samples.online()).text().dropLast()
    #expect(try JSONReport([Samples.online()]).text() == "[\(one)]\n")
    #expect(try JSONReport([Samples.online(), Samples.online()]).text() == "[\(one),\(one)]\n")
    #expect(try JSONReport([]).text() == "[]\n")
  }

  @Test func hostileTextIsEscaped() throws {
    let text = try JSONReport(Samples.hostileResult()).text()
    #expect(try text == Snapshot("hostile", is: text, extension: "json").text)
    #expect(text.dropLast().unicodeScalars.allSatisfy { !$0.mustBeEscapedForDisplay })
    #expect(text.hasSuffix("}\n"))
    #expect(!text.contains("s3cret"))
  }

  @Test func escapesAreDecoded() throws {
    struct Report: Decodable { var pipeline: String }
    let text = try JSONReport(Samples.hostileResult()).text()
    #expect(try JSONDecoder().decode(Report.self, from: Data(text.utf8)).pipeline == Samples.hostile)
  }

  @Test func everyKeyIsPresent() throws {
    let probe = ProbeResult(url: "https://h/", outcome: .skipped)
    let result = RunResult(
      pipeline: "p", verdict: .offline, portal: nil, evidence: [],
      sets: [SetResult(name: "s", threshold: try .count(1), probes: [probe])], duration: .zero)
    let timings = #""timings":{"connect":null,"firstByte":null,"resolve":null,"tls":null,"total":null}"#
    #expect(
      try JSONReport(result).text()
        == #"{"duration":0,"evidence":[],"interception":null,"pipeline":"p","portal":null,"question":"internet","#
        + #""schema":1,"sets":[{"accepted":0,"labels":{},"met":null,"name":"s","probes":[{"attempts":null,"#
        + #""certificate":null,"detail":null,"finalURL":null,"#
        + #""labels":{},"name":null,"outcome":"skipped","reason":null,"redirects":[],"#
        + #""remoteAddress":null,"status":null,\#(timings),"url":"https://h/"}],"threshold":1,"total":1}],"#
        + #""time":null,"#
        + "\"verdict\":\"offline\"}\n")
  }

  @Test func performanceDataIncludesUnits() throws {
    var response = ProbeResponse(url: try ProbeURL("check://check_it"))
    response.performance = [
      PerformanceValue("rta", 0.083, text: "0.083", unit: "ms"),
      PerformanceValue("users", 3, text: "3", unit: ""),
    ]
    let probe = ProbeResult(
      url: "check://check_it", outcome: .accepted, response: response, captures: ["users": "3"])
    let result = RunResult(
      pipeline: "p", verdict: .healthy, portal: nil, evidence: [],
      sets: [SetResult(name: "s", threshold: .all, probes: [probe])], duration: .zero)
    let text = try JSONReport(result).text()
    #expect(
      text.contains(
        #""performance":[{"label":"rta","unit":"ms","value":0.083},{"label":"users","unit":null,"value":3}]"#)
    )
    #expect(text.contains(#""captures":{"users":"3"}"#))
  }

  @Test func theAPIIsReportedWithThePortal() throws {
    let url = try ProbeURL("https://api.example/")
    let page = try ProbeURL("https://portal.example/")
    let document = CapportDocument(captive: true, userPortalURL: page, timeRemaining: .seconds(90))
    let result = RunResult(
      pipeline: "p", verdict: .captivePortal, portal: Portal(loginURL: page, source: .capport), evidence: [],
      sets: [], duration: .zero, capport: CapportResult(of: url, document))
    #expect(
      try JSONReport(result).text().contains(
        #""portal":{"capport":{"bytesRemaining":null,"canExtendSession":null,"captive":true,"secondsRemaining":90,"#
          + #""userPortalURL":"https://portal.example/","venueInfoURL":null},"confidence":null,"kind":"login","#
          + #""loginURL":"https://portal.example/","source":"capport","wispr":null}"#))
  }

  static let thresholds: [(written: String, json: String)] = [
    ("100%", "\"100%\""), ("33.3 %", "\"33.3%\""), ("3", "3"),
  ]

  @Test(arguments: thresholds)
  func thresholdsAreWrittenAsInAFile(_ written: String, json: String) throws {
    let result = RunResult(
      pipeline: "p", verdict: .offline, portal: nil, evidence: [],
      sets: [SetResult(name: "s", threshold: try Threshold(written), probes: [])], duration: .zero)
    #expect(try JSONReport(result).text().contains("\"threshold\":\(json),"))
  }

  @Test(.heavy) func pythonCanParseTheSnapshots() throws {
    let program = "import json,sys; [json.load(open(f, encoding='utf-8')) for f in sys.argv[1:]]"
    let snapshots = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snapshots")
    let files = ["online", "portal", "wispr", "hostile"].map { snapshots.appending(path: "\($0).json").path }
    guard let code = try runProgram("python3", ["-c", program] + files) else {
      try skipTest("there is no python3")
    }
    #expect(code == 0)
  }
}
