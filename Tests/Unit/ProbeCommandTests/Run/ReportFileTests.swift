import Foundation
import TestSupport
import Testing

@testable import ProbeCommand
@testable import ProbeSystem

/// Files that appear complete or not at all.
@Suite struct ReportFileTests {
  private func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func aReportAppearsOnlyWhenComplete() throws {
    let folder = try TemporaryFolder(["report": "old"])
    let path = "\(folder.path)/report"
    let file = try ReportFile(path)
    file.sink.write(String(repeating: "x", count: 200_000))
    #expect(readText(path) == "old")
    try file.commit()
    #expect(readText(path).count == 200_000)
    #expect(try names(in: folder) == ["report"])
    file.discard()
    #expect(readText(path).count == 200_000)
  }

  @Test func anAbandonedReportLeavesNothingBehind() throws {
    let folder = try TemporaryFolder(["report": "old"])
    do {
      let file = try ReportFile("\(folder.path)/report")
      file.sink.write("new")
      file.sink.flush()
      #expect(try names(in: folder).count == 2)
    }
    #expect(try names(in: folder) == ["report"])
    #expect(readText("\(folder.path)/report") == "old")
  }

  @Test func aReportKeepsTheModeOfTheReplacedFile() throws {
    let folder = try TemporaryFolder(["report": "old"])
    let path = "\(folder.path)/report"
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try ReportFile(path).commit()
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
  }

  @Test func aLinkStaysALink() throws {
    let folder = try TemporaryFolder(["a/report": "old"])
    let link = "\(folder.path)/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a/report")
    let file = try ReportFile(link)
    file.sink.write("new")
    try file.commit()
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "a/report")
    #expect(readText("\(folder.path)/a/report") == "new")
  }

  @Test func specialFilesAreWrittenDirectly() throws {
    let file = try ReportFile("/dev/null")
    file.sink.write("gone")
    try file.commit()
    let full = try ReportFile("/dev/full")
    full.sink.write("too much")
    #expect(throws: OutputSink.Failure("No space left on device")) { try full.commit() }
  }

  static let unusable: [(path: String, words: String)] = [
    ("/nonexistent/report", "No such file or directory"), ("/", "Is a directory"),
    ("/dev/null/report", "Not a directory"),
  ]

  @Test(arguments: unusable)
  func anUnwritablePathIsDetectedImmediately(_ path: String, words: String) {
    #expect(throws: OutputSink.Failure(words)) { _ = try ReportFile(path) }
  }
}
