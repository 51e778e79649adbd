import Foundation
import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import ProbeScan

/// Compressed input, as gzip and zstd write it.
@Suite struct ScanUnpackingTests {
  /// The content of a file, given in pieces of this size.
  private static func unpacked(_ bytes: [UInt8], pieces: Int = 1 << 15) throws -> [UInt8] {
    var unpacking = ScanUnpacking()
    var content: [UInt8] = []
    // An error must not cause an endless loop.
    var turns = 0
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      unpacking.add(Array(bytes[start..<min(start + pieces, bytes.count)]))
      while let piece = try unpacking.next() {
        content += piece
        turns += 1
        guard turns < 100_000 else { throw InvalidInput("no end") }
      }
    }
    return content + (try unpacking.finish())
  }

  /// The bytes that a shell script writes.
  private static func bytes(of script: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let file = folder.path(of: "bytes")
    guard try runProgram("sh", ["-ec", "exec >\"$0\"; \(script)", file]) == 0 else {
      try skipTest("this machine cannot run: \(script)")
    }
    return Array(try Data(contentsOf: URL(filePath: file)))
  }

  private static func requireZstd() throws {
    guard try runProgram("sh", ["-c", "command -v zstd >/dev/null"]) == 0 else {
      try skipTest("there is no zstd")
    }
  }

  static let scripts: [(script: String, content: String)] = [
    ("echo a | gzip", "a\n"),
    ("echo a | gzip -1; echo b | gzip -9", "a\nb\n"),
    ("printf '' | gzip", ""),
    ("printf '' | gzip; echo b | gzip; printf '' | gzip", "b\n"),
    ("echo a | gzip; head -c 1500 /dev/zero", "a\n"),
    ("seq 30000 | gzip; seq 30001 60000 | gzip", (1...60_000).map { "\($0)\n" }.joined()),
    ("head -c 70000 /dev/zero | tr '\\0' x | gzip", String(repeating: "x", count: 70_000)),
    ("head -c 65536 /dev/zero | tr '\\0' x | gzip", String(repeating: "x", count: 65_536)),
  ]
  static let zstdScripts: [(script: String, content: String)] = [
    ("echo a | zstd", "a\n"),
    ("echo a | zstd; echo b | zstd --no-check", "a\nb\n"),
    ("printf '' | zstd; echo b | zstd", "b\n"),
    ("seq 30000 | zstd -19; seq 30001 60000 | zstd", (1...60_000).map { "\($0)\n" }.joined()),
    ("head -c 65536 /dev/zero | tr '\\0' x | zstd", String(repeating: "x", count: 65_536)),
    // A skippable frame of three bytes first, as pzstd writes one.
    ("printf '\\120\\052\\115\\030\\003\\000\\000\\000abc'; echo a | zstd", "a\n"),
  ]

  @Test(arguments: scripts) func gzip(_ script: String, content: String) throws {
    try Self.check(script, content)
  }

  @Test(arguments: zstdScripts) func zstd(_ script: String, content: String) throws {
    try Self.requireZstd()
    try Self.check(script, content)
  }

  private static func check(_ script: String, _ content: String) throws {
    let packed = try bytes(of: script)
    for pieces in [1, 3, 1000, 1 << 15, packed.count] {
      #expect(
        try unpacked(packed, pieces: pieces).elementsEqual(content.utf8), "\(script), \(pieces) at a time")
    }
  }

  static let damaged = [
    // Cut at every offset that matters.
    "echo abc | gzip | head -c 5", "echo abc | gzip | head -c 12", "seq 100 | gzip | head -c 100",
    "seq 100 | gzip | head -c -1", "echo a | gzip; echo b | gzip | head -c 3",
    // Trailing garbage, and data after zeros.
    "echo a | gzip; echo garbage", "echo a | gzip; printf '\\0\\0\\0x'",
    "echo a | gzip; head -c 40000 /dev/zero; echo b | gzip",
    // Wrong checksum and wrong length.
    "echo a | gzip | head -c -8; printf '\\0\\0\\0\\0\\002\\0\\0\\0'",
    "echo a | gzip | head -c -4; printf '\\003\\0\\0\\0'",
    // Invalid bits.
    "seq 1000 | gzip | head -c 60; head -c 500 /dev/zero | tr '\\0' '\\377'",
    "printf '\\037\\213\\377\\377 nothing'",
  ]
  static let damagedZstd = [
    "echo abc | zstd | head -c 5", "seq 1000 | zstd | head -c -1", "echo a | zstd; echo b | zstd | head -c 3",
    "echo a | zstd; echo garbage", "echo a | zstd; printf 'g'", "echo a | zstd; printf '\\0'",
    "echo a | zstd; printf '(((((((((('", "seq 100 | zstd | head -c -4; printf '\\0\\0\\0\\0'",
    "printf '\\050\\265\\057\\375 nothing'", "printf '\\120\\052\\115\\030\\003\\000\\000\\000a'",
    "seq 30000 | zstd | head -c 3000; head -c 500 /dev/zero | tr '\\0' '\\377'",
  ]

  @Test(arguments: damaged) func badGzipIsRejected(_ script: String) throws { try Self.checkRefused(script) }

  @Test(arguments: damagedZstd) func badZstdIsRejected(_ script: String) throws {
    try Self.requireZstd()
    try Self.checkRefused(script)
  }

  private static func checkRefused(_ script: String) throws {
    let packed = try bytes(of: script)
    for pieces in [1, 7, 1 << 15, packed.count] {
      #expect(throws: InvalidInput.self, "\(script), \(pieces) at a time") {
        try unpacked(packed, pieces: pieces)
      }
    }
  }

  @Test func theErrorNamesTheCause() throws {
    func message(_ script: String) throws -> String? {
      let bytes = try Self.bytes(of: script)
      do { _ = try Self.unpacked(bytes) } catch let error as InvalidInput { return error.message }
      return nil
    }
    #expect(try message("seq 9 | gzip | head -c 15") == "the compressed data ends too early")
    #expect(
      try message("echo a | gzip | head -c -8; printf '\\0\\0\\0\\0\\002\\0\\0\\0'")
        == "the checksum of the gzip data is wrong")
    #expect(try message("echo a | gzip; echo x")?.hasPrefix("the compressed data is damaged") == true)
  }

  @Test(arguments: ["", "a", "a\n", "abc", "abcd", "https://a.example/\n", "\u{1F}", "(", "\u{1F}\u{8B}"])
  func uncompressedTextIsUnchanged(_ text: String) throws {
    for pieces in [1, 2, 100] {
      #expect(try Self.unpacked(Array(text.utf8), pieces: pieces).elementsEqual(text.utf8))
    }
  }

  /// 64 MiB of zeros, with only one piece at a time in memory.
  @Test func aDecompressionBombIsUnpackedInPieces() throws {
    let bomb = try Self.bytes(of: "head -c 64M /dev/zero | gzip -9")
    var unpacking = ScanUnpacking()
    unpacking.add(bomb)
    var count = 0
    while let piece = try unpacking.next() {
      count += piece.count
      guard piece.count <= 1 << 15 else {
        Issue.record("a piece of \(piece.count) bytes")
        return
      }
    }
    #expect(count == 64 << 20)
    #expect(try unpacking.finish().isEmpty)
  }
}
