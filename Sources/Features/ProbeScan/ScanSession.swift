package import ProbeCore
package import ProbeBase
import ProbePipeline
import ProbeReporting
package import ProbeSystem

/// A scan from its input to its output.
package struct ScanSession {
  /// The result of a scan.
  package enum Ending {
    case complete(ScanEnd)
    case interrupted
    /// The rest of the input cannot be read.
    case unreadable(InvalidInput)
    /// An existing part belongs to another input.
    case otherInput(InvalidInput)
    /// The output cannot be written.
    case unwritable(OutputSink.Failure)
  }

  let plan: ScanPlan
  let limits: ScanLimits
  let transports: TransportRegistry
  let clock: any Clock<Duration>
  let input: ScanInput
  let writer: any ScanWriter
  /// The folder of a divided scan, and the number of lines of a part; nil for a scan that is not divided.
  package var parts: (folder: ScanParts, lines: Int)?
  package var shard: ScanShard?
  /// The progress display; nil for none.
  package var progress: ScanProgress?

  package init(
    plan: ScanPlan,
    limits: ScanLimits,
    transports: TransportRegistry,
    clock: any Clock<Duration>,
    input: ScanInput,
    writer: any ScanWriter,
    parts: (folder: ScanParts, lines: Int)? = nil,
    shard: ScanShard? = nil,
    progress: ScanProgress? = nil
  ) {
    self.plan = plan
    self.limits = limits
    self.transports = transports
    self.clock = clock
    self.input = input
    self.writer = writer
    self.parts = parts
    self.shard = shard
    self.progress = progress
  }

  /// Runs the scan.
  ///
  /// - Returns: The result, the counts of the results of probes, and remarks for a person.
  /// - Throws: An error if no thread is available.
  package func run() async throws(WorkerThread.ThreadStartFailure) -> (
    ending: Ending, tally: ScanTally, notes: [String]
  ) {
    let elapsed = clock.stopwatch()
    let thread = try SerialThread(named: "probekit-input")
    let output = try ScanOutput(
      writer, firstSet: plan.firstSet, shard: shard, isDivided: parts != nil, elapsed: elapsed)
    let runner = ScanRunner(
      plan, limits, over: transports, clock: clock,
      output: .init(room: { await output.room() }, take: { output.take($0, $1) }))
    let reading = Task {
      let ending = await read(on: thread, runner, output)
      if case .otherInput = ending { runner.stop() }
      await runner.end()
      return ending
    }
    let writing = Task {
      await output.write()
      guard output.failure != nil else { return }
      runner.stop()
      // Otherwise, the task would wait for further input.
      reading.cancel()
    }
    var ending = await ScanProgress.show(progress, of: output, runner, input) {
      await withTaskCancellationHandler {
        await reading.value
      } onCancel: {
        runner.stop()
        output.release()
        reading.cancel()
      }
    }
    output.close()
    await writing.value
    if let failure = output.failure {
      return (Task.isCancelled ? .interrupted : .unwritable(failure), output.tally, output.notes)
    }
    switch ending {
    // An interruption after the last result is ignored.
    case .complete where output.isIncomplete: ending = .interrupted
    case .complete(var end):
      end.duration = elapsed()
      ending = .complete(end)
    case .otherInput: parts?.folder.rollBack()
    default: break
    }
    return (ending, output.tally, output.notes)
  }

  /// Reads the input to its end, and passes its lines on.
  private func read(
    on thread: SerialThread, _ runner: ScanRunner, _ output: ScanOutput
  ) async -> Ending {
    let reader = ScanReader(partLines: parts?.lines, shard: shard)
    var whole = ScanEnd()
    var part = PartReading()
    do throws(PartReading.ForeignPartError) {
      while true {
        let piece = await thread.perform { [input] in Result { () throws(InvalidInput) in try input.next() } }
        guard let piece, !Task.isCancelled, output.failure == nil else { return .interrupted }
        switch piece {
        case .failure(let problem): return .unreadable(problem)
        case .success(.bytes(let bytes)?):
          reader.add(bytes)
          while let event = reader.next() { try await take(event, &part, &whole, runner, output) }
        case .success(.endOfFile?):
          if let event = reader.endFile() { try await take(event, &part, &whole, runner, output) }
        case .success(nil):
          if let event = reader.end() { try await take(event, &part, &whole, runner, output) }
          try part.checkEnd(in: parts?.folder)
          whole.lines = reader.lines
          whole.shard = shard?.description
          if parts != nil { whole.digest = reader.wholeDigest() }
          return .complete(whole)
        }
        if Task.isCancelled { return .interrupted }
      }
    } catch {
      return .otherInput(error.input)
    }
  }

  private func take(
    _ event: ScanReader.Event, _ part: inout PartReading, _ whole: inout ScanEnd, _ runner: ScanRunner,
    _ output: ScanOutput
  ) async throws(PartReading.ForeignPartError) {
    switch event {
    case .line(let line):
      try await part.begin(line.part, in: parts?.folder, output)
      guard part.known == nil else { return }
      part.results += 1
      await runner.add(line)
    case .endOfPart(let number, let lines, let digest):
      // All of its lines may be empty, or belong to other shards.
      try await part.begin(number, in: parts?.folder, output)
      if let known = part.known {
        try part.check(known, lines: lines, digest: digest, shard: shard)
        whole.outcomes.merge(known.outcomes, uniquingKeysWith: +)
      } else {
        if let old = part.incomplete { try part.check(old, lines: lines, digest: digest, shard: shard) }
        output.endPart(number, lines: lines, results: part.results, digest: digest)
      }
    }
  }
}

