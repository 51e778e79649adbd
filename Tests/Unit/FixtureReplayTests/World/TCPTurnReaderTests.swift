@testable import FixtureReplay
import Testing

/// A client's turns are the same however its bytes are split.
@Suite struct TCPTurnReaderTests {
  private static func turns(
    _ text: String, part: Int, patterns: [Glob], ended: Bool = false
  ) -> [TCPTurnReader.Turn] {
    var turns = TCPTurnReader()
    var found: [TCPTurnReader.Turn] = []
    let bytes = Array(text.utf8)
    func take() {
      while case let turn = turns.next(among: patterns), turn != .needsMore { found.append(turn) }
    }
    for start in stride(from: 0, to: bytes.count, by: part) {
      turns.receive(bytes[start..<min(start + part, bytes.count)])
      take()
    }
    if ended {
      turns.receiveEnd()
      take()
    }
    return found
  }

  @Test(arguments: 1...40)
  func entireLinesAreCompared(part: Int) {
    let found = Self.turns(
      "EHLO probe\r\nSTATUS\nSTAT\r\nnonsense\r\nQUIT\r\n", part: part,
      patterns: ["EHLO *", "STAT", "STATUS", "QUIT"])
    #expect(
      found == [
        .matched(0, Array("EHLO probe\r\n".utf8)), .matched(2, Array("STATUS\n".utf8)),
        .matched(1, Array("STAT\r\n".utf8)), .unmatched(Array("nonsense\r\n".utf8)),
        .matched(3, Array("QUIT\r\n".utf8)),
      ])
  }

  @Test(arguments: 1...12)
  func patternsWithControlBytesNeedNoLineEnd(part: Int) {
    let found = Self.turns("\u{1}\u{2}ab\u{5}\nc", part: part, patterns: ["\u{5}\nc", "\u{1}\u{2}", "ab"])
    // Nothing matches "ab…" before its line has ended, and then the line is not "ab".
    #expect(found.first == .matched(1, [1, 2]))
    #expect(found.count == 2)
    #expect(found.last == .unmatched(Array("ab\u{5}\n".utf8)))
  }

  @Test func theEndOfTheClientsSideEndsALine() {
    #expect(Self.turns("bye", part: 1, patterns: ["bye"]).isEmpty)
    #expect(Self.turns("bye", part: 1, patterns: ["bye"], ended: true) == [.matched(0, Array("bye".utf8))])
  }

  @Test func aBytePatternWithAStarMatchesTheAvailableBytes() {
    #expect(
      Self.turns("\u{16}\u{3}\u{1}rest", part: 100, patterns: ["\u{16}\u{3}*"]) == [
        .matched(0, Array("\u{16}\u{3}\u{1}rest".utf8))
      ])
  }

  @Test func endlessInputIsTooLong() {
    var turns = TCPTurnReader()
    turns.receive([UInt8](repeating: 1, count: TCPTurnReader.maximumTurnLength + 1))
    #expect(turns.next(among: ["x"]) == .needsMore)
    #expect(turns.isTooLong)
  }
}
