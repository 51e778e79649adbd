import ProbeCore
import ProbeBase
import ProbePipeline
import ProbeReporting
import ProbeSystem
import Synchronization

/// Collects the results of a scan, and writes them on a separate thread.
///
/// Results are queued in bounded memory. While the queue is full because the output is not read, no further
/// probe starts.
final class ScanOutput: Sendable {
  /// The maximum number of queued bytes.
  private static let maximumSize = 1 << 20
  /// The maximum number of parts with open files, because each needs descriptors.
  private static let maximumParts = 16
  /// The number of bytes that are written immediately.
  private static let writeThreshold = 1 << 16
  /// The time for which fewer bytes wait for more: a write for each result would cost as much as its probe.
  private static let pause = Duration.milliseconds(10)

  /// A part with incomplete results.
  private struct OpenPart {
    var end = ScanEnd()
    /// The start of the part, measured from the start of the scan.
    let began: Duration
    /// The total number of results; nil while it is unknown.
    var expected: Int?
    private var results = 0
    /// The lines that the writer has not taken yet.
    var lines: [UInt8] = []

    init(began: Duration) { self.began = began }

    var isComplete: Bool { results == expected }

    mutating func add(_ line: [UInt8], _ outcome: Outcome) {
      lines += line
      results += 1
      end.outcomes[outcome, default: 0] += 1
    }
  }

  /// The data that the writer writes at once for a part.
  private struct Piece {
    let part: Int
    let lines: [UInt8]
    /// The end line, if the part is complete.
    var end: [UInt8]?
  }

  private struct State {
    /// The last pieces of complete parts.
    var complete: [Piece] = []
    /// The number of queued bytes.
    var size = 0
    /// The number of bytes that are being written.
    var underWay = 0
    var parts: [Int: OpenPart] = [:]
    /// The number of parts that have begun and are not completely written.
    var unwrittenParts = 0
    /// The task that waits until another part can begin.
    var reader: CheckedContinuation<Void, Never>?
    var tally = ScanTally()
    /// Remarks for a person, a line each.
    var notes: [String] = []
    /// The number of remarks that are left out.
    var furtherNotes = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Whether the writer waits for data.
    var isWriterWaiting = false
    var isClosed = false
    var isReleased = false
    var failure: OutputSink.Failure?

    var hasRoom: Bool { size + underWay < ScanOutput.maximumSize || isGivenUp }
    /// Whether the writer has work to do: writing or ending.
    var hasWork: Bool { size > 0 || isClosed }
    var isWriteDue: Bool { size >= ScanOutput.writeThreshold || isClosed }
    var canBeginPart: Bool { unwrittenParts < ScanOutput.maximumParts || isGivenUp }
    private var isGivenUp: Bool { isReleased || failure != nil }

    /// Takes the queued data, in the order of the parts.
    mutating func takeAll() -> [Piece] {
      var pieces = complete
      for (number, part) in parts where !part.lines.isEmpty {
        pieces.append(Piece(part: number, lines: part.lines))
        parts[number]?.lines = []
      }
      (complete, size, underWay) = ([], 0, size)
      return pieces.sorted { $0.part < $1.part }
    }
  }

  private let writer: any ScanWriter
  private let thread: SerialThread
  private let shard: ScanShard?
  private let isDivided: Bool
  private let elapsed: @Sendable () -> Duration
  private let firstSet: String
  private let state = Guarded(State())
  /// Whether there is no room for another result; readable without the lock.
  private let isFull = Atomic(false)
  /// Wakes the writer.
  private let signal = ThreadSignal()

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - writer: The destination of the lines.
  ///   - firstSet: The set for lines that do not name one.
  ///   - shard: The share of the input; nil for all of it.
  ///   - isDivided: Whether the scan is divided into parts.
  ///   - elapsed: Returns the time since the start of the scan.
  /// - Throws: An error if no thread is available.
  init(
    _ writer: any ScanWriter, firstSet: String, shard: ScanShard?, isDivided: Bool,
    elapsed: @escaping @Sendable () -> Duration
  ) throws(WorkerThread.ThreadStartFailure) {
    self.writer = writer
    self.firstSet = firstSet
    self.shard = shard
    self.isDivided = isDivided
    self.elapsed = elapsed
    thread = try SerialThread(named: "probekit-output")
  }

  /// Whether a part has begun and is incomplete.
  var isIncomplete: Bool { state.withLock { !$0.parts.isEmpty } }
  /// Remarks for a person on what is unusual, a line each.
  var notes: [String] {
    state.withLock { $0.notes + ($0.furtherNotes > 0 ? ["and \($0.furtherNotes) more parts"] : []) }
  }
  /// The counts of the results so far.
  var tally: ScanTally { state.withLock(\.tally) }
  /// The reason why the output could not be written; nil if it could.
  var failure: OutputSink.Failure? { state.withLock(\.failure) }