/// The current part of the input.
private struct PartReading {
  /// An error because an existing part does not belong to this input.
  struct ForeignPartError: Error {
    let input: InvalidInput
  }

  private var number: Int?
  /// The number of its lines that have results.
  var results = 0
  /// The facts in its existing file; nil if the part must be probed.
  private(set) var known: ScanParts.Known?
  /// The facts in its existing file if that lacks results, so that the part must be probed again.
  private(set) var incomplete: ScanParts.Known?

  /// Begins a part unless it has already begun.
  mutating func begin(_ number: Int, in folder: ScanParts?, _ output: ScanOutput)
    async throws(ForeignPartError)
  {
    guard number != self.number else { return }
    (self.number, results) = (number, 0)
    (known, incomplete) = (nil, nil)
    do throws(InvalidInput) {
      switch try folder?.find(number) {
      case .complete(let facts)?: known = facts
      case .incomplete(let facts, let found)?:
        incomplete = facts
        output.note(
          "\(ScanParts.name(of: number)) has \(found) of \(facts.results) results and is probed again")
      case nil: break
      }
    } catch {
      throw ForeignPartError(input: error)
    }
    if known == nil { await output.beginPart(number) }
  }

  /// Checks that there is no part beyond the end of the input.
  func checkEnd(in folder: ScanParts?) throws(ForeignPartError) {
    let beyond: Int?
    do throws(InvalidInput) {
      beyond = try folder?.firstPart(from: number.map { $0 + 1 } ?? 0)
    } catch {
      throw ForeignPartError(input: error)
    }
    if let beyond { throw Self.otherInput(ScanParts.name(of: beyond)) }
  }

  /// Checks that an existing part belongs to this input.
  func check(_ known: ScanParts.Known, lines: Int, digest: String, shard: ScanShard?) throws(ForeignPartError)
  {
    guard (known.lines, known.digest, known.shard) != (lines, digest, shard?.description) else { return }
    throw Self.otherInput(ScanParts.name(of: number ?? 0))
  }

  private static func otherInput(_ name: String) -> ForeignPartError {
    ForeignPartError(
      input: InvalidInput(
        "\(name) belongs to another input, another number of lines in a part, or another shard",
        remedy: "use another folder, or remove its parts to start over"))
  }
}
