import Foundation
import ProbeCore
import ProbePipeline
import TestSupport
import Testing

@testable import ProbeReporting
@testable import ProbeScan

/// The lines of a scan, which are written without an encoder.
@Suite struct ScanRecordsTests {
  /// A record with every kind of field.
  private struct Everything: FieldRecord {
    var text: String?
    var whole: Int?
    var number: Double?
    var texts: [String]
    var table: [String: String]
    var inner: [Everything] = []

    func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
      try sink.field("text", text)
      try sink.field("whole", whole)
      try sink.field("number", number)
      try sink.field("texts", texts)
      try sink.field("table", table)
      try sink.field("first", inner.first)
      try sink.field("inner", inner)
    }
  }

  private static func value(_ bytes: [UInt8]) throws -> [String: NSObject] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: NSObject])
  }

  private struct Text: Decodable { var text: String? }

  /// Checks that a record's text is one safe line, with the same value as an encoder's output.
  private static func check(_ record: some FieldRecord, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let line = FieldText.line(record)
    let encoded = Array(try JSONEncoder().encode(record))
    #expect(try value(line) == value(encoded), sourceLocation: sourceLocation)
    #expect(line.last == UInt8(ascii: "\n"), sourceLocation: sourceLocation)
    let text = String(decoding: line.dropLast(), as: UTF8.self)
    #expect(
      Array(text.utf8) == Array(line.dropLast()), "it is not valid UTF-8", sourceLocation: sourceLocation)
    #expect(
      text.unicodeScalars.allSatisfy { !$0.mustBeEscapedForDisplay }, "\(text)",
      sourceLocation: sourceLocation)
  }

  @Test(
    arguments: HostileSamples.texts + [
      "{", "}", "[", "{\"", "\\u0000", "\u{7F}", "\u{0}", "𝄞\u{2029}", "e\u{301}",
    ])
  func textMatchesTheEncoder(_ text: String) throws {
    let record = Everything(
      text: text, texts: [text, "", text], table: ["a": "", "{": "}"].merging([text: text]) { $1 })
    try Self.check(record)
    var outer = record
    outer.inner = [record, record]
    try Self.check(outer)
  }

  @Test func everyScalarOfTheFirstTwoPlanes() throws {
    for start in stride(from: 0, to: 0x20000, by: 64) {
      let text = String(
        String.UnicodeScalarView((start..<(start + 64)).compactMap { Unicode.Scalar(UInt32($0)) }))
      let line = FieldText.line(Everything(text: text, texts: [], table: [:]))
      let object = try JSONDecoder().decode(Text.self, from: Data(line))
      #expect(
        object.text?.unicodeScalars.elementsEqual(text.unicodeScalars) == true, "\(start)")
      #expect(!line.dropLast().contains { $0 < 0x20 || $0 == 0x7F })
    }
  }

  @Test func numbers() throws {
    let doubles: [Double] = [
      0, -0.0, 0.1, 1, 1e15, 1e16, 1e17, 123_456_789.125, .leastNonzeroMagnitude, 1e-7,
      .greatestFiniteMagnitude, 1.0 / 3,
      1e300,
    ]
    for number in doubles + doubles.map({ -$0 }) {
      try Self.check(Everything(whole: .max, number: number, texts: [], table: [:]))
    }
    for number in [Int.min, -1, 0, 7, .max] {
      try Self.check(Everything(whole: number, texts: [], table: [:]))
    }
    // JSON cannot represent these, and an encoder would throw.
    for number in [Double.nan, .infinity, -.infinity] {
      let object = try Self.value(FieldText.line(Everything(number: number, texts: [], table: [:])))
      #expect(object["number"] == NSNull())
    }
  }

  @Test func missingValuesAreNull() throws {
    let text = String(decoding: FieldText.line(Everything(texts: [], table: [:])), as: UTF8.self)
    #expect(
      text == #"{"text":null,"whole":null,"number":null,"texts":[],"table":{},"first":null,"inner":[]}"#
        + "\n")
  }

  @Test func probeRecordsMatchTheEncoder() throws {
    let results = [try Samples.online(), try Samples.portal(), try Samples.hostileResult()]
    for probe in results.flatMap(\.sets).flatMap(\.probes) { try Self.check(ProbeRecord(probe)) }
    for text in HostileSamples.texts {
      for probe in try HostileSamples.run(text).sets.flatMap(\.probes) { try Self.check(ProbeRecord(probe)) }
    }
  }

  private static func line(_ id: ScanLine.ID?) throws -> ScanLine {
    var line = ScanLine(number: 12, url: "https://www.example.com/", target: .failure(InvalidInput("")))
    line.id = id
    return line
  }

  @Test func scanLinesHaveTheFieldsOfARun() throws {
    let probe = try Samples.portal().sets[0].probes[0]
    let reported = try Self.value(Array(try JSONEncoder().encode(ProbeRecord(probe))))
    let ids: [(ScanLine.ID?, NSObject)] = [
      (nil, NSNull()), (.text("a\u{202E}"), "a\u{202E}" as NSString),
      (.number(.min), NSNumber(value: Int.min)),
    ]
    for (id, value) in ids {
      let bytes = ScanRecords.line(of: try Self.line(id), in: "shop", probe)
      var object = try Self.value(bytes)
      #expect(object.removeValue(forKey: "id") == value)
      #expect(object.removeValue(forKey: "line") == NSNumber(value: 12))
      #expect(object.removeValue(forKey: "set") == "shop" as NSString)
      #expect(object.removeValue(forKey: "type") == "probe" as NSString)
      #expect(object.removeValue(forKey: "schema") == NSNumber(value: 1))
      #expect(object == reported)
    }
  }

  @Test func credentialsInAURLAreNotWritten() throws {
    let probe = try Samples.hostileResult().sets[0].probes[1]
    let line = ScanRecords.line(of: try Self.line(nil), in: "s", probe)
    #expect(!String(decoding: line, as: UTF8.self).contains("s3cret"))
  }

  @Test func theEndRecord() {
    var end = ScanEnd()
    (end.lines, end.digest, end.duration) = (9, "abc", .milliseconds(1500))
    end.outcomes = [.accepted: 3, .failed: 2, .intercepted: 1]
    let start = #"{"schema":1,"type":"end","lines":9,"results":6,"accepted":3,"failed":2,"intercepted":1,"#
    #expect(
      String(decoding: ScanRecords.line(of: end), as: UTF8.self)
        == start + #""skipped":0,"seconds":1.5,"digest":"abc"}"# + "\n")
    (end.part, end.shard) = (4, "1/2")
    #expect(
      String(decoding: ScanRecords.line(of: end), as: UTF8.self)
        == start + #""skipped":0,"seconds":1.5,"digest":"abc","part":4,"shard":"1/2"}"# + "\n")
  }
}

