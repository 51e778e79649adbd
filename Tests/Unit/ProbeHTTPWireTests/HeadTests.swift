import ProbeHTTPWire
import Testing

/// Heads as browsers read them: the lines, the status line and the fields.
@Suite struct HeadTests {
  static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  @Test func aHeadIsSplitIntoLines() {
    let bytes = Array("HTTP/1.1 200 OK\r\nA: b\r\n c\n\tD: e\r\nF: g\n\r\nbody\r\n\r\n".utf8)
    let lines = HeadLines(bytes.span)
    #expect(Self.text(bytes, lines.startLine) == "HTTP/1.1 200 OK\r\n")
    #expect(lines.fields.map { Self.text(bytes, $0) } == ["A: b\r\n c\n\tD: e\r\n", "F: g\n"])
    #expect(Self.text(bytes, lines.emptyLine) == "\r\n")
    #expect(Self.text(bytes, lines.end..<bytes.count) == "body\r\n\r\n")
    let end = HeadLines.end(in: bytes.span, from: 0)
    #expect(end == lines.end)
    let next = HeadLines(bytes.span, from: lines.end)
    #expect(Self.text(bytes, next.startLine) == "body\r\n")
    #expect(next.fields.isEmpty && next.isWhole && next.end == bytes.count)
  }

  @Test(arguments: ["", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n", "A\r\nB\r\n\r"])
  func aHeadWithoutItsEmptyLineIsIncomplete(_ text: String) {
    let bytes = Array(text.utf8)
    let lines = HeadLines(bytes.span)
    #expect(!lines.isWhole)
    #expect(lines.end == bytes.count)
    let end = HeadLines.end(in: bytes.span, from: 0)
    #expect(end == nil)
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\n", "1.1", 200, "OK"), ("HTTP/1.0 404 Not Found\n", "1.0", 404, "Not Found"),
    ("HTTP/1.1 200\r\n", "1.1", 200, ""), ("HTTP/1.1 200 \r\n", "1.1", 200, ""),
    ("HTTP/1.1   302  two\r\n", "1.1", 302, " two"), ("HTTP/2 204", "2", 204, ""),
    ("HTTP/1.1 999 x:y\r\n", "1.1", 999, "x:y"), ("http/1.1 200 OK\r\n", "1.1", 200, "OK"),
    ("HTTP/1.1\r\n", "1.1", 200, ""), ("HTTP/1.1 \r\n", "1.1", 200, ""),
    ("HTTP/1.1 20 OK\r\n", "1.1", 20, "OK"),
  ])
  func statusLinesAreParsed(_ text: String, version: String, status: Int, reason: String) throws {
    let bytes = Array(text.utf8)
    let found = StatusLine(bytes.indices, of: bytes.span)
    let line = try #require(found)
    #expect(Self.text(bytes, line.version) == version)
    #expect(line.status == status)
    #expect(Self.text(bytes, line.reason) == reason)
  }

  @Test(arguments: [
    "", "HTTP/", "HTTP/1.1 2000\r\n", "HTTP/1.1 2x0 OK\r\n", "HTTP/1.1 200OK\r\n", "HTTP/1.1 OK\r\n",
    "HTTP/x 200 OK\r\n", "ICY 200 OK\r\n",
    " HTTP/1.1 200 OK\r\n", "\r\n",
  ])
  func invalidStatusLinesAreRefused(_ text: String) {
    let bytes = Array(text.utf8)
    let line = StatusLine(bytes.indices, of: bytes.span)
    #expect(line == nil)
  }

  @Test(arguments: [
    ("A: b\r\n", "A", "b"), ("A:b", "A", "b"), ("A :\t b \t\r\n", "A", "b"), ("A:\r\n", "A", ""),
    ("A: b\r\n c\r\n", "A", "b\r\n c"), ("A:\r\n b\n", "A", "b"), ("A: b:c\r\n", "A", "b:c"),
    ("A b: c\r\n", "A b", "c"),
  ])
  func fields(_ text: String, name: String, value: String) throws {
    let bytes = Array(text.utf8)
    let found = FieldPosition(bytes.indices, of: bytes.span)
    let field = try #require(found)
    #expect(Self.text(bytes, field.name) == name)
    #expect(Self.text(bytes, field.value) == value)
  }

  @Test(arguments: ["", "A\r\n", ": b\r\n", " : b\r\n", " A: b\r\n", "A\r\n B: c\r\n", "\r\n", "A: b\rc\r\n"])
  func invalidFieldsAreRefused(_ text: String) {
    let bytes = Array(text.utf8)
    let field = FieldPosition(bytes.indices, of: bytes.span)
    #expect(field == nil)
  }
}
