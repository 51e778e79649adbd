import ProbeBase
import ProbeCore
import ProbeTLS
import ProbePipeline

@testable import ProbeScan

/// The lines and parts that a reader finds in its input.
struct ScanReading: Equatable {
  struct Line: Hashable {
    let number: Int
    let part: Int
    let id: ScanLine.ID?
    let url: String
    let isURL: Bool

    init(_ line: ScanLine) {
      (number, part, id, url) = (line.number, line.part, line.id, line.url)
      isURL = (try? line.target.get()) != nil
    }
  }

  struct Part: Hashable {
    let number: Int
    let lines: Int
    let digest: String
  }

  var lines: [Line] = []
  var parts: [Part] = []

  /// Reads files, each given in pieces.
  init(_ files: [[[UInt8]]], partLines: Int? = nil, shard: ScanShard? = nil) {
    let reader = ScanReader(partLines: partLines, shard: shard)
    for file in files {
      for piece in file {
        reader.add(piece)
        while let event = reader.next() { take(event) }
      }
      if let event = reader.endFile() { take(event) }
    }
    if let event = reader.end() { take(event) }
  }

  private mutating func take(_ event: ScanReader.Event) {
    switch event {
    case .line(let line): lines.append(Line(line))
    case .endOfPart(let number, let lines, let digest):
      parts.append(Part(number: number, lines: lines, digest: digest))
    }
  }

  /// The same, read from entire files and lines.
  init(simply files: [[UInt8]], partLines: Int? = nil) {
    var raw: [[UInt8]] = []
    for (index, file) in files.enumerated() {
      var rest = file[...]
      var isFirst = true
      while !rest.isEmpty {
        var text = Array(rest.prefix { $0 != UInt8(ascii: "\n") })
        rest = rest.dropFirst(text.count + 1)
        let endsInBreak = !rest.isEmpty || file.last == UInt8(ascii: "\n")
        let isFollowed = files[(index + 1)...].contains { !$0.isEmpty }
        raw.append(text + (endsInBreak || isFollowed ? [UInt8(ascii: "\n")] : []))
        let isTooLong = text.count > ScanReader.maximumLineLength
        text = Array(text.prefix(ScanReader.maximumLineLength))
        if isFirst, text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
        isFirst = false
        guard let content = ListFile.entry(in: text[...]) else { continue }
        var line = ScanLineParser.line(content, number: raw.count, isTooLong: isTooLong)
        line.part = partLines.map { (raw.count - 1) / $0 } ?? 0
        lines.append(Line(line))
      }
    }
    let size = partLines ?? max(raw.count, 1)
    for (number, start) in stride(from: 0, to: max(raw.count, 1), by: size).enumerated() {
      let part = raw[start..<min(start + size, raw.count)]
      parts.append(Part(number: number, lines: part.count, digest: Self.digest(Array(part.joined()))))
    }
  }

  /// The SHA-256 of bytes, in hexadecimal digits.
  static func digest(_ bytes: [UInt8]) -> String {
    MessageDigest.sha256(of: bytes).hexText
  }
}
