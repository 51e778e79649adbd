import ProbeHTTPWire
import Testing

/// Chunked content is decoded identically however its bytes are split; a lenient reader accepts more than a
/// strict one.
@Suite struct ChunkDecoderTests {
  /// The result of decoding: the content, the offsets of the trailer section and the end, and the error.
  struct Outcome: Hashable {
    var content = ""
    var trailer: Int?
    var end: Int?
    var missing: String?
    var errorReason: String?
  }

  static func decode(_ text: String, _ reading: Reading, part: Int) -> Outcome {
    let bytes = Array(text.utf8)
    var (decoder, outcome) = (ChunkDecoder(reading), Outcome())
    do throws(HTTPMessageError) {
      for start in stride(from: 0, to: bytes.count, by: part) {
        let piece = Array(bytes[start..<min(start + part, bytes.count)])
        var (offset, isWaiting) = (0, false)
        while !isWaiting {
          switch try decoder.next(piece.span, &offset) {
          case .content(let range): outcome.content += String(decoding: piece[range], as: UTF8.self)
          case .lastChunk: outcome.trailer = start + offset
          case .end:
            outcome.end = start + offset
            return outcome
          case .needsMore: isWaiting = true
          }
        }
      }
    } catch {
      outcome.errorReason = error.reason
      return outcome
    }
    outcome.missing = decoder.missing
    return outcome
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var text: String
    var content: String
    /// The errors for a strict and for a lenient reader.
    var strict: String?
    var lenient: String?

    init(_ text: String, _ content: String, strict: String? = nil, lenient: String? = nil) {
      (self.text, self.content, self.strict, self.lenient) = (text, content, strict, lenient)
    }

    var testDescription: String { String(text.debugDescription.prefix(100)) }
  }

  private static let badSize = "a chunk's size that is no hexadecimal number"
  private static let badTrailer = "a trailer line that is no name and a colon"
  private static let bareCR = "a carriage return inside a trailer line"

  /// A hundred bytes of content, and an extension of nearly the same length.
  private static let hundred = String(repeating: "x", count: 100)
  private static let extensionText = String(repeating: "e", count: 96)

