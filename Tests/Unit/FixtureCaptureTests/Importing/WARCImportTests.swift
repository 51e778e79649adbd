import FixtureCapture
import FixtureReplay
import Foundation
import ProbeCore
import TestRequirements
import TestSupport
import Testing

/// Imports of web archives, byte for byte.
@Suite struct WARCImportTests {
  /// A record with a correct Content-Length.
  private static func record(_ type: String, _ fields: [String] = [], _ block: String) -> String {
    let lines =
      ["WARC/1.0", "WARC-Type: \(type)"] + fields + ["Content-Length: \(block.utf8.count)", "", block]
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
  }

  private static func response(
    _ block: String, at url: String = "http://portal.example/", _ fields: [String] = []
  ) -> String {
    record("response", ["WARC-Target-URI: \(url)"] + fields, block)
  }

  private static func mistakes(in text: String) -> [String] {
    FixtureCaptureTests.mistakes { () throws(InvalidImport) in try ImportedCapture(reading: text) }
  }

  @Test func responsesAreKeptAsReceived() throws {
    let odd =
      "HTTP/1.1  200 Ok then\nX-a :  b\r\n folded\r\nno field\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    let capture = try ImportedCapture(
      reading: Self.record(
        "warcinfo", ["Content-Type: application/warc-fields"], "software: Wget/1.21\r\nformat: x\r\n")
        + Self.record(
          "request",
          ["WARC-Target-URI: <http://portal.example/a>", "WARC-Record-ID: <urn:1>"],
          "POST /a HTTP/1.1\r\nHost: portal.example\r\n\r\nx=1")
        + Self.response(
          odd, at: "<http://portal.example/a>",
          ["WARC-Concurrent-To: <urn:1>", "WARC-IP-Address: 192.0.2.7", "WARC-Record-ID: <urn:2>"])
        + Self.response(
          "HTTP/1.0 302\r\nLocation: /b\r\n\r\n", at: "https://portal.example:8443/",
          ["WARC-Record-ID: <urn:3>"])
        + Self.record(
          "request", ["WARC-Target-URI: https://portal.example:8443/", "WARC-Concurrent-To: <urn:3>"],
          "HEAD / HTTP/1.1\r\n\r\n"))
    #expect(capture.origin == "WARC 1.0 by Wget/1.21")
    #expect(capture.received == [odd, "HTTP/1.0 302\r\nLocation: /b\r\n\r\n"])
    #expect(capture.exchanges.map(\.method) == ["POST", "HEAD"])
    #expect(
      capture.exchanges.map(\.url.string) == ["http://portal.example/a", "https://portal.example:8443/"])
    #expect(capture.exchanges.map(\.remoteAddress?.description) == ["192.0.2.7:80", nil])
    #expect(
      capture.exchanges.first?.wire?.sent == Array("POST /a HTTP/1.1\r\nHost: portal.example\r\n\r\nx=1".utf8)
    )
    #expect(capture.exchanges.map(\.wire?.ending) == [.open, .finished])
    #expect(
      capture.losses == [
        "how long each phase took", "how the connections ended",
        "the TLS version, cipher suite and certificates", "the addresses of the servers",
      ])
  }

  @Test func compressedMembersAreRead() throws {
    let packed = """
      H4sIAAAAAAACAwt3DHLWN9Qz4OUKB7J0QyoLUq0UyhOLkjPz0vJ5uZzz80pS80qg4okFBTmZyYklmfl5+iA1ummZqTkpxQhlPql5
      6SUZVgrGprxcvFzF+WklQGVAjeHpqSVAW4wM9YwVNHIy80ordNPzSjVBini5AGq1seWDAAAAH4sIAAAAAAACA0VOywrCMBC8B/IP
      +wNt2iIIEQ/Si4KIlEjPQZa0kCZLugf9exNokbkM82LGy9Crtm6kGDOrzJdQQ8KVYlhxF21yyNVruGmYmEkrRTGx9TV+7EIelRR9
      DIyBtwFL5Oe35TkGVRqnZXWcnfN/eS/cMTieNHRHKaS4GvPMd1romgM8ImypYhX8AK7eKeauAAAA
      """
    let bytes = try #require(Data(base64Encoded: packed, options: .ignoreUnknownCharacters))
    let capture = try CaptureImport.read("a.warc.gz", files: MemoryFiles(["a.warc.gz": Array(bytes)]))
    #expect(capture.origin == "WARC 1.0 by Wget/1.21.3 (linux-gnu)")
    #expect(capture.received == ["HTTP/1.1 204 No Content\r\n\r\n"])

    let cut = Array(bytes.dropLast(60))
    let reported = FixtureCaptureTests.mistakes { () throws(InvalidImport) in
      try CaptureImport.read("a", files: MemoryFiles(["a": cut]))
    }
    #expect(try #require(reported.first).hasPrefix("record 2 at byte 131: "), "\(reported)")
    let garbage = FixtureCaptureTests.mistakes { () throws(InvalidImport) in
      try CaptureImport.read("a", files: MemoryFiles(["a": [0x1F, 0x8B, 1, 2, 3]]))
    }
    #expect(garbage == ["the file is not valid gzip: test it with gzip -t"])
  }

  @Test func bytesThatAreNotTextAreKept() throws {
    let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX: ".utf8) + [0xE9, 0x0D, 0x0A, 0x0D, 0x0A]
    let block = head + [0x00, 0xFF, 0x0A]
    let bytes =
      Array(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\nContent-Length: \(block.count)\r\n\r\n"
          .utf8)
      + block + Array("\r\n\r\n".utf8)
    #expect(try CaptureImport.read(bytes).exchanges.first?.wire?.received == block)
  }

  @Test func chunksThatTheWriterRemovedAreReported() throws {
    let capture = try ImportedCapture(
      reading: Self.response(
        "HTTP/1.1 200 OK\r\nServer: a\r\nTransfer-Encoding: chunked\r\nX: b\r\n\r\n<html>\n"))
    #expect(capture.received == ["HTTP/1.1 200 OK\r\nServer: a\r\nContent-Length: 7\r\nX: b\r\n\r\n<html>\n"])
    #expect(
      capture.loss("the chunks")
        == "the chunks; a Content-Length replaces them: http://portal.example/")
  }

  @Test(arguments: ["3\r\nab", "3;x=y\r\nabc\r\n", "0\r\n\r\n", "2\nab\n0\n\n", "5\r\nabcd"])
  func malformedChunksAreKeptAsReceived(body: String) throws {
    let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
    #expect(try ImportedCapture(reading: Self.response(text)).received == [text])
  }

  @Test(arguments: ["", "abc", "feed the cat\n", "12", "2\nabc", "ffffffffffffffffffff\r\n"])
  func bytesThatAreNotChunksAreTheBody(body: String) throws {
    let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
    let fixed = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    #expect(try ImportedCapture(reading: Self.response(text)).received == [fixed])
  }

  @Test func decodedBodiesLoseTheirContentCoding() throws {
    let undone = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 40\r\n\r\n<p>"
    let lie = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n<p>"
    let short = "HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n<p>"
    let capture = try ImportedCapture(reading: [undone, lie, short].map { Self.response($0) }.joined())
    // The last two may have been received in this form.
    #expect(capture.received == ["HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n<p>", lie, short])
    #expect(capture.loss("the content coding") != nil)
  }

  @Test func interimResponsesAreKept() throws {
    let text = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"
    #expect(try ImportedCapture(reading: Self.response(text)).received == [text])
  }

  @Test func newerVersionsBecomeHTTP1() throws {
    let capture = try ImportedCapture(reading: Self.response("HTTP/2 200\r\nserver: a\r\n\r\nab"))
    #expect(capture.received == ["HTTP/1.1 200\r\nserver: a\r\nContent-Length: 2\r\n\r\nab"])
    #expect(capture.loss("the HTTP version") != nil)
  }

  @Test func nonHTTPIsKeptAsReceived() throws {
    let texts = ["<html>hello", "ICY 200 OK\r\n\r\n", ""]
    let records = texts.map { Self.response($0, ["Content-Type: application/http; msgtype=response"]) }
    let capture = try ImportedCapture(reading: records.joined())
    #expect(capture.received == texts)
    #expect(capture.exchanges.allSatisfy { $0.wire?.ending == .finished })
  }

  @Test func otherRecordsAreSkippedAndReported() throws {
    let capture = try ImportedCapture(
      reading: Self.record("revisit", ["WARC-Target-URI: http://b/"], "HTTP/1.1 200 OK\r\n\r\n")
        + Self.record("metadata", [], "x: y")
        + Self.record("resource", ["WARC-Target-URI: <metadata://log>"], "x")
        + Self.response("20261121\na. 5 IN A 192.0.2.1\n", at: "dns:a")
        + Self.response("HTTP/1.1 204 No Content\r\n\r\n", ["WARC-Truncated: length"])
        + Self.response("HTTP/1.1 204 No Content\r\n\r\n", at: "http://c/", ["WARC-Segment-Number: 1"]))
    #expect(capture.exchanges.count == 2)
    #expect(
      capture.losses.prefix(4) == [
        #"the records of type "revisit", which have no response of their own; skipped: "http://b/""#,
        #"URLs other than http and https; skipped: "dns""#,
        "the request; GET is assumed as its method: http://portal.example/, http://c/",
        "the end of the body, which is not in the recording: http://portal.example/, http://c/",
      ])
  }

  @Test(arguments: [
    ("WARC/2.0\r\n\r\n", #"record 1 at byte 0 has the unknown WARC version "2.0": use WARC 1.0 or 1.1"#),
    (
      "WARC/1.0\r\nWARC-Type: response",
      "record 1 at byte 0: the file ends in the header: the file may be incomplete; save it again"
    ),
    ("WARC/1.0\r\nWARC-Type: response\r\n\r\n", "record 1 at byte 0 has no Content-Length"),
    (
      "WARC/1.0\r\nContent-Length: -1\r\n\r\n",
      #"record 1 at byte 0: Content-Length is "-1", not a number"#
    ),
    (
      "WARC/1.0\r\nContent-Length: 5\r\n\r\nabc",
      "record 1 at byte 0: Content-Length is 5, but the file ends 3 bytes after the header: the file may be incomplete; save it again"
    ),
    (
      "WARC/1.0\r\nContent-Length\r\n\r\n",
      #"record 1 at byte 0: a header line has no colon: "Content-Length""#
    ),
    ("WARC/1.0\r\n folded\r\n\r\n", "record 1 at byte 0: the header begins with a continuation line"),
    (
      "WARC/1.0\r\nContent-Length: 1\r\n\r\nabc\r\n\r\n",
      #"record 2 at byte 32 begins with "bc\r", not with WARC/: check the Content-Length of record 1"#
    ),
    (
      "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 1\r\n\r\na\r\n\r\n",
      "the file contains no response over http or https: it needs records of type response"
    ),
  ])
  func nonWARCIsRejected(text: String, mistake: String) {
    #expect(Self.mistakes(in: text) == [mistake])
  }

  /// An incomplete response ends with its connection, so that a replay does not keep its client waiting.
  @Test(
    arguments: [
      ("Transfer-Encoding: chunked", "5\r\nhello\r\n", .finished),
      ("Transfer-Encoding: chunked", "50\r\nhello\r\n", .finished),
      ("Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n", .finished),
      ("Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\nX: y\r\n", .finished),
      ("Transfer-Encoding: chunked", "5\r\nhello\r\nzz\r\n\r\n", .finished),
      ("Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\nmore", .finished),
      ("Content-Length: 9", "hello", .finished), ("Content-Length: 3", "hello", .finished),
      ("Content-Length: x", "hello", .finished),
      ("Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n", .open),
      ("Transfer-Encoding: chunked", "5\nhello\n0\n\n", .open),
      ("Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\nX: y\r\n\r\n", .open),
      ("Content-Length: 5", "hello", .open), ("Content-Length: 0", "", .open),
    ] as [(String, String, WireRecord.Ending)])
  func anIncompleteResponseEndsWithItsConnection(
    field: String, body: String, ending: WireRecord.Ending
  ) throws {
    let text = "HTTP/1.1 200 OK\r\n\(field)\r\n\r\n\(body)"
    let capture = try ImportedCapture(reading: Self.response(text))
    #expect(capture.exchanges.map(\.wire?.ending) == [ending])
    #expect(capture.received == [text])
  }

  @Test func unusableRecordsAreSkippedAndReported() throws {
    let capture = try ImportedCapture(
      reading: Self.record("response", [], "HTTP/1.1 200 OK\r\n\r\n")
        + Self.response("HTTP/1.1 204 No Content\r\n\r\n")
        + Self.response("HTTP/1.1 200 OK\r\n\r\n", at: "http://a:b/")
        + Self.response("GET /?token=canary HTTP/1.1\r\n\r\n"))
    #expect(capture.received == ["HTTP/1.1 204 No Content\r\n\r\n"])
    let lost = try #require(capture.loss("entries that cannot be used"))
    #expect(lost.contains(": record 1 at byte 0 (WARC-Target-URI is missing), record 3 at byte "), "\(lost)")
    #expect(lost.contains("the response of \"…\", not with a status line"), "\(lost)")
  }

  /// The time grows linearly with the number of responses that have losses.
  @Test(.heavy) func lossesAreReportedInLinearTime() throws {
    let growth = try costGrowth { count in
      let text = (0..<count).map { number in
        Self.response(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx", at: "http://h\(number).example/")
      }.joined()
      let start = threadTime()
      let capture = try ImportedCapture(reading: text)
      defer { #expect(capture.loss("the chunks")?.hasSuffix(" and \(count - 3) more") == true) }
      return threadTime() - start
    }
    #expect(growth < 24, "\(growth) times as much")
  }

  @Test func everyErrorIsReportedWithItsLocation() {
    let text =
      Self.record("response", [], "HTTP/1.1 200 OK\r\n\r\n") + Self.response("GET / HTTP/1.1\r\n\r\n")
      + Self.response("HTTP/1.1 200 OK\r\n\r\n", at: "http://a:b/") + "WARC/9"
    let reported = Self.mistakes(in: text)
    #expect(
      reported == [
        "record 1 at byte 0: WARC-Target-URI is missing",
        #"record 2 at byte 76: the response of "http://portal.example/" begins with "GET / HTTP/1.1\r\n\r\n", not with a status line"#,
        #"record 3 at byte 192: WARC-Target-URI: "b" is not a port: a port is a number from 1 to 65535"#,
        "record 4 at byte 298: the file ends in the header: the file may be incomplete; save it again",
      ])
  }
}
