import Foundation
import Glibc
import ProbeCore
import ProbeBase
import ProbePipeline
import ProbeReporting
@testable import ProbeSystem
import TestRequirements
import TestSupport
import Testing

@testable import ProbeScan

/// The output of a scan's results.
@Suite(.patience(minutes: 1)) struct ScanOutputTests {
  /// Keeps the output, blocks while it is closed, and fails after a number of writes.
  private final class Keeper: ScanWriter {
    struct State {
      var isOpen = true
      var texts: [Int: String] = [:]
      var ended: [Int] = []
      var writes = 0
      var isWriting = false
    }

    let state = Guarded(State())
    let failsAfter: Int

    init(isOpen: Bool = true, failsAfter: Int = .max) {
      self.failsAfter = failsAfter
      state.withLock { $0.isOpen = isOpen }
    }

    func open() { state.withLock { $0.isOpen = true } }

    func write(_ lines: [UInt8], ofPart part: Int) throws(OutputSink.Failure) {
      state.withLock { $0.isWriting = true }
      while !state.withLock(\.isOpen) { usleep(500) }
      let fails = state.withLock { state in
        state.writes += 1
        guard state.writes <= failsAfter else { return true }
        state.texts[part, default: ""] += String(decoding: lines, as: UTF8.self)
        return false
      }
      if fails { throw OutputSink.Failure("the disk is full") }
    }

    func end(part: Int, _ line: [UInt8]) throws(OutputSink.Failure) {
      try write(line, ofPart: part)
      state.withLock { $0.ended.append(part) }
    }
  }

  private static func output(
    to keeper: Keeper, isDivided: Bool = false, shard: ScanShard? = nil
  ) async throws -> ScanOutput {
    let output = try ScanOutput(
      keeper, firstSet: "urls", shard: shard, isDivided: isDivided, elapsed: { .seconds(1) })
    for part in 0..<5 { await output.beginPart(part) }
    return output
  }

  private static func line(_ number: Int, part: Int = 0) -> ScanLine {
    var line = ScanLine(
      number: number, url: "https://a/",
      target: Result { () throws(InvalidInput) in
        try ProbeURL("https://a/")
      })
    line.part = part
    return line
  }

  /// The lines of a text as JSON objects.
  private static func objects(in text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private static let result = ProbeResult(
    url: "https://a/", outcome: .failed, reason: .httpStatus, detail: String(repeating: "x", count: 900))

  @Test func thereIsNoRoomWhileTheWriterIsBlocked() async throws {
    let keeper = Keeper(isOpen: false)
    let output = try await Self.output(to: keeper)
    let writing = Task { await output.write() }
    output.take(Self.line(1), Self.result)
    while !keeper.state.withLock(\.isWriting) { await Task.yield() }
    var count = 1
    let isFull = Guarded(false)
    // There is room for one megabyte, but not for two.
    while count < 500 {
      await output.room()
      count += 1
      output.take(Self.line(count), Self.result)
    }
    for number in count..<1500 { output.take(Self.line(number + 1), Self.result) }
    let waiting = Task {
      await output.room()
      isFull.withLock { $0 = true }
    }
    for _ in 0..<50 { await Task.yield() }
    #expect(isFull.withLock(\.self) == false, "there is room although a megabyte waits")
    output.endPart(0, lines: 1500, results: 1500, digest: "d")
    keeper.open()
    await waiting.value
    output.close()
    await writing.value
    let lines = try Self.objects(in: keeper.state.withLock(\.texts)[0] ?? "")
    #expect(lines.dropLast().map { $0["line"] as? Int } == (1...1500).map { $0 })
    #expect(lines.last?["type"] as? String == "end" && lines.last?["results"] as? Int == 1500)
    #expect(output.failure == nil && output.tally.results == 1500)
  }

  @Test func aWriteFailureReleasesWaiters() async throws {
    let keeper = Keeper(isOpen: false, failsAfter: 0)
    let output = try await Self.output(to: keeper)
    let writing = Task { await output.write() }
    for number in 1...2000 { output.take(Self.line(number), Self.result) }
    let waiting = Task { await output.room() }
    keeper.open()
    await waiting.value
    await writing.value
    #expect(output.failure == OutputSink.Failure("the disk is full"))
    #expect(keeper.state.withLock(\.texts).isEmpty)
    // Nothing is written after a failure, and nothing waits.
    await output.room()
    output.take(Self.line(1), Self.result)
    output.close()
    #expect(keeper.state.withLock(\.texts).isEmpty)
  }

  @Test func partsEndInAnyOrderWithTheirLastResult() async throws {
    let keeper = Keeper()
    let output = try await Self.output(to: keeper, isDivided: true, shard: try ScanShard("1/4"))
    let writing = Task { await output.write() }
    output.take(Self.line(1, part: 0), Self.result)
    output.endPart(0, lines: 2, results: 2, digest: "d0")
    output.take(Self.line(3, part: 1), Self.result)
    output.take(Self.line(5, part: 2), Self.result)
    output.endPart(2, lines: 1, results: 1, digest: "d2")
    output.endPart(1, lines: 2, results: 1, digest: "d1")
    // A part without results.
    output.endPart(3, lines: 7, results: 0, digest: "d3")
    while keeper.state.withLock(\.ended).count < 3 { await Task.yield() }
    #expect(Set(keeper.state.withLock(\.ended)) == [1, 2, 3])
    output.take(Self.line(2, part: 0), Self.result)
    // A part that has not ended is written without an end line.
    output.take(Self.line(9, part: 4), Self.result)
    output.close()
    await writing.value
    let texts = keeper.state.withLock(\.texts)
    #expect(keeper.state.withLock(\.ended).sorted() == [0, 1, 2, 3])
    for (part, lines, results) in [(0, 2, [1, 2]), (1, 2, [3]), (2, 1, [5]), (3, 7, [])] {
      let objects = try Self.objects(in: texts[part] ?? "")
      #expect(objects.dropLast().map { $0["line"] as? Int } == results)
      let end = try #require(objects.last)
      #expect(end["type"] as? String == "end" && end["part"] as? Int == part + 1)
      #expect(end["lines"] as? Int == lines && end["digest"] as? String == "d\(part)")
      #expect(end["shard"] as? String == "1/4" && end["results"] as? Int == results.count)
    }
    #expect(try Self.objects(in: texts[4] ?? "").map { $0["type"] as? String } == ["probe"])
  }

  @Test func resultsTakenBeforeClosingAreWritten() async throws {
    let keeper = Keeper()
    let output = try await Self.output(to: keeper)
    for number in 1...20 { output.take(Self.line(number), Self.result) }
    output.close()
    await output.write()
    #expect(try Self.objects(in: keeper.state.withLock(\.texts)[0] ?? "").count == 20)
  }

  /// Remembers the parts that have ended.
  private struct Writer: ScanWriter {
    let ended = Guarded<[Int]>([])

    func write(_ lines: [UInt8], ofPart part: Int) {}
    func end(part: Int, _ line: [UInt8]) { ended.withLock { $0.append(part) } }
  }

  /// Each of these parts has an open file.
  @Test func theNumberOfOpenPartsIsLimited() async throws {
    let writer = Writer()
    let output = try ScanOutput(writer, firstSet: "urls", shard: nil, isDivided: true) { .zero }
    let writing = Task { await output.write() }
    for part in 0..<16 { await output.beginPart(part) }
    let another = Task {
      await output.beginPart(16)
      return writer.ended.withLock(\.self)
    }
    for _ in 0..<50 { await Task.yield() }
    output.endPart(3, lines: 1, results: 0, digest: "")
    #expect(await another.value == [3])
    output.close()
    await writing.value
  }

  @Test func aPartDoesNotWaitInAnAbandonedScan() async throws {
    let output = try ScanOutput(Writer(), firstSet: "urls", shard: nil, isDivided: true) { .zero }
    for part in 0..<16 { await output.beginPart(part) }
    let another = Task { await output.beginPart(16) }
    output.release()
    await another.value
    #expect(output.isIncomplete)
  }
}
