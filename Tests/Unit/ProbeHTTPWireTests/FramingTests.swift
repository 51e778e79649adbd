import ProbeHTTPWire
import Testing

/// The framing by Content-Length and Transfer-Encoding, for a strict and for a lenient reader.
@Suite struct FramingTests {
  /// The declared length, or the error.
  static func length(_ values: [String], _ reading: Reading) -> String {
    let bytes = Array(
      (["GET / HTTP/1.1"] + values.map { "Content-Length: \($0)" } + ["", ""]).joined(separator: "\r\n").utf8)
    do throws(HTTPMessageError) {
      let length = try fields(of: bytes).length(in: bytes.span, reading)
      return length.map(String.init) ?? "none"
    } catch {
      return error.reason
    }
  }

  static func fields(of head: [UInt8]) -> FramingFields {
    var fields = FramingFields()
    for line in HeadLines(head.span).fields {
      if let field = FieldPosition(line, of: head.span) { fields.note(field, of: head.span) }
    }
    return fields
  }

  private static let bad = "a Content-Length that is no length"
  private static let two = "two Content-Length fields that differ"

  @Test(arguments: [
    ([], "none", "none"), (["5"], "5", "5"), (["5", "5"], "5", "5"), (["005"], "5", "5"),
    (["5, 5"], bad, "5"), (["5,"], bad, "5"), (["5", "6"], two, two), (["5, 6"], bad, two),
    ([""], bad, "none"),
    (["+5"], bad, "none"), (["5x"], bad, "none"), (["0x5"], bad, "none"), (["5 5"], bad, "none"),
    (["99999999999999999999"], bad, "none"), (["5", "five"], bad, two), (["five", "five"], bad, "none"),
  ])
  func lengths(_ values: [String], strict: String, lenient: String) {
    #expect(Self.length(values, .strict) == strict)
    #expect(Self.length(values, .lenient) == lenient)
  }

  @Test(arguments: [
    (["chunked"], 1, true), (["gzip, chunked"], 2, true), (["gzip", "Chunked"], 2, true),
    (["chunked, gzip"], 2, false),
    (["xchunked"], 1, false), ([""], 0, false), ([" , "], 0, false),
  ])
  func codings(_ values: [String], count: Int, isChunked: Bool) {
    let lines = ["HTTP/1.1 200 OK"] + values.map { "transfer-encoding: \($0)" } + ["", ""]
    let bytes = Array(lines.joined(separator: "\r\n").utf8)
    let fields = Self.fields(of: bytes)
    #expect(fields.hasCodings)
    #expect(fields.codings.count == count)
    let found = fields.isChunked(in: bytes.span)
    #expect(found == isChunked)
  }
}
