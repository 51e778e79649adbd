import FixtureReplay
import ProbeCore
import ProbeCodecs
import TestSupport
import TestRequirements
import Testing

@testable import FixtureCapture

/// Recordings of which a small file becomes very many bytes: what is kept of them is bounded.
@Suite(.heavy) struct ImportMemoryTests {
  private static func record(_ block: [UInt8], type: String = "response", _ name: String = "") -> [UInt8] {
    Array(
      "WARC/1.0\r\nWARC-Type: \(type)\r\nWARC-Target-URI: http://a.example/\(name)\r\nContent-Length: \(block.count)\r\n\r\n"
        .utf8) + block + Array("\r\n\r\n".utf8)
  }

  private static let response = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8)

  private static func read(packed bytes: [[UInt8]]) throws(InvalidImport) -> ImportedCapture {
    let packed = bytes.flatMap { Deflation.gzip($0) ?? [] }
    return try CaptureImport.read("a", files: MemoryFiles(["a": packed]))
  }

  /// However much is read, only little of it is held.
  @Test func theReaderHoldsLittle() throws {
    let member = try #require(Deflation.gzip([UInt8](repeating: 0x61, count: 16 << 20)))
    var bytes = RecordingBytes(ofFile: (0..<17).flatMap { _ in member })
    #expect(bytes.peek(5) == Array("aaaaa".utf8)[...])
    var count = 0
    while true {
      let taken = bytes.take(5 << 20, keep: false)
      #expect(taken.bytes.isEmpty)
      #expect(bytes.heldCount <= 512 << 10)
      count += taken.count
      if taken.count < 5 << 20 { break }
    }
    // The work is bounded, too.
    #expect(
      count <= CaptureImport.maximumUnpackedLength && count > CaptureImport.maximumUnpackedLength - 1 << 20)
    #expect(bytes.decodingError == "the file has more than 256 MiB after decompression")
  }

  @Test(arguments: [true, false]) func aLineIsHeldUpToItsLimit(_ isPacked: Bool) throws {
    let text = Array("short\r\n".utf8) + [UInt8](repeating: 0x61, count: 4 << 20)
    var bytes = isPacked ? RecordingBytes(ofFile: try #require(Deflation.gzip(text))) : RecordingBytes(text)
    #expect(bytes.takeLine(limit: 100) == Array("short".utf8))
    #expect(bytes.takeLine(limit: 1 << 20) == nil)
    #expect(bytes.heldCount <= 4 << 20 && bytes.offset == 7)
  }

  @Test func longRecordsAreSkippedAndReported() throws {
    let long = Self.response + [UInt8](repeating: 0x61, count: FixtureLoader.maximumFileLength)
    let capture = try Self.read(packed: [
      Self.record(Self.response, "a"), Self.record(long, "b?token=1"),
      Self.record(long, type: "resource", "c"),
      Self.record(Self.response, "d"),
    ])
    #expect(capture.exchanges.map(\.url.string) == ["http://a.example/a", "http://a.example/d"])
    #expect(
      capture.loss("records of more")
        == #"records of more than 16 MiB; skipped: "http://a.example/b", "http://a.example/c""#)
    let none = mistakes { () throws(InvalidImport) in try Self.read(packed: [Self.record(long)]) }
    #expect(none == ["all records of responses have more than 16 MiB, the limit of a fixture"])
  }

  @Test func allRecordsTogetherAreBounded() throws {
    let block = Array("GET / ".utf8) + [UInt8](repeating: 0x61, count: 15 << 20)
    let requests = (0..<9).map { _ in Self.record(block, type: "request") }
    let capture = try Self.read(
      packed: [Self.record(Self.response, "a")] + requests + [Self.record(Self.response, "b")])
    #expect(capture.exchanges.map(\.url.string) == ["http://a.example/a"])
    #expect(capture.loss("the end of the recording")?.contains("record 10 at byte ") == true)
    // Those of other kinds are not kept.
    let others = (0..<9).map { _ in Self.record(block, type: "resource") }
    #expect(
      try Self.read(packed: others + [Self.record(Self.response, "b")]).exchanges.map(\.url.string) == [
        "http://a.example/b"
      ])
  }

  @Test func theHeaderOfARecordIsBounded() {
    let text = Array("WARC/1.0\r\nX: ".utf8) + [UInt8](repeating: 0x61, count: 2 << 20)
    #expect(
      mistakes { () throws(InvalidImport) in try CaptureImport.read(text) } == [
        "record 1 at byte 0: the header has more than 1 MiB"
      ])
  }

  @Test func aLongTextIsAnErrorAlsoIfItIsCompressed() {
    let text = Array("{".utf8) + [UInt8](repeating: 0x20, count: CaptureImport.maximumLength)
    let reported = mistakes { () throws(InvalidImport) in try Self.read(packed: [text]) }
    #expect(
      reported == ["the file has more than 64 MiB after decompression: check that it is the right file"])
  }

  /// Each value of a JSON text takes more memory than its text.
  @Test(arguments: ["0,", "[],"]) func theValuesOfAHARFileAreBounded(_ value: String) throws {
    let values = String(repeating: value, count: CaptureImport.maximumValueCount)
    let reported = mistakes { () throws(InvalidImport) in
      try CaptureImport.read(Array("{\"log\":{\"entries\":[\(values)0]}}".utf8))
    }
    #expect(
      reported == [
        "the file has more than \(CaptureImport.maximumValueCount) values: check that it is the right file"
      ])
    // Signs in a text separate none.
    let text = String(repeating: ",", count: CaptureImport.maximumValueCount + 1)
    let capture = try CaptureImport.read(
      Array(
        #"{"log":{"entries":[{"request":{"method":"GET","url":"http://a/"},"response":{"status":204,"statusText":"\#(text)"}}]}}"#
          .utf8))
    #expect(capture.exchanges.count == 1)
  }
}
