package import ProbeBase
import ProbeCore
import ProbeTLS
import ProbePipeline
import ProbeSystem

/// Divides the input of a scan, which may be any bytes, into lines and parts, in bounded memory.
package final class ScanReader {
  /// The next element of the input.
  package enum Event {
    case line(ScanLine)
    /// The end of a part, with the number of its lines and the SHA-256 of its bytes.
    case endOfPart(Int, lines: Int, digest: String)
  }

  /// The maximum size of a line in bytes; further bytes are discarded.
  package static let maximumLineLength = 1 << 16

  /// The number of lines of a part; nil for a single part.
  private let partLines: Int?
  private let shard: ScanShard?
  private var chunk: [UInt8] = []
  private var position = 0
  /// The position of the first byte that is not in the digest yet.
  private var hashed = 0
  /// The beginning of an incomplete line.
  private var begun: [UInt8] = []
  private var isTooLong = false
  /// Whether the next line is the first one of its file.
  private var isFirstOfFile = true
  /// Whether the last line of a file has no line break.
  private var lacksLineBreak = false
  /// The number of complete lines.
  package private(set) var lines = 0
  private var part = 0
  private var linesOfPart = 0
  private var digest = RunningDigest()
  /// The digest of all parts.
  private var total = RunningDigest()

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - partLines: The number of lines of a part; nil for a single part.
  ///   - shard: The share of the lines to return; nil for all.
  package init(partLines: Int? = nil, shard: ScanShard? = nil) {
    self.partLines = partLines
    self.shard = shard
  }

  /// Adds bytes, once ``next()`` has returned nil.
  package func add(_ bytes: [UInt8]) {
    // Otherwise, different files could have the same digest, such as `a` and `bc` instead of `ab` and `c`.
    if lacksLineBreak, !bytes.isEmpty {
      digest.add([UInt8(ascii: "\n")])
      if partLines != nil { total.add([UInt8(ascii: "\n")]) }
      lacksLineBreak = false
    }
    chunk = bytes
    (position, hashed) = (0, 0)
  }

  /// The next event; nil if more input is needed.
  package func next() -> Event? {
    while position < chunk.count {
      if let partLines, linesOfPart == partLines { return endPart() }
      guard let end = chunk[position...].firstIndex(of: UInt8(ascii: "\n")) else {
        keep(chunk[position...])
        position = chunk.count
        break
      }
      keep(chunk[position..<end])
      position = end + 1
      if let line = endLine() { return .line(line) }
    }
    hash(to: chunk.count)
    return nil
  }

  /// Ends a line that has no line break, as at the end of a file.
  package func endFile() -> Event? {
    defer { isFirstOfFile = true }
    guard !begun.isEmpty else { return nil }
    lacksLineBreak = true
    return endLine().map { .line($0) }
  }

  /// The end of the last part, at the end of the input; nil if no part is open.
  package func end() -> Event? {
    partLines == nil || linesOfPart > 0 || lines == 0 ? endPart() : nil
  }

  /// The SHA-256 of the whole divided input; called once, at its end.
  func wholeDigest() -> String { total.finish() }

  private func hash(to offset: Int) {
    digest.add(chunk[hashed..<offset])
    if partLines != nil { total.add(chunk[hashed..<offset]) }
    hashed = offset
  }

  private func keep(_ bytes: ArraySlice<UInt8>) {
    let room = Self.maximumLineLength - begun.count
    if bytes.count > room { isTooLong = true }
    begun += bytes.prefix(room)
  }

  private func endLine() -> ScanLine? {
    defer {
      begun.removeAll(keepingCapacity: true)
      (isTooLong, isFirstOfFile) = (false, false)
    }
    if isFirstOfFile, begun.hasByteOrderMark { begun.removeFirst(3) }
    lines += 1
    linesOfPart += 1
    guard let text = ListFile.entry(in: begun[...]) else { return nil }
    var line = ScanLineParser.line(text, number: lines, isTooLong: isTooLong)
    line.part = part
    guard let shard else { return line }
    // A line without a host belongs to one shard too.
    let owner = line.host.map { Array($0.utf8) } ?? Array(text)
    return shard.owns(owner) ? line : nil
  }

  private func endPart() -> Event {
    hash(to: position)
    defer {
      part += 1
      linesOfPart = 0
    }
    return .endOfPart(part, lines: linesOfPart, digest: digest.finish())
  }
}

/// A share of the input: the lines of the hosts whose hash selects it.
///
/// All lines of a host are in the same shard, so that limits per host apply across all shards.
package struct ScanShard: Hashable, Sendable, CustomStringConvertible {
  let index: Int
  let count: Int

  package var description: String { "\(index)/\(count)" }

  /// Parses a shard, such as `2/8`.
  ///
  /// - Throws: `InvalidInput` if there is no such shard.
  package init(_ text: String) throws(InvalidInput) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int(text: $0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1], (1...100_000).contains(count),
      (1...count).contains(index)
    else {
      throw InvalidInput("\(Excerpt(text)) is not a shard", remedy: "write it as I/N, such as 1/4")
    }
    (self.index, self.count) = (index, count)
  }

  /// Whether a host belongs to this shard: the first 8 bytes of its SHA-256, as a number, modulo the count.
  func owns(_ host: [UInt8]) -> Bool {
    let hash = MessageDigest.sha256(of: host).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64(widening: $1) }
    return Int(clamping: hash % UInt64(clamping: count)) == index - 1
  }
}
