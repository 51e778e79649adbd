import FixtureCapture
import FixtureReplay
import ProbeCore
import Testing

/// Imports of ARC files ("Arc File Format", Internet Archive, 1996): the examples follow those of its sections.
@Suite struct ARCImportTests {
  private static func record(_ words: String, _ block: String) -> String {
    "\(words) \(block.utf8.count)\n\(block)\n"
  }

  private static let page =
    "HTTP/1.0 200 Document follows\r\nDate: Mon, 04 Nov 1996 14:21:06 GMT\r\nContent-type: text/html\r\n\r\n<HTML>\n"

  @Test func version1IsRead() throws {
    let text =
      Self.record(
        "filedesc://IA-001102.arc 0.0.0.0 19960923142103 text/plain",
        "1 0 Alexa Internet\nURL IP-address Archive-date Content-type Archive-length\n")
      + Self.record("http://www.dryswamp.edu:80/index.html 127.10.100.2 19961104142103 text/html", Self.page)
      + Self.record("dns:www.dryswamp.edu 127.10.100.2 19961104142103 text/dns", "x")
      + Self.record("http://www.dryswamp.edu/a b.html 0.0.0.0 19961104142103 no-type", "<HTML>without a head")
    let capture = try ImportedCapture(reading: text)
    #expect(capture.origin == "ARC 1")
    #expect(capture.received == [Self.page, "<HTML>without a head"])
    #expect(
      capture.exchanges.map(\.url.string)
        == ["http://www.dryswamp.edu:80/index.html", "http://www.dryswamp.edu/a%20b.html"])
    #expect(capture.exchanges.map(\.remoteAddress?.description) == ["127.10.100.2:80", nil])
    #expect(capture.loss("URLs other than http and https") != nil)
    #expect(capture.loss("the request; GET is assumed") != nil)
  }

  @Test func version2IsRead() throws {
    let text =
      Self.record(
        "filedesc://IA-001102.arc 0.0.0.0 19960923142103 text/plain 200 - - 0 IA-001102.arc",
        "2 0 Alexa Internet\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length\n"
      )
      + Self.record(
        "http://www.dryswamp.edu:80/index.html 127.10.100.2 19961104142103 text/html 200 fac069150613fe55599cc7fa88aa089d - 209 IA-001102.arc",
        Self.page)
    let capture = try ImportedCapture(reading: text)
    #expect(capture.origin == "ARC 2")
    #expect(capture.received == [Self.page])
    #expect(capture.exchanges.map(\.remoteAddress?.description) == ["127.10.100.2:80"])
  }

  /// Several files in one, as `cat` makes them, and the XML that Heritrix puts after the names.
  @Test func filesOfSeveralVersionsAreRead() throws {
    let first = Self.record(
      "filedesc://a.arc 0.0.0.0 20070101000000 text/xml",
      "1 1 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n<arcmetadata>1 2 3 4 5 6\n</arcmetadata>\n"
    )
    let second = Self.record(
      "filedesc://b.arc 0.0.0.0 19960923142103 text/plain 200 - - 0 b.arc",
      "2 0 X\r\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length\r\n"
    )
    let text =
      first + Self.record("http://a/ 192.0.2.1 20070101000000 text/html", Self.page) + second
      + Self.record("http://b/ 192.0.2.2 20070101000000 text/html 200 - - 9 b.arc", Self.page)
    let capture = try ImportedCapture(reading: text)
    #expect(capture.exchanges.map(\.url.string) == ["http://a/", "http://b/"])
    #expect(capture.exchanges.map(\.remoteAddress?.description) == ["192.0.2.1:80", "192.0.2.2:80"])
  }

  @Test(arguments: [
    (
      "filedesc://",
      "record 1 at byte 0: the file ends in the header: the file may be incomplete; save it again"
    ),
    (
      "filedesc://a 0.0.0.0 1 text/plain x\n",
      "record 1 at byte 0: its length is \"x\", not a number"
    ),
    (
      "filedesc://a 0.0.0.0 1 text/plain 4\n3 0 \n",
      "record 1 at byte 0 has the unknown ARC version \"3\": use ARC 1 or 2"
    ),
    (
      "filedesc://a 0.0.0.0 1 text/plain 4\n1 0 \nhttp://a/ 0\n",
      "record 2 at byte 41 begins with \"http://a/ 0\", not with the 5 words of a record: check the length of record 1"
    ),
    (
      "filedesc://a 0.0.0.0 1 text/plain 4\n1 0 \nhttp://a/ 1.2.3.4 1 text/html -5\n",
      "record 2 at byte 41: its length is \"-5\", not a number"
    ),
    (
      "filedesc://a 0.0.0.0 1 text/plain 4\n1 0 \n",
      "the file contains no response over http or https: it needs records of type response"
    ),
  ])
  func whatIsNoARCFileIsRejected(_ text: String, _ mistake: String) {
    #expect(mistakes { () throws(InvalidImport) in try ImportedCapture(reading: text) } == [mistake])
  }
}
