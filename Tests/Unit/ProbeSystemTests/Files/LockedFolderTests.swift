import FoundationEssentials
import Glibc
import TestRequirements
import TestSupport
import Testing

@testable import ProbeSystem

/// A folder that only one process uses at a time.
@Suite struct LockedFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func theFolderIsCreatedAndLocked() throws {
    let path = folder.path(of: "new")
    do {
      let locked = try LockedFolder(path)
      let error = #expect(throws: FileError.self) { try LockedFolder(path) }
      #expect(error?.description == "another process uses the folder")
      #expect(try locked.names().filter { !$0.hasPrefix(".") }.isEmpty)
    }
    // Released with its owner.
    _ = try LockedFolder(path)
  }

  @Test func unusableFoldersAreRefused() throws {
    try folder.write("file", "")
    for path in [folder.path(of: "file"), folder.path(of: "none/there"), "", "a\0b"] {
      #expect(throws: FileError.self) { try LockedFolder(path) }
    }
  }

  @Test func temporaryFilesOfAnInterruptedProcessAreRemoved() throws {
    for name in ["mine", ".hidden"] { try folder.write(name, "text") }
    let path = folder.path
    // An uncommitted file, as left behind by a process that was killed.
    let pending = try PendingFile(at: OutputDestination("\(path)/part"), isPrivate: false)
    let before = try FileManager.default.contentsOfDirectory(atPath: path)
    try #require(before.count == 3)
    let left = try #require(before.first { $0 != "mine" && $0 != ".hidden" })
    try folder.write("\(left)x", "not one of ours")
    try LockedFolder(path).removeTemporaryFiles()
    let after = Set(try FileManager.default.contentsOfDirectory(atPath: path))
    #expect(!after.contains(left))
    #expect(after.isSuperset(of: ["mine", ".hidden"]))
    pending.discard()
  }

  @Test(arguments: [
    ("", ""), ("a", ""), ("\n", ""), ("a\n", "a"), ("a\nb\n", "b"), ("a\nb", ""), ("a\n\n", ""),
    ("1234567\n", "1234567"),
    ("12345678\n", ""), ("x\n1234567\n", ""), ("x\n123456\n", "123456"), ("x\n12345678\n", ""),
  ])
  func theLastLine(_ text: String, line: String) throws {
    try folder.write("part", text)
    let locked = try LockedFolder(folder.path)
    #expect(try locked.lastLine(of: "part", limit: 8) == Array(line.utf8))
  }

  @Test func aMissingFileHasNoLastLine() throws {
    let locked = try LockedFolder(folder.path)
    #expect(try locked.lastLine(of: "part", limit: 8) == nil)
    locked.remove("part")
  }

  @Test func onlyRegularFilesAreRead() throws {
    try folder.write("real", "a\n")
    try #require(unsafe symlink("real", folder.path(of: "link")) == 0)
    try #require(unsafe mkfifo(folder.path(of: "pipe"), 0o600) == 0)
    try FileManager.default.createDirectory(
      atPath: folder.path(of: "folder"), withIntermediateDirectories: true)
    let locked = try LockedFolder(folder.path)
    for name in ["link", "pipe", "folder"] {
      #expect(throws: FileError.self, "\(name)") { try locked.lastLine(of: name, limit: 8) }
    }
  }
}
