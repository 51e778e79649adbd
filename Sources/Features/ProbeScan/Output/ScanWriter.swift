internal import ProbeCore
internal import ProbeJSON
package import ProbeBase
package import ProbeSystem

/// The destination of the lines of a scan; writing may block.
package protocol ScanWriter: Sendable {
  func write(_ lines: [UInt8], ofPart part: Int) throws(OutputSink.Failure)

  /// Writes the end line of a complete part.
  func end(part: Int, _ line: [UInt8]) throws(OutputSink.Failure)
}

/// A scan that is not divided, on standard output or in a file.
package struct ScanStream: ScanWriter {
  let sink: OutputSink

  package init(sink: OutputSink) {
    self.sink = sink
  }

  package func write(_ lines: [UInt8], ofPart part: Int) throws(OutputSink.Failure) {
    sink.write(lines)
    // Flush, so that the reader of a pipe receives each result immediately.
    sink.flush()
    if let failure = sink.failure { throw failure }
  }

  package func end(part: Int, _ line: [UInt8]) throws(OutputSink.Failure) {
    try write(line, ofPart: part)
  }
}

/// The folder of a divided scan: a file for each part, which appears when it is complete.
package final class ScanParts: ScanWriter {
  /// The facts in the end line of an existing part.
  struct Known: Hashable, Sendable {
    let lines: Int
    let digest: String
    let shard: String?
    let outcomes: [Outcome: Int]

    /// The number of results.
    var results: Int { outcomes.values.reduce(0, +) }
  }

  /// An existing part.
  enum Found: Hashable, Sendable {
    case complete(Known)
    /// A part that lacks results, or has too many, although it has an end line.
    case incomplete(Known, found: Int)
  }

  private struct State {
    var open: [Int: ReportFile] = [:]
    /// The parts that this scan has completed.
    var completed: [Int] = []
  }

  private let path: String
  private let lock: LockedFolder
  private let state = Guarded(State())

  /// Opens the folder, creates it if necessary, and removes the remnants of an interrupted scan.
  ///
  /// - Throws: `InvalidInput` if the folder cannot be used, or if another scan uses it.
  package init(_ path: String) throws(InvalidInput) {
    self.path = path
    do throws(FileError) {
      lock = try LockedFolder(path)
      try lock.removeTemporaryFiles()
    } catch {
      throw InvalidInput("--parts: \(Excerpt(path, limit: 200)): cannot be used: \(error)")
    }
  }

  /// The file name of a part, whose number starts from 0.
  static func name(of part: Int) -> String {
    let digits = String(part + 1)
    return "part-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".ndjson"
  }

  private func path(of part: Int) -> String { "\(path)/\(Self.name(of: part))" }

  /// The first existing part with at least this number; nil if there is none.
  ///
  /// - Throws: `InvalidInput` if the folder cannot be read.
  func firstPart(from number: Int) throws(InvalidInput) -> Int? {
    do throws(FileError) {
      return try lock.names().compactMap(Self.part(named:)).filter { $0 >= number }.min()
    } catch {
      throw InvalidInput("\(Excerpt(path, limit: 200)): \(error)")
    }
  }

  private static func part(named file: String) -> Int? {
    guard file.hasPrefix("part-"), file.hasSuffix(".ndjson"),
      let number = Int(text: file.dropFirst(5).dropLast(7)), name(of: number - 1) == file
    else { return nil }
    return number - 1
  }

  /// The existing part with this number; nil if there is none.
  ///
  /// - Throws: `InvalidInput` if the file is not a part of a scan.
  func find(_ part: Int) throws(InvalidInput) -> Found? {
    let name = Self.name(of: part)
    let end: [UInt8]
    do throws(FileError) {
      guard let bytes = try lock.lastLine(of: name, limit: 1 << 16) else { return nil }
      end = bytes
    } catch {
      throw InvalidInput("\(Excerpt(path(of: part), limit: 200)): \(error)")
    }
    guard let value = try? JSONParser(maximumLength: 1 << 16).value(of: end), let known = Known(value) else {
      throw InvalidInput(
        "\(Excerpt(path(of: part), limit: 200)): it has no end line, so it is not a part of a scan",
        remedy: "move it out of the folder")
    }
    // The results may have been deleted, all or some of them.
    let lines: Int?
    do throws(FileError) {
      lines = try lock.lineCount(of: name, beginningWith: UInt8(ascii: "{"))
    } catch {
      throw InvalidInput("\(Excerpt(path(of: part), limit: 200)): \(error)")
    }
    let results = max(0, (lines ?? 0) - 1)
    return results == known.results ? .complete(known) : .incomplete(known, found: results)
  }

  package func write(_ lines: [UInt8], ofPart part: Int) throws(OutputSink.Failure) {
    let file = try file(of: part)
    file.sink.write(lines)
    if let failure = file.sink.failure { throw failure }
  }

  package func end(part: Int, _ line: [UInt8]) throws(OutputSink.Failure) {
    let file = try file(of: part)
    file.sink.write(line)
    try file.commit(isDurable: true)
    state.withLock { state in
      state.open[part] = nil
      state.completed.append(part)
    }
  }

  /// Removes the parts that this scan has completed, because the other parts belong to another input.
  func rollBack() {
    for part in state.withLock(\.completed) { lock.remove(Self.name(of: part)) }
  }

  /// Removes the files of the parts that are not complete, and releases the folder for other scans, at the end of this
  /// one.
  package func release() {
    let files = state.withLock { state in
      defer { state.open = [:] }
      return state.open.values
    }
    // Not left to their last references, which a thread may hold until the process ends.
    for file in files { file.discard() }
    lock.release()
  }

  private func file(of part: Int) throws(OutputSink.Failure) -> ReportFile {
    if let file = state.withLock({ $0.open[part] }) { return file }
    let file = try ReportFile(path(of: part))
    state.withLock { $0.open[part] = file }
    return file
  }
}

extension ScanParts.Known {
  fileprivate init?(_ value: JSONValue) {
    guard case .object(let members) = value else { return nil }
    let fields = Dictionary(members.map { ($0.name, $0.value) }) { $1 }
    guard fields["type"] == .string("end"), case .integer(let lines)? = fields["lines"], lines >= 0,
      case .string(let digest)? = fields["digest"]
    else { return nil }
    (self.lines, self.digest) = (lines, digest)
    if case .string(let shard)? = fields["shard"] { self.shard = shard } else { shard = nil }
    var outcomes: [Outcome: Int] = [:]
    for outcome in Outcome.allCases {
      guard case .integer(let count)? = fields[outcome.rawValue] else { continue }
      // No line has more than one result: the counts of all parts are added.
      guard (0...lines).contains(count) else { return nil }
      outcomes[outcome] = count
    }
    self.outcomes = outcomes
  }
}