/// The running totals of a scan.
@Suite struct ScanTallyTests {
  private static func line(_ host: String) -> ScanLine {
    let url = "https://\(host)/"
    return ScanLine(number: 1, url: url, target: Result { () throws(InvalidInput) in try ProbeURL(url) })
  }

  private static func result(_ host: String, _ reason: ReasonCode? = nil, _ time: Duration) throws
    -> ProbeResult
  {
    ProbeResult(
      url: "https://\(host)/", outcome: reason == nil ? .accepted : .failed, reason: reason,
      response: ProbeResponse(url: try ProbeURL("https://\(host)/"), timings: ProbeTimings(total: time)))
  }

  @Test func anEmptyTally() {
    #expect(ScanTally().outcomesDescription == "no results")
    #expect(ScanTally().summary().isEmpty)
  }

  @Test func reasonsAreSortedAndSlowHostsAreListedOnce() throws {
    var tally = ScanTally()
    for index in 0..<2000 {
      // Each host is slower than the one before, and its second probe faster.
      for time in [index + 1, 1] {
        tally.add(try Self.result("h\(index)", nil, .milliseconds(time)), of: Self.line("h\(index)"))
      }
    }
    for (count, reason) in [(10, ReasonCode.connectTimeout), (2, .noSuchHost), (2, .httpStatus)] {
      for _ in 0..<count { tally.add(try Self.result("a", reason, .milliseconds(1)), of: Self.line("a")) }
    }
    #expect(tally.results == 4014)
    #expect(tally.outcomesDescription == "4000 accepted, 14 failed")
    #expect(
      tally.summary() == [
        "  10 timeout.connect", "   2 dns.noSuchHost", "   2 http.status",
        "slowest hosts: h1999 2.00 s, h1998 1.99 s, h1997 1.99 s, h1996 1.99 s, h1995 1.99 s",
      ])
  }

  @Test func aSlowerProbeOfAKnownHostReplacesItsTime() throws {
    var tally = ScanTally()
    for (host, seconds) in [("a", 3), ("b", 2), ("b", 4), ("a", 1)] {
      tally.add(try Self.result(host, nil, .seconds(seconds)), of: Self.line(host))
    }
    #expect(tally.summary() == ["slowest hosts: b 4.00 s, a 3.00 s"])
  }
}