  /// Waits until there is room for another result.
  func room() async {
    guard isFull.load(ordering: .relaxed) else { return }
    await withCheckedContinuation { continuation in
      let hasRoom = state.withLock { state in
        if !state.hasRoom { state.waiting.append(continuation) }
        return state.hasRoom
      }
      if hasRoom { continuation.resume() }
    }
  }

  /// Ends all waiting for room, because the scan is abandoned.
  func release() {
    change { $0.isReleased = true }
  }

  /// Begins a part once few enough other parts are unwritten; only one task may call this.
  func beginPart(_ number: Int) async {
    if !state.withLock(\.canBeginPart) {
      await withCheckedContinuation { continuation in change { $0.reader = continuation } }
    }
    change { state in
      state.parts[number] = OpenPart(began: elapsed())
      state.unwrittenParts += 1
    }
  }

  /// Adds a remark; of very many, only the first are kept.
  func note(_ text: String) {
    state.withLock { state in
      if state.notes.count < 20 { state.notes.append(text) } else { state.furtherNotes += 1 }
    }
  }

  func take(_ line: ScanLine, _ result: ProbeResult) {
    let bytes = ScanRecords.line(of: line, in: line.set ?? firstSet, result)
    change { state in
      state.size += bytes.count
      state.tally.add(result, of: line)
      state.parts[line.part]?.add(bytes, result.outcome)
      endIfComplete(line.part, &state)
    }
  }

  /// Notes that a part has no further lines.
  ///
  /// - Parameters:
  ///   - number: The number of the part, from 0.
  ///   - lines: The number of its lines.
  ///   - results: The number of its lines that have results.
  ///   - digest: The SHA-256 of its bytes.
  func endPart(_ number: Int, lines: Int, results: Int, digest: String) {
    change { state in
      state.parts[number]?.end.lines = lines
      state.parts[number]?.end.digest = digest
      state.parts[number]?.expected = results
      endIfComplete(number, &state)
    }
  }

  private func endIfComplete(_ number: Int, _ state: inout State) {
    guard state.parts[number]?.isComplete == true, var part = state.parts.removeValue(forKey: number) else {
      return
    }
    part.end.duration = elapsed() - part.began
    part.end.shard = shard?.description
    if isDivided { part.end.part = number + 1 }
    let end = ScanRecords.line(of: part.end)
    state.size += end.count
    state.complete.append(Piece(part: number, lines: part.lines, end: end))
  }

  /// Writes the collected results until ``close()``; called once.
  func write() async {
    // Use a separate task, so that existing results are written even after an interruption.
    await Task { _ = await thread.perform { self.writeAll() } }.value
  }

  private func writeAll() {
    while let pieces = nextPieces() {
      let failure = Self.write(pieces, to: writer)
      change { state in
        state.underWay = 0
        state.unwrittenParts -= pieces.count { $0.end != nil }
        state.failure = state.failure ?? failure
      }
      if failure != nil { return }
    }
  }

  /// Notes that there are no further results; the collected ones are still written.
  func close() {
    change { $0.isClosed = true }
  }

  private static func write(_ pieces: [Piece], to writer: any ScanWriter) -> OutputSink.Failure? {
    do throws(OutputSink.Failure) {
      for piece in pieces {
        try writer.write(piece.lines, ofPart: piece.part)
        if let end = piece.end { try writer.end(part: piece.part, end) }
      }
      return nil
    } catch {
      return error
    }
  }

  /// Blocks the thread until there is data to write; nil at the end.
  private func nextPieces() -> [Piece]? {
    while !state.withLock({ state in
      state.isWriterWaiting = !state.hasWork
      return state.hasWork
    }) {
      signal.wait()
    }
    if !state.withLock({ $0.isWriteDue }) { WorkerThread.sleep(for: Self.pause) }
    return state.withLock { $0.size > 0 ? $0.takeAll() : nil }
  }

  private func change(_ body: (inout State) -> Void) {
    let (wakesWriter, waiting) = state.withLock { state in
      body(&state)
      var waiting: [CheckedContinuation<Void, Never>] = []
      if state.hasRoom { swap(&waiting, &state.waiting) }
      isFull.store(!state.hasRoom, ordering: .relaxed)
      if state.canBeginPart, let reader = state.reader.take() { waiting.append(reader) }
      let wakesWriter = state.isWriterWaiting && state.hasWork
      if wakesWriter { state.isWriterWaiting = false }
      return (wakesWriter, waiting)
    }
    if wakesWriter { signal.send() }
    for waiter in waiting { waiter.resume() }
  }
}
