import TestSupport
import ProbeCore
import ProbePipeline
import Testing

@testable import ProbeReporting

@Suite struct TextReportTests {
  @Test func online() throws {
    let text = TextReport(try Samples.online()).text
    #expect(try text == Snapshot("online", is: text).text)
  }

  @Test func portal() throws {
    let text = TextReport(try Samples.portal(), showsName: true).text
    #expect(try text == Snapshot("portal", is: text).text)
  }

  @Test func color() throws {
    let text = TextReport(try Samples.portal(), usesColor: true).text
    #expect(try text == Snapshot("portal-color", is: text).text)
    let plain = text.split(separator: "\u{1B}[").map { $0.drop { $0.isNumber }.drop { $0 == "m" } }.joined()
    #expect(plain == TextReport(try Samples.portal()).text, "colour changes nothing else")
  }

  @Test func asciiOutput() throws {
    let hostile = try Samples.hostileResult()
    for result in [hostile, try Samples.portal(), try Samples.many(1000)] {
      let text = TextReport(result, showsName: true, usesASCII: true).text
      #expect(text.utf8.allSatisfy { $0 < 0x80 })
      #expect(text.contains("  x failed") || text.contains("  + accepted"))
      let verbose = VerboseReport(usesASCII: true).text(of: result)
      #expect(verbose.utf8.allSatisfy { $0 < 0x80 })
    }
    let style = TextStyle(usesColor: false, usesASCII: true)
    #expect(style.shown("Östlich → 3 × …\u{1B}") == "\\u{d6}stlich -> 3 x ...\\x1b")
    #expect(TextStyle(usesColor: false).shown("Östlich…\u{1B}") == "Östlich…\\x1b")
  }

  @Test func manyProbesAreCounted() throws {
    let text = TextReport(try Samples.many(1000)).text
    #expect(try text == Snapshot("many", is: text).text)
  }

  @Test func hostileTextIsEscaped() throws {
    let text = TextReport(try Samples.hostileResult(), showsName: true).text
    #expect(try text == Snapshot("hostile", is: text).text)
    #expect(text.isSafeToShow)
    #expect(!text.contains("s3cret"))
  }

  /// A portal that a single operator suggests in an open network is no login to open.
  @Test func aSuggestedPortalIsNotInTheFirstLine() throws {
    var result = try Samples.portal()
    result.verdict = .online
    #expect(result.portal != nil && result.loginURL == nil)
    #expect(!result.verdictDescription.contains("log in"))
    #expect(!TextReport(result).text.contains("log in at"))
  }

  @Test func nothing() {
    let result = RunResult(
      pipeline: "empty", verdict: .inconclusive, portal: nil, evidence: [], sets: [], duration: .zero)
    #expect(
      TextReport(result).text
        == "inconclusive: the evidence is not sufficient for a verdict\n\n0 probes in 0 sets, 0.0 ms\n")
  }

  static let durations: [(duration: Duration, text: String, seconds: Double)] = [
    (.zero, "0.0 ms", 0), (.microseconds(449), "0.4 ms", 0.000449),
    (.microseconds(9_999), "9.9 ms", 0.009999),
    (.milliseconds(45), "45 ms", 0.045), (.microseconds(999_999), "999 ms", 0.999999),
    (.milliseconds(1_005), "1.00 s", 1.005), (.milliseconds(61_230), "61.23 s", 61.23),
    (.seconds(Int64.max), "9223372036854775807.00 s", 9_223_372_036_854_775_808),
    (.nanoseconds(1_499), "0.0 ms", 0.000001), (.nanoseconds(123_456_789), "123 ms", 0.123457),
  ]

  @Test(arguments: durations)
  func durationsAreFormatted(_ duration: Duration, text: String, seconds: Double) {
    #expect(duration.forPerson == text)
    #expect(duration.inSeconds == seconds)
  }

  @Test(arguments: Verdict.allCases)
  func everyVerdictHasADescription(_ verdict: Verdict) {
    #expect(!verdict.longDescription.isEmpty)
  }
}

@Suite struct VerboseReportTests {
  @Test func portal() throws {
    let text = VerboseReport().text(of: try Samples.portal())
    #expect(try text == Snapshot("portal-verbose", is: text).text)
  }

  @Test func hostileTextIsEscaped() throws {
    let text = VerboseReport().text(of: try Samples.hostileResult())
    #expect(try text == Snapshot("hostile-verbose", is: text).text)
    #expect(text.isSafeToShow)
    #expect(!text.contains("s3cret"))
  }

  @Test func color() throws {
    let probe = ProbeResult(url: "https://h/", outcome: .accepted)
    #expect(VerboseReport(usesColor: true).text(of: probe) == "\u{1B}[32m✓ accepted\u{1B}[0m https://h/\n")
  }
}

extension String {
  /// Whether the text cannot control a terminal, apart from line breaks.
  var isSafeToShow: Bool {
    unicodeScalars.allSatisfy { $0 == "\n" || !$0.mustBeEscapedForDisplay }
  }
}
