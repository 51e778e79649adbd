import Glibc
import ProbeCore
import ProbeBase
import TestSupport
import Testing

@testable import ProbeScan
@testable import ProbeSystem

/// The files of a scan, one after another.
@Suite struct ScanInputTests {
  /// The content of each file in an input.
  private static func files(_ input: ScanInput) throws -> [String] {
    var (files, bytes): ([String], [UInt8]) = ([], [])
    while let piece = try input.next() {
      switch piece {
      case .bytes(let more): bytes += more
      case .endOfFile:
        files.append(String(decoding: bytes, as: UTF8.self))
        bytes = []
      }
    }
    #expect(bytes.isEmpty, "bytes that belong to no file")
    return files
  }

  private static let nothing = InputSource("")

  /// Even files too short to be recognised as compressed.
  @Test func theEndOfEachFileIsReported() throws {
    let folder = try TemporaryFolder([
      "0": "", "1": "a", "3": "abc", "4": "abcd", "5": "https://a.example/\n",
    ])
    let paths = ["0", "1", "3", "4", "5", "0"].map { folder.path(of: $0) }
    let input = try ScanInput(paths, standardInput: Self.nothing)
    #expect(input.size == 27)
    #expect(try Self.files(input) == ["", "a", "abc", "abcd", "https://a.example/\n", ""])
    #expect(input.bytesRead == 27)
  }

  @Test func standardInputAmongFiles() throws {
    let folder = try TemporaryFolder(["a": "a", "b": "b"])
    let input = try ScanInput(
      [folder.path(of: "a"), "-", folder.path(of: "b")], standardInput: InputSource("xy"))
    #expect(input.size == nil)
    #expect(try Self.files(input) == ["a", "xy", "b"])
  }

  @Test func anUnopenableFileIsReportedBeforeReading() throws {
    let folder = try TemporaryFolder(["a": "a"])
    let error = #expect(throws: InvalidInput.self) {
      try ScanInput([folder.path(of: "a"), folder.path(of: "none")], standardInput: Self.nothing)
    }
    #expect(error?.message.contains("none") == true)
    #expect(throws: InvalidInput.self) {
      try Self.files(ScanInput([folder.path], standardInput: Self.nothing))
    }
  }

  @Test func aDamagedFileIsNamed() throws {
    let folder = try TemporaryFolder(["a": "a\n", "b.gz": "\u{1F}"])
    #expect(try runProgram("sh", ["-c", "seq 99 | gzip | head -c 50 >\"$0\"", folder.path(of: "b.gz")]) == 0)
    let input = try ScanInput(["a", "b.gz"].map { folder.path(of: $0) }, standardInput: Self.nothing)
    let error = #expect(throws: InvalidInput.self) { try Self.files(input) }
    #expect(error?.message.contains("b.gz") == true)
    #expect(error?.message.hasSuffix("the compressed data ends too early") == true)
  }

  /// SIGPIPE would end the writer if the reader closed the pipe and opened it again.
  @Test func aNamedPipeIsOpenedOnce() async throws {
    let folder = try TemporaryFolder(["a": "a\n"])
    let pipe = folder.path(of: "pipe")
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    let input = try ScanInput([folder.path(of: "a"), pipe], standardInput: Self.nothing)
    // There is no other reader: this succeeds only if the input holds the pipe open.
    let writer = unsafe open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(writer >= 0)
    #expect(unsafe write(writer, "https://a.example/\n", 19) == 19)
    close(writer)
    #expect(try await onAThread { try Self.files(input) } == ["a\n", "https://a.example/\n"])
  }

  @Test func aFileTruncatedWhileReadIsAnError() throws {
    let folder = try TemporaryFolder(["urls": String(repeating: "a\n", count: 100_000)])
    let input = try ScanInput([folder.path(of: "urls")], standardInput: InputSource(""))
    guard case .bytes? = try input.next() else {
      Issue.record("the file has no bytes")
      return
    }
    try #require(unsafe truncate(folder.path(of: "urls"), 10) == 0)
    let error = #expect(throws: InvalidInput.self) {
      while try input.next() != nil {}
    }
    #expect(error?.message.hasSuffix("became shorter while it was read") == true, "\(error as Any)")
  }
}