  static let rows = [
    Row("5\r\nhello\r\n0\r\n\r\n", "hello"),
    Row("3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", "hello"),
    Row("5\r\nhello\r\n0\r\nA: b\n\n", "hello"),
    Row("5\nhello\n0\n\n", "hello", strict: "a chunk's size that ends without CRLF"),
    Row("5\r\nhello\n0\r\n\r\n", "hello", strict: "a chunk that is not as long as its size says"),
    Row("0\n\n", "", strict: "a chunk's size that ends without CRLF"),
    Row("05\r\nhello\r\n000\r\n\r\n", "hello"),
    Row("00000000000000000005\r\nhello\r\n0\r\n\r\n", "hello"),
    Row("a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", "01234567890123456789"),
    Row("5  \r\nhello\r\n0\t\r\n\r\n", "hello"),
    Row("5;a=b;c=\"d\"\r\nhello\r\n0;x\r\n\r\n", "hello"),
    Row("5 ; a\r\nhello\r\n0\r\nA: b\r\nC:\r\n\r\n", "hello"),
    Row("0\r\n\r\n", ""),
    Row("5;a\rb\r\nhello\r\n0\r\n\r\n", "hello", strict: "a carriage return in a chunk's size"),
    Row("5;a\u{1}\r\nhello\r\n0\r\n\r\n", "hello", strict: "a chunk extension that cannot be read"),
    Row("0\r\nno colon\r\n\r\n", "", strict: badTrailer),
    Row("0\r\n: no name\r\n\r\n", "", strict: badTrailer),
    Row("0\r\nA : b\r\n\r\n", "", strict: badTrailer),
    Row("0\r\nA: b\r\n c\r\n\r\n", "", strict: badTrailer),
    Row("0\r\nA\r\n\r\n", "", strict: badTrailer),
    Row("0\r\nA: b\rc\r\n\r\n", "", strict: bareCR),
    Row("0\r\nA: b\r\r\n\r\n", "", strict: bareCR),
    Row("0\r\nA: b\u{1}\r\n\r\n", "", strict: "the control byte 1 in a trailer line"),
    Row("0\r\n\r\r\n", "", strict: bareCR),
    Row("x\r\n", "", strict: "a chunk without a size", lenient: "a chunk without a size"),
    Row("\r\n", "", strict: "a chunk without a size", lenient: "a chunk without a size"),
    Row(" 5\r\n", "", strict: "a chunk without a size", lenient: "a chunk without a size"),
    Row("-5\r\n", "", strict: "a chunk without a size", lenient: "a chunk without a size"),
    Row("0x5\r\nhello\r\n", "", strict: badSize, lenient: badSize),
    Row("5 5\r\nhello\r\n", "", strict: badSize, lenient: badSize),
    Row(
      "5\rhello", "", strict: "a carriage return in a chunk's size",
      lenient: "a carriage return in a chunk's size"),
    Row(
      "5\r\nhello!\r\n", "hello", strict: "a chunk that is not as long as its size says",
      lenient: "a chunk that is not as long as its size says"),
    Row(
      "5\r\nhel\r\n0\r\n\r\n", "hel\r\n", strict: "a chunk that is not as long as its size says",
      lenient: "a chunk that is not as long as its size says"),
    Row(
      "fffffffffffff\r\n", "", strict: "a chunk's size that is too large",
      lenient: "a chunk's size that is too large"),
    Row(
      "5;" + String(repeating: "x", count: 4096), "", strict: "a chunk extension that is too long",
      lenient: "a chunk extension that is too long"),
    Row(String(repeating: "1\r\nx\r\n", count: 5000) + "0\r\n\r\n", String(repeating: "x", count: 5000)),
    Row(
      String(repeating: "64;\(extensionText)\r\n\(hundred)\r\n", count: 100) + "0\r\n\r\n",
      String(repeating: hundred, count: 100)),
    Row(
      String(repeating: "1;\(extensionText)\r\nx\r\n", count: 60), String(repeating: "x", count: 49),
      strict: "chunk extensions that are longer than the content",
      lenient: "chunk extensions that are longer than the content"),
    Row(
      "0\r\n" + String(repeating: "A: bcdefghijkl\r\n", count: 1025), "", strict: "too many trailer fields",
      lenient: "too many trailer fields"),
  ]

  @Test(arguments: rows)
  func theResultDoesNotDependOnSegmentation(_ row: Row) {
    for (reading, errorReason) in [(Reading.strict, row.strict), (.lenient, row.lenient)] {
      let whole = Self.decode(row.text, reading, part: row.text.utf8.count)
      #expect(whole.errorReason == errorReason, "\(reading)")
      // A fault may be found before the content.
      #expect(whole.content == row.content || (errorReason != nil && whole.content.isEmpty))
      #expect(whole.missing == nil)
      #expect(whole.end == (errorReason == nil ? row.text.utf8.count : nil))
      for part in 1...7 {
        #expect(Self.decode(row.text, reading, part: part) == whole, "\(reading), \(part)")
      }
    }
  }

  @Test(arguments: [
    ("", "no last chunk"), ("5", "no last chunk"), ("5\r", "no last chunk"), ("5;a", "no last chunk"),
    ("5\r\n", "a chunk that is cut short"), ("5\r\nhell", "a chunk that is cut short"),
    ("5\r\nhello", "no last chunk"), ("5\r\nhello\r\n", "no last chunk"),
    ("0\r\n", "no empty line at its end"),
    ("0\r\nA: b\r\n", "no empty line at its end"), ("0\r\n\r", "no empty line at its end"),
  ])
  func theMissingPartIsReported(_ text: String, missing: String) {
    #expect(Self.decode(text, .strict, part: 100).missing == missing)
    #expect(Self.decode(text, .lenient, part: 1).missing == missing)
  }

  @Test func theTrailerAndTheNextMessageAreLocated() {
    let outcome = Self.decode("1\r\nx\r\n0\r\nA: b\r\n\r\nGET / HTTP/1.1\r\n", .strict, part: 1000)
    #expect(outcome == Outcome(content: "x", trailer: 9, end: 17))
  }
}
