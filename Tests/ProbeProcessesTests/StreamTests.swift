import TestSupport
import Testing

@testable import ProbeProcesses

/// The bytes to and from a program, without one.
struct StreamTests {
  /// Writes at most this many bytes each time, and keeps them.
  private func written(_ queue: inout InputQueue, _ counts: [Int?]) -> (String, InputQueue.Progress) {
    var counts = counts
    var taken: [UInt8] = []
    let progress = queue.write { bytes in
      guard let count = counts.isEmpty ? 0 : counts.removeFirst() else { return nil }
      taken += bytes.prefix(count)
      return min(count, bytes.count)
    }
    return (String(decoding: taken, as: UTF8.self), progress)
  }

  @Test func linesWaitInOrder() {
    var queue = InputQueue()
    #expect(queue.add(line: Array("one".utf8)) && queue.add(line: []))
    #expect(written(&queue, [2, 0]) == ("on", .full))
    #expect(queue.count == 3)
    #expect(queue.add(line: Array("two".utf8)))
    #expect(written(&queue, [100]) == ("e\n\ntwo\n", .empty))
    #expect(queue.count == 0)
    #expect(written(&queue, []) == ("", .empty))
  }

  @Test func aClosedQueueIsStillWritten() {
    var queue = InputQueue(Array("input".utf8))
    queue.close()
    #expect(!queue.add(line: []))
    #expect(written(&queue, [5]) == ("input", .empty))
  }

  @Test func aProgramThatTakesNoMoreGetsNoMore() {
    var queue = InputQueue(Array("input".utf8))
    #expect(written(&queue, [2, nil]) == ("in", .broken))
    #expect(queue.count == 0)
    #expect(!queue.add(line: []))
  }

  @Test func theQueueIsBounded() {
    var queue = InputQueue()
    #expect(queue.add(line: [UInt8](repeating: 1, count: InputQueue.bound - 1)))
    #expect(!queue.add(line: []))
    #expect(written(&queue, [1]).1 == .full)
    #expect(queue.add(line: []))
  }

  @Test func whatIsWrittenOfALongQueueIsReleased() {
    var queue = InputQueue()
    var numbers = SeededNumbers(seed: 7)
    var sent: [UInt8] = []
    var taken: [UInt8] = []
    for _ in 0..<400 {
      let line = [UInt8](repeating: UInt8.random(in: 65...90, using: &numbers), count: 10_000)
      sent += line + [10]
      #expect(queue.add(line: line))
      var room = Int.random(in: 0...20_000, using: &numbers)
      _ = queue.write { bytes in
        let count = min(room, bytes.count)
        taken += bytes.prefix(count)
        room -= count
        return count
      }
    }
    #expect(
      queue.write { bytes in
        taken += bytes
        return bytes.count
      } == .empty)
    #expect(taken == sent)
  }

  @Test(arguments: 1...7) func linesAreTheSameHoweverTheyCome(_ size: Int) {
    let text = Array("one\n\ntwo \r\nthe third\nrest".utf8)
    var splitter = LineSplitter(limit: 9)
    var lines: [String] = []
    var rest = text[...]
    while !rest.isEmpty {
      #expect(splitter.take(Array(rest.prefix(size))) { lines.append(String(decoding: $0, as: UTF8.self)) })
      rest = rest.dropFirst(size)
    }
    #expect(lines == ["one", "", "two \r", "the third"])
  }

  @Test(arguments: [("12345\n", true), ("123456\n", false), ("12345", true), ("123456", false)])
  func aLineHasALimit(_ text: String, _ isPermitted: Bool) {
    var whole = LineSplitter(limit: 5)
    var count = 0
    #expect(whole.take(Array("ok\n\(text)".utf8)) { _ in count += 1 } == isPermitted)
    #expect(count == (text == "12345\n" ? 2 : 1))
    var parts = LineSplitter(limit: 5)
    #expect(parts.take(Array(text.utf8.prefix(5))) { _ in })
    #expect(parts.take(Array(text.utf8.dropFirst(5))) { _ in } == isPermitted)
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

  @Test(arguments: lastLines) func theLastLineIsFitForDisplay(_ text: String, _ line: String) {
    var tail = ErrorTail()
    tail.add(text.utf8)
    #expect(tail.lastLine == line)
  }
}
