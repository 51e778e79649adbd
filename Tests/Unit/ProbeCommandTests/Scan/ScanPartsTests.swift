import Foundation
import Glibc
import ProbeCommand
import ProbeCore
import ProbeBase
import TestRequirements
import TestSupport
import ProbeTLS
import Testing
import TestTransports
@testable import CommandKit

/// A scan in parts, in a folder that may already contain some of them.
@Suite struct ScanPartsTests {
  private let folder: TemporaryFolder
  private let requests = Guarded<[String]>([])

  init() throws { folder = try TemporaryFolder() }

  private var results: String { folder.path(of: "results") }
  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: results).sorted() }
  }
  private func text(_ part: Int) -> String { readText("\(results)/part-00000\(part).ndjson") }

  private static func input(_ lines: Range<Int>, host: String = "h") -> String {
    lines.map { "{\"id\":\($0),\"url\":\"https://\(host)/\($0)\"}\n" }.joined()
  }

  private func scan(_ input: String, _ options: [String] = [], lines: Int = 3) async throws -> Scan {
    requests.withLock { $0 = [] }
    let transport = FakeTransport { [requests] request in
      requests.withLock { $0.append(request.url.path) }
      return ProbeResponse(url: request.url, head: HTTPResponseHead(status: 204))
    }
    return try await Scan(
      ["--allow-private", "--parts", results, "--part-lines", "\(lines)"] + options, input: input,
      plugins: .bundled(over: transport))
  }

  private func ids() throws -> [Int] {
    try names.flatMap { name in
      try Scan.lines(of: readText("\(results)/\(name)")).compactMap { $0["id"] as? Int }
    }.sorted()
  }

  @Test func eachPartHasItsResultsAndItsInputDigest() async throws {
    let input = Self.input(0..<8)
    let scan = try await scan(input)
    #expect(scan.code == .success)
    #expect(try names == ["part-000001.ndjson", "part-000002.ndjson", "part-000003.ndjson"])
    let lines = input.split(separator: "\n").map { "\($0)\n" }
    for (part, range) in [(1, 0..<3), (2, 3..<6), (3, 6..<8)] {
      let objects = try Scan.lines(of: text(part))
      #expect(Set(objects.compactMap { $0["id"] as? Int }) == Set(range))
      #expect(objects.last?["part"] as? Int == part)
      #expect(
        objects.last?["digest"] as? String
          == MessageDigest.sha256(of: Array(lines[range].joined().utf8)).hexText)
    }
    // Standard output has the end line of the entire scan.
    let end = try #require(try scan.end())
    #expect(try scan.lines().count == 1)
    #expect(end["digest"] as? String == MessageDigest.sha256(of: Array(input.utf8)).hexText)
    #expect(end["lines"] as? Int == 8 && end["accepted"] as? Int == 8)
  }

  @Test func onlyMissingPartsAreScanned() async throws {
    let input = Self.input(0..<9)
    _ = try await scan(input)
    let first = text(1)
    try FileManager.default.removeItem(atPath: "\(results)/part-000002.ndjson")
    let again = try await scan(input)
    #expect(again.code == .success)
    #expect(requests.withLock(\.self).sorted() == ["/3", "/4", "/5"])
    #expect(text(1) == first)
    #expect(try ids() == Array(0..<9))
    #expect(try again.end()?["accepted"] as? Int == 9)
    let complete = try await scan(input)
    #expect(complete.code == .success && requests.withLock(\.self).isEmpty)
    #expect(try complete.end()?["accepted"] as? Int == 9)
  }

  /// The end line of a part is no proof that its results are there.
  @Test(arguments: [0, 1, 2, 3])
  func aPartWithoutItsResultsIsScannedAgain(_ kept: Int) async throws {
    let input = Self.input(0..<9)
    _ = try await scan(input)
    let lines = text(2).split(separator: "\n").map { "\($0)\n" }
    try folder.write("results/part-000002.ndjson", (lines.prefix(kept) + lines.suffix(1)).joined())
    let again = try await scan(input)
    #expect(again.code == .success)
    #expect(requests.withLock(\.self).sorted() == (kept == 3 ? [] : ["/3", "/4", "/5"]))
    #expect(
      again.errors.contains("part-000002.ndjson has \(kept) of 3 results and is probed again\n") == (kept < 3)
    )
    #expect(try ids() == Array(0..<9))
    #expect(try again.end()?["results"] as? Int == 9)
  }

  @Test func aPartThatHasTooManyLinesIsScannedAgain() async throws {
    _ = try await scan(Self.input(0..<3))
    try folder.write("results/part-000001.ndjson", "{}\n" + text(1))
    #expect(try await scan(Self.input(0..<3)).errors.contains("has 4 of 3 results"))
    #expect(try ids() == [0, 1, 2])
  }

  @Test func linesWithoutResultsAreNoneThatArePresumedLost() async throws {
    let input = "# a\n\n" + Self.input(0..<1)
    #expect(try await scan(input).code == .success)
    let again = try await scan(input)
    #expect(again.code == .success && requests.withLock(\.self).isEmpty)
    #expect(!again.errors.contains("probed again"))
  }

  /// A part of another input is not replaced, even if it lacks results.
  @Test func anIncompletePartOfAnotherInputIsRejected() async throws {
    _ = try await scan(Self.input(0..<6))
    let part = "\(text(2).split(separator: "\n").last ?? "")\n"
    try folder.write("results/part-000002.ndjson", part)
    let other = try await scan(Self.input(0..<3) + Self.input(3..<6, host: "i"))
    #expect(other.code == .badInput && other.errors.contains("part-000002.ndjson belongs to another input"))
    #expect(text(2) == part)
    #expect(try names == ["part-000001.ndjson", "part-000002.ndjson"])
  }

  /// The reasons are those of this run, and are not mixed with the counts of earlier ones.
  @Test func theSummaryOfAResumedScanDistinguishesItsRun() async throws {
    let input = "ftp://a/\nftp://b/\n" + Self.input(2..<6)
    let first = try await scan(input)
    #expect(first.errors.contains(": 4 accepted, 2 failed\n  2 request.invalid\n"), "\(first.errors)")
    #expect(!first.errors.contains("earlier"))
    try FileManager.default.removeItem(atPath: "\(results)/part-000002.ndjson")
    let again = try await scan(input)
    let lines = again.errors.split(separator: "\n")
    #expect(try #require(lines.first).hasSuffix(": 4 accepted, 2 failed"))
    #expect(lines.dropFirst().first == "3 of these results are from earlier runs; in this run: 3 accepted")
    #expect(!again.errors.contains("request.invalid"))
  }

  @Test func anEmptyInputIsAnEmptyPart() async throws {
    #expect(try await scan("").code == .success)
    #expect(try names == ["part-000001.ndjson"])
    #expect(try Scan.lines(of: text(1)).map { $0["lines"] as? Int } == [0])
  }

  /// Changed text, part sizes, lengths and shards are detected, and the rejected scan leaves nothing behind.
  @Test(arguments: [
    "other first part", "other last part", "shorter", "much shorter", "other part lines", "a shard",
  ])
  func aDifferentInputIsRejected(_ change: String) async throws {
    _ = try await scan(Self.input(0..<9))
    // One part is missing, so that the scan has one to write.
    try FileManager.default.removeItem(atPath: "\(results)/part-000001.ndjson")
    if change == "other first part" || change == "a shard" || change == "other part lines" {
      _ = try await scan(Self.input(0..<9))
      try FileManager.default.removeItem(atPath: "\(results)/part-000003.ndjson")
    }
    let before = try names.map { ($0, readText("\(results)/\($0)")) }
    let scan =
      switch change {
      case "other first part": try await scan(Self.input(0..<3, host: "i") + Self.input(3..<9))
      case "other last part": try await scan(Self.input(0..<6) + Self.input(6..<9, host: "i"))
      case "shorter": try await scan(Self.input(0..<6))
      case "much shorter": try await scan(Self.input(0..<2))
      case "other part lines": try await scan(Self.input(0..<9), lines: 2)
      default: try await scan(Self.input(0..<9), ["--shard", "1/2"])
      }
    #expect(scan.code == .badInput)
    #expect(scan.output.isEmpty)
    #expect(
      scan.errors.contains("belongs to another input, another number of lines in a part, or another shard"))
    let after = try names.map { ($0, readText("\(results)/\($0)")) }
    #expect(before.elementsEqual(after) { $0 == $1 })
  }

  @Test func addedLinesAreAcceptedUnlessAPartChanges() async throws {
    _ = try await scan(Self.input(0..<6))
    #expect(try await scan(Self.input(0..<8)).code == .success)
    #expect(requests.withLock(\.self).sorted() == ["/6", "/7"])
    #expect(try await scan(Self.input(0..<9)).code == .badInput)
    #expect(try ids() == Array(0..<8))
  }

  @Test(arguments: [
    "", "no part", "{\"type\":\"end\"}\n", "{\"type\":\"probe\"}\n", "[]\n",
    "{\"type\":\"end\",\"lines\":3,\"digest\":\"d\"}",
  ])
  func aFileThatIsNotAPartIsRejected(_ text: String) async throws {
    try folder.write("results/part-000002.ndjson", text)
    let scan = try await scan(Self.input(0..<9))
    #expect(scan.code == .badInput)
    #expect(
      scan.errors.contains("part-000002.ndjson\": it has no end line, so it is not a part of a scan: move it")
    )
    #expect(self.text(2) == text)
    #expect(try names == ["part-000002.ndjson"])
  }

  /// The counts of all parts are added.
  @Test(arguments: ["9223372036854775807", "-1", "4"])
  func countsThatDoNotFitTheLinesAreRejected(_ count: String) async throws {
    _ = try await scan(Self.input(0..<6))
    for part in 1...2 {
      let changed = text(part).replacing("\"accepted\":3", with: "\"accepted\":\(count)")
      try #require(changed != text(part))
      try folder.write("results/part-00000\(part).ndjson", changed)
    }
    let scan = try await scan(Self.input(0..<6))
    #expect(scan.code == .badInput)
    #expect(scan.errors.contains("part-000001.ndjson\": it has no end line, so it is not a part of a scan"))
  }

  @Test func otherFilesAreKept() async throws {
    let others = [
      "notes.txt", "part-1.ndjson", "part-000009.ndjson.bak", "part-0000001.ndjson",
      "part--9223372036854775808.ndjson", "part-9223372036854775807.ndjson",
    ]
    for name in others { try folder.write("results/\(name)", "mine") }
    #expect(try await scan(Self.input(0..<3)).code == .success)
    #expect(try names.count == others.count + 1)
    #expect(readText("\(results)/notes.txt") == "mine")
  }

  @Test func aFolderIsUsedByOneScanAtATime() async throws {
    try FileManager.default.createDirectory(atPath: results, withIntermediateDirectories: true)
    let other = unsafe open(results, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(other) }
    try #require(flock(other, LOCK_EX | LOCK_NB) == 0)
    let scan = try await scan(Self.input(0..<3))
    #expect(scan.code == .badInput)
    #expect(scan.errors.contains("another process uses the folder"))
    #expect(requests.withLock(\.self).isEmpty)
    try #require(flock(other, LOCK_UN) == 0)
    #expect(try await self.scan(Self.input(0..<3)).code == .success)
  }

  @Test func anUnusableFolderIsReported() async throws {
    try folder.write("results", "a file")
    let scan = try await scan(Self.input(0..<3))
    #expect(scan.code == .badInput)
    #expect(scan.errors.contains("results") && requests.withLock(\.self).isEmpty)
    #expect(readText(results) == "a file")
  }

  @Test func aPartThatCannotBeWrittenEndsTheScan() async throws {
    // A folder instead of a part.
    try folder.write("results/part-000001.ndjson/x", "")
    let scan = try await scan(Self.input(0..<3))
    #expect(scan.code == .badInput)
    #expect(scan.errors.contains("part-000001.ndjson"))
  }

  @Test func aShardHasTheDigestOfTheEntireInput() async throws {
    let input = (0..<12).map { "https://h\($0)/\($0)\n" }.joined()
    var lines: [Int] = []
    for shard in 1...3 {
      try? FileManager.default.removeItem(atPath: results)
      let scan = try await scan(input, ["--shard", "\(shard)/3"], lines: 100)
      #expect(try scan.end()?["digest"] as? String == MessageDigest.sha256(of: Array(input.utf8)).hexText)
      #expect(try scan.end()?["shard"] as? String == "\(shard)/3")
      #expect(try scan.end()?["lines"] as? Int == 12)
      lines += try Scan.lines(of: text(1)).compactMap { $0["line"] as? Int }
    }
    #expect(lines.sorted() == Array(1...12))
  }
}
