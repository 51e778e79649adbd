import TestSupport
import Testing

@testable import ProbeSystem

/// The input and output of a program, tested without a program.
struct StreamTests {
  /// A queue, and a program that reads a part of it.
  private final class Writing {
    private var queue: InputQueue
    private(set) var taken: [UInt8] = []

    init(_ text: String = "") { queue = InputQueue(Array(text.utf8)) }

    var count: Int { queue.count }

    func close() { queue.close() }

    func add(_ line: [UInt8]) -> Bool { queue.add(line: line) }

    func add(_ line: String) -> Bool { add(Array(line.utf8)) }

    /// Writes up to each number of bytes in turn, and 0 after that; nil means a broken pipe.
    func write(_ counts: [Int?]) -> InputQueue.Progress {
      var counts = counts
      return queue.write { bytes in
        guard let count = counts.isEmpty ? 0 : counts.removeFirst() else { return nil }
        taken += bytes.prefix(count)
        return min(count, bytes.count)
      }
    }

    /// The bytes taken, as text.
    var text: String { String(decoding: taken, as: UTF8.self) }
  }

  @Test func linesWaitInOrder() {
    let writing = Writing()
    #expect(writing.add("one") && writing.add(""))
    #expect(writing.write([2, 0]) == .full)
    #expect(writing.text == "on" && writing.count == 3)
    #expect(writing.add("two"))
    #expect(writing.write([100]) == .empty)
    #expect(writing.text == "one\n\ntwo\n" && writing.count == 0)
    #expect(writing.write([]) == .empty)
  }

  @Test func aClosedQueueIsStillWritten() {
    let writing = Writing("input")
    writing.close()
    #expect(!writing.add(""))
    #expect(writing.write([5]) == .empty)
    #expect(writing.text == "input")
  }

  @Test func aProgramThatStopsReadingReceivesNoFurtherData() {
    let writing = Writing("input")
    #expect(writing.write([2, nil]) == .broken)
    #expect(writing.text == "in" && writing.count == 0)
    #expect(!writing.add(""))
  }

  @Test func theQueueIsBounded() {
    let writing = Writing()
    #expect(writing.add([UInt8](repeating: 1, count: InputQueue.bound - 1)))
    #expect(!writing.add(""))
    #expect(writing.write([1]) == .full)
    #expect(writing.add(""))
  }

  @Test func aLongQueueIsWrittenCompletely() {
    let writing = Writing()
    var numbers = SeededNumbers(seed: 7)
    var sent: [UInt8] = []
    for _ in 0..<400 {
      let line = [UInt8](repeating: UInt8.random(in: 65...90, using: &numbers), count: 10_000)
      sent += line + [10]
      #expect(writing.add(line))
      _ = writing.write([Int.random(in: 0...15_000, using: &numbers)])
    }
    while writing.count > 0 { _ = writing.write([100_000]) }
    #expect(writing.taken == sent)
  }

  /// The lines of some pieces of output, and whether they are within the limit.
  private func lines(_ pieces: [some Collection<UInt8>], limit: Int) -> (lines: [String], isPermitted: Bool) {
    var splitter = LineSplitter(limit: limit)
    var lines: [String] = []
    for piece in pieces {
      let isPermitted = splitter.take(Array(piece)) { lines.append(String(decoding: $0, as: UTF8.self)) }
      if !isPermitted { return (lines, false) }
    }
    return (lines, true)
  }

  @Test(arguments: 1...7) func linesAreIndependentOfChunkSizes(_ size: Int) {
    let text = Array("one\n\ntwo \r\nthe third\nrest".utf8)
    let pieces = stride(from: 0, to: text.count, by: size).map { text[$0..<min($0 + size, text.count)] }
    let result = lines(pieces, limit: 9)
    #expect(result.lines == ["one", "", "two \r", "the third"] && result.isPermitted)
  }

  @Test(arguments: [("12345\n", true), ("123456\n", false), ("12345", true), ("123456", false)])
  func lineLengthIsLimited(_ text: String, _ isPermitted: Bool) {
    let whole = lines(["ok\n\(text)".utf8], limit: 5)
    #expect(whole.lines == (text == "12345\n" ? ["ok", "12345"] : ["ok"]))
    #expect(whole.isPermitted == isPermitted)
    let parts = lines([text.utf8.prefix(5), text.utf8.dropFirst(5)], limit: 5)
    #expect(parts.isPermitted == isPermitted)
  }

  @Test func theLastErrorsAreKept() {
    var tail = ErrorTail()
    #expect(tail.bytes == [] && tail.lastLine == "")
    for number in 0..<3000 { tail.add("line \(number)\n".utf8) }
    #expect(tail.bytes.count == ErrorTail.size)
    #expect(String(decoding: tail.bytes, as: UTF8.self).hasSuffix("line 2998\nline 2999\n"))
    #expect(tail.lastLine == "line 2999")
    tail.add([UInt8](repeating: 120, count: 100_000))
    #expect(tail.bytes == [UInt8](repeating: 120, count: ErrorTail.size))
  }

  static let lastLines = [
    ("first\nsecond\n\n  \n", "second"), ("no end", "no end"), ("a\u{1B}[2Jb\r\n", "a\\x1b[2Jb"),
    ("\u{202E}gpj", "\\u{202e}gpj"), (String(repeating: "é", count: 150), String(repeating: "é", count: 100)),
  ]

  @Test(arguments: lastLines) func theLastLineIsEscapedAndTruncated(_ text: String, _ line: String) {
    var tail = ErrorTail()
    tail.add(text.utf8)
    #expect(tail.lastLine == line)
  }
}
