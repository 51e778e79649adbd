import ProbeCore
import ProbePipeline
import TestSupport
import Testing

@testable import ProbeScan

/// The input of a scan as lines and parts.
@Suite struct ScanReaderTests {
  /// The building blocks of inputs: everything with a meaning, and bytes without one.
  private static let words: [[UInt8]] =
    [
      "\n", "\n", "\n", "\r\n", "\r", " ", "\t", "#", "# a comment", "https://a.example/",
      "http://b.example/?q",
      #"{"id":7,"url":"https://c.example/"}"#, #"{"id":"x"}"#, "{", "\0", "é", "", "a",
    ].map { Array($0.utf8) } + [[0xEF, 0xBB, 0xBF], [0xFF], [0xC3], [0xEF, 0xBB]]

  private static func pieces(of file: [UInt8], _ random: inout SeededNumbers) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = file[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 0...7, using: &random))
      pieces.append(Array(piece))
      rest = rest.dropFirst(piece.count)
    }
    return pieces
  }

  /// Lines, parts and digests do not depend on how the input arrives.
  @Test(arguments: 0..<8) func chunkBoundariesHaveNoEffect(_ seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    for _ in 0..<150 {
      let files = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        (0..<Int.random(in: 0...14, using: &random)).flatMap { _ in
          Self.words.randomElement(using: &random) ?? []
        }
      }
      let partLines = [nil, 1, 2, 3].randomElement(using: &random) ?? nil
      let cut = files.map { Self.pieces(of: $0, &random) }
      let reading = ScanReading(cut, partLines: partLines)
      #expect(
        reading == ScanReading(simply: files, partLines: partLines), "\(files), parts of \(partLines ?? 0)")
    }
  }

  @Test func theDigestOfOneFileIsThatOfItsBytes() {
    for text in ["", "a", "a\n", "a\nb", "\n\n", "\u{FEFF}a\r\nb\r\n"] {
      let bytes = Array(text.utf8)
      #expect(ScanReading([[bytes]]).parts.map(\.digest) == [ScanReading.digest(bytes)])
    }
  }

  @Test func theDigestOfAllPartsIsThatOfTheInput() {
    let reader = ScanReader(partLines: 2)
    let bytes = Array("a\nb\nc\nd\ne".utf8)
    for byte in bytes {
      reader.add([byte])
      while reader.next() != nil {}
    }
    _ = reader.endFile()
    #expect(reader.end() != nil)
    #expect(reader.lines == 5)
    #expect(reader.wholeDigest() == ScanReading.digest(bytes))
  }

  @Test func linesDoNotSpanFiles() {
    let reading = ScanReading([[Array("https://a.example/".utf8)], [], [Array("https://b.example/\n".utf8)]])
    #expect(reading.lines.map(\.url) == ["https://a.example/", "https://b.example/"])
    #expect(reading.parts.map(\.lines) == [2])
  }

  @Test func differentLinesHaveDifferentDigests() {
    func reading(_ files: String...) -> ScanReading {
      ScanReading(files.map { [Array($0.utf8)] }, partLines: 2)
    }
    #expect(reading("a", "bc\nd").parts != reading("ab", "c\nd").parts)
    // A line break at the end of a file does not start another line.
    #expect(reading("a\n", "b\n").parts == reading("a", "b\n").parts)
  }

  @Test func aByteOrderMarkIsSkippedAtTheStartOfEachFile() {
    let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("https://a.example/\n".utf8)
    let reading = ScanReading([[marked + marked], [marked]])
    #expect(reading.lines.map(\.isURL) == [true, false, true])
  }

  @Test func anEmptyInputIsOneEmptyPart() {
    let empty = ScanReading.Part(number: 0, lines: 0, digest: ScanReading.digest([]))
    for partLines in [nil, 3] {
      #expect(ScanReading([], partLines: partLines).parts == [empty])
      #expect(ScanReading([[], [[]]], partLines: partLines).parts == [empty])
    }
  }

  @Test func partsEndExactlyAtTheirLastLine() {
    func lines(_ text: String) -> [Int] { ScanReading([[Array(text.utf8)]], partLines: 2).parts.map(\.lines) }
    #expect(lines("a\n") == [1])
    #expect(lines("a\nb\n") == [2])
    #expect(lines("a\nb") == [2])
    #expect(lines("a\nb\n\n") == [2, 1])
    #expect(lines("a\nb\nc\nd") == [2, 2])
  }

  /// 16 MiB without a line break, of which the first 64 KiB are kept.
  @Test func anOverlongLineIsReported() {
    let reader = ScanReader()
    let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 16)
    for _ in 0..<256 {
      reader.add(piece)
      if reader.next() != nil { Issue.record("there is no line yet") }
    }
    reader.add(Array("\nhttps://a.example/\n".utf8))
    guard case .line(let long)? = reader.next(), case .line(let next)? = reader.next() else {
      Issue.record("two lines were expected")
      return
    }
    #expect(
      throws: InvalidInput(
        "the line is longer than 64 KiB", remedy: "write one URL or JSON object on each line")
    ) { try long.target.get() }
    #expect(long.url.utf8.count < 1000)
    #expect((long.number, next.number, next.url) == (1, 2, "https://a.example/"))
  }

  @Test(arguments: [0, 1]) func aLineOfMaximumLengthIsRead(_ excess: Int) {
    let json = #"{"id":1,"url":"https://a.example/","labels":{"a":""#
    let fill = String(repeating: "b", count: ScanReader.maximumLineLength - json.utf8.count - 3 + excess)
    let reading = ScanReading([[Array("\(json)\(fill)\"}}".utf8)]])
    #expect(reading.lines.map(\.isURL) == [excess == 0])
    #expect(reading.lines.map(\.id) == [excess == 0 ? .number(1) : nil])
  }

  @Test func eachLineIsInExactlyOneShard() throws {
    let hosts = (0..<40).map { "h\($0).example" }
    let text = hosts.flatMap {
      ["https://\($0)/", "http://\($0):8080/b", "HTTPS://\($0.uppercased())/c", "no URL \($0)"]
    }
    let bytes = Array(text.joined(separator: "\n").utf8)
    for count in [1, 2, 3, 7] {
      let shards = try (1...count).map { ScanReading([[bytes]], shard: try ScanShard("\($0)/\(count)")) }
      #expect(shards.flatMap { $0.lines.map(\.number) }.sorted() == Array(1...text.count))
      // The digest is that of the entire input.
      #expect(shards.allSatisfy { $0.parts.map(\.digest) == [ScanReading.digest(bytes)] })
      for (index, shard) in shards.enumerated() where count > 1 {
        #expect(!shard.lines.isEmpty)
        let here = Set(shard.lines.filter(\.isURL).compactMap { try? ProbeURL($0.url).host })
        let there = shards.enumerated().filter { $0.offset != index }.flatMap(\.element.lines)
          .filter(\.isURL).compactMap { try? ProbeURL($0.url).host }
        #expect(here.isDisjoint(with: there))
      }
    }
  }

  @Test(arguments: ["", "/", "1", "0/2", "3/2", "1/0", "-1/2", "1/2/3", "a/b", "1/100001", "1 /2"])
  func invalidShardsAreRejected(_ text: String) {
    #expect(throws: InvalidInput.self) { try ScanShard(text) }
  }

  @Test func aTrailingDotDoesNotChangeTheHost() throws {
    let lines = ["https://shop.example/", "https://shop.example./", "https://SHOP.example.:8443/x"].map {
      text in
      ScanLineParser.line(Array(text.utf8)[...], number: 1)
    }
    #expect(lines.map(\.host) == ["shop.example", "shop.example", "shop.example"])
    let shards = (1...7).map { shard in
      lines.count { line in
        let reader = ScanReader(shard: try? ScanShard("\(shard)/7"))
        reader.add(Array((line.url + "\n").utf8))
        return reader.next() != nil
      }
    }
    #expect(shards.sorted() == [0, 0, 0, 0, 0, 0, 3])
  }
}
