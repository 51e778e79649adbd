import Foundation
import Glibc
import ProbeCore
import ProbeBase
import ProbePipeline
import TestRequirements
import TestSupport
import Testing

@testable import ProbeCommand
@testable import ProbeSystem
@testable import CommandKit

/// Special cases in the input and output of a scan.
@Suite(.patience(minutes: 1)) struct ScanFilesTests {
  /// Scans files of a folder, with lines that need no network.
  private static func scan(_ files: String..., in folder: TemporaryFolder) async throws -> FolderRun {
    try await FolderRun("scan", ["-s"] + files.map { "--input=DIR/\($0)" }, in: folder)
  }

  @Test func labelsOfTheSetAndTheLineAreMerged() async throws {
    let pipeline = """
      version: 1
      name: labelled
      question: services
      sets:
        - name: pages
          urls: [https://shop.example/]
          labels: { site: berlin, team: web }
      """
    let lines = """
      {"url": "https://localhost/", "labels": {"team": "shop", "shelf": "7"}}
      {"url": "no URL", "labels": {"shelf": "8"}}

      """
    let folder = try TemporaryFolder(["scan.yaml": pipeline, "urls": lines])
    let run = try await FolderRun("scan", ["-s", "DIR/scan.yaml", "--input=DIR/urls"], in: folder)
    #expect(run.code == .success, "\(run.errors)")
    let results = try run.output.split(separator: "\n").dropLast().map { line in
      try JSONDecoder().decode(LabelledResult.self, from: Data(line.utf8))
    }
    let labels = results.sorted { $0.line < $1.line }.map(\.labels)
    #expect(
      labels == [
        ["site": "berlin", "team": "shop", "shelf": "7"], ["site": "berlin", "team": "web", "shelf": "8"],
      ])
  }

  private struct LabelledResult: Decodable {
    let line: Int
    let labels: [String: String]
  }

  @Test func aFolderIsRefusedBeforeAnythingIsProbed() async throws {
    let folder = try TemporaryFolder(["before": "x\n"])
    try #require(unsafe mkdir(folder.path(of: "lists"), 0o700) == 0)
    let run = try await Self.scan("before", "lists", in: folder)
    #expect(run.code == .badInput)
    #expect(run.output.isEmpty)
    #expect(run.errors == "probekit scan: \"DIR/lists\": this is a folder: name its files\n")
  }

  @Test func everyFileMayBeginWithAByteOrderMark() async throws {
    let folder = try TemporaryFolder([
      "one": "\u{FEFF}https://localhost/1",
      "two": "\u{FEFF}https://localhost/2\n\u{FEFF}https://localhost/3\n",
    ])
    let run = try await Self.scan("one", "two", in: folder)
    #expect(run.code == .success, "\(run.errors)")
    let codes = run.output.matches(of: /"line":(\d).*"reason":"([a-z.]+)"/).map { [$0.1, $0.2] }
    #expect(
      codes.sorted { $0[0] < $1[0] }
        == [["1", "policy.address"], ["2", "policy.address"], ["3", "request.invalid"]])
  }

  /// pzstd writes a skippable frame with the frame's size before each frame.
  @Test(arguments: [0x50, 0x5F] as [UInt8])
  func aFileMayBeginWithASkippableFrame(_ magic: UInt8) async throws {
    let text = Array("a\nb\nc\n".utf8)
    let skipped: [UInt8] = [magic, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]
    // A frame with its size and a single raw block (RFC 8878 §3.1.1).
    let size = UInt8(text.count)
    let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, size, size << 3 | 1, 0, 0] + text
    let folder = try TemporaryFolder([:])
    try Data(skipped + frame + skipped + frame).write(to: URL(filePath: folder.path(of: "urls.zst")))
    let run = try await Self.scan("urls.zst", in: folder)
    #expect(run.code == .success, "\(run.errors)")
    #expect(run.output.contains(#""lines":6,"results":6,"#), "\(run.output)")
  }

  @Test func aPartFarBeyondTheEndBelongsToAnotherInput() async throws {
    let folder = try TemporaryFolder(["urls": "a\nb\nc\n"])
    let arguments = ["-s", "--parts=DIR/parts", "--part-lines=1", "--input=DIR/urls"]
    try #require(try await FolderRun("scan", arguments, in: folder).code == .success)
    try FileManager.default.moveItem(
      atPath: folder.path(of: "parts/part-000003.ndjson"), toPath: folder.path(of: "parts/part-000009.ndjson")
    )
    let run = try await FolderRun("scan", arguments, in: folder)
    #expect(run.code == .badInput)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("probekit scan: part-000009.ndjson belongs to another input"))
    // The parts that this run has written are removed.
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "parts")).sorted()
    #expect(left == ["part-000001.ndjson", "part-000002.ndjson", "part-000009.ndjson"])
  }

  @Test func aSymbolicLinkInsteadOfAPartIsNotFollowed() async throws {
    let folder = try TemporaryFolder(["urls": "a\n", "precious": "text\n"])
    try #require(unsafe mkdir(folder.path(of: "parts"), 0o700) == 0)
    try #require(unsafe symlink("../precious", folder.path(of: "parts/part-000001.ndjson")) == 0)
    let run = try await FolderRun("scan", ["--parts=DIR/parts", "--input=DIR/urls"], in: folder)
    #expect(run.code == .badInput)
    #expect(run.errors.contains("it is a symbolic link"), "\(run.errors)")
    #expect(try String(contentsOfFile: folder.path(of: "precious"), encoding: .utf8) == "text\n")
  }
}
