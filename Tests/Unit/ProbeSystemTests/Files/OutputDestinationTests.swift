import Foundation
import Glibc
import TestRequirements
import TestSupport
import Testing

@testable import ProbeSystem

/// Where files and folders are created, and whose symbolic links may be followed.
@Suite struct OutputDestinationTests {
  private func link(_ path: String, to target: String, owner: uid_t? = nil) throws {
    try #require(unsafe symlink(target, path) == 0)
    if let owner { try #require(unsafe lchown(path, owner, owner) == 0) }
  }

  private func write(_ text: String, to path: String, isPrivate: Bool = false) throws(FileError) {
    let file = try PendingFile(at: OutputDestination(path), isPrivate: isPrivate)
    _ = unsafe Glibc.write(file.descriptor, text, text.utf8.count)
    try file.commit()
  }

  @Test func everySpellingOfAPathIsEquivalent() throws {
    let folder = try TemporaryFolder(["a/b/old": "old"])
    for path in ["a/b/new", "a//b/./new", "a/../a/b/new", "a/b/../b/new"] {
      try write(path, to: folder.path(of: path))
      #expect(readText(folder.path(of: "a/b/new")) == path)
    }
    try write("x", to: folder.path(of: "a/b/old"))
    #expect(readText(folder.path(of: "a/b/old")) == "x")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "a/b")).sorted() == ["new", "old"])
  }

  @Test func ownLinksAreFollowed() throws {
    let folder = try TemporaryFolder(["a/real": "old"])
    try link(folder.path(of: "one"), to: "a/two")
    try link(folder.path(of: "a/two"), to: folder.path(of: "a/real"))
    try link(folder.path(of: "folder"), to: "a")
    try link(folder.path(of: "dangling"), to: "a/new")
    for (path, real) in [("one", "a/real"), ("folder/real", "a/real"), ("dangling", "a/new")] {
      try write(path, to: folder.path(of: path))
      #expect(readText(folder.path(of: real)) == path)
    }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path(of: "one")) == "a/two")
    try link(folder.path(of: "loop"), to: "loop")
    let error = #expect(throws: FileError.self) { try OutputDestination(folder.path(of: "loop")) }
    #expect(error?.systemCode == ELOOP)
  }

  @Test func linksOfOtherUsersAreRefused() throws {
    guard geteuid() == 0 else { try skipTest("only root can make a link of another user") }
    let folder = try TemporaryFolder(["precious": "old", "a/precious": "old"])
    try #require(unsafe chmod(folder.path, 0o1777) == 0)
    try link(folder.path(of: "out"), to: "precious", owner: 12345)
    try link(folder.path(of: "folder"), to: "a", owner: 12345)
    try link(folder.path(of: "own"), to: "out")
    for (path, name) in [
      ("out", "out"), ("folder/precious", "folder"), ("own", "out"), ("folder/", "folder"),
    ] {
      let error = #expect(throws: FileError.self) { try write("new", to: folder.path(of: path)) }
      #expect(
        error?.description
          == "\"\(name)\" is a symbolic link of another user: name what it leads to, or remove it")
    }
    #expect(
      readText(folder.path(of: "precious")) == "old" && readText(folder.path(of: "a/precious")) == "old")
  }

  /// The folder is held open, and the entry in it is replaced.
  @Test func aLinkCreatedLaterIsReplacedNotFollowed() throws {
    let folder = try TemporaryFolder(["precious": "old", "a/x": "", "b/x": "old"])
    let file = try PendingFile(at: OutputDestination(folder.path(of: "out")))
    try link(folder.path(of: "out"), to: "precious")
    try file.commit()
    #expect(readText(folder.path(of: "precious")) == "old")
    #expect(throws: (any Error).self) {
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path(of: "out"))
    }
    let second = try PendingFile(at: OutputDestination(folder.path(of: "a/x")))
    try FileManager.default.moveItem(atPath: folder.path(of: "a"), toPath: folder.path(of: "c"))
    try link(folder.path(of: "a"), to: "b")
    _ = unsafe Glibc.write(second.descriptor, "new", 3)
    try second.commit()
    #expect(readText(folder.path(of: "b/x")) == "old")
    #expect(readText(folder.path(of: "c/x")) == "new")
  }

  /// Another user cannot write to the report by creating the file with write permission for all.
  @Test func permissionsOfAnotherUsersFileAreNotKept() throws {
    guard geteuid() == 0 else { try skipTest("only root can make a file of another user") }
    let folder = try TemporaryFolder(["own": "", "foreign": ""])
    func mode(_ name: String) throws -> Int? {
      try write("x", to: folder.path(of: name))
      return try FileManager.default.attributesOfItem(atPath: folder.path(of: name))[.posixPermissions]
        as? Int
    }
    for name in ["own", "foreign"] { try #require(unsafe chmod(folder.path(of: name), 0o606) == 0) }
    try #require(unsafe chown(folder.path(of: "foreign"), 12345, 12345) == 0)
    #expect(try mode("own") == 0o606)
    #expect(try mode("foreign") != 0o606)
    try write("x", to: folder.path(of: "own"), isPrivate: true)
    #expect(
      try FileManager.default.attributesOfItem(atPath: folder.path(of: "own"))[.posixPermissions] as? Int
        == 0o600)
  }

  @Test func cancellationEndsTheWaitForAReader() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "pipe")
    try #require(unsafe mkfifo(path, 0o600) == 0)
    #expect(try OutputDestination(path).occupant == .stream)
    let opening = Task(executorPreference: OwnThread()) { try OutputDestination(path).openStream() }
    opening.cancel()
    await #expect(throws: FileError.cancelled) { try await opening.value }
    // With a reader, the pipe is opened.
    let reader = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let writer = try OutputDestination(path).openStream()
    #expect(unsafe Glibc.write(writer, "x", 1) == 1)
    close(writer)
    close(reader)
  }

  @Test func aFolderIsWrittenCompletelyOrNotAtAll() throws {
    let folder = try TemporaryFolder(["full/x": "x", "empty/x": ""])
    try FileManager.default.removeItem(atPath: folder.path(of: "empty/x"))
    for name in ["new", "empty"] {
      try OutputDestination(folder.path(of: name)).writeFolder([("a", [65]), ("b", [])])
      #expect(readText(folder.path(of: "\(name)/a")) == "A")
    }
    let error = #expect(throws: FileError.self) {
      try OutputDestination(folder.path(of: "full")).writeFolder([("a", [65])])
    }
    #expect(error?.systemCode == ENOTEMPTY)
    #expect(throws: FileError.self) {
      try OutputDestination(folder.path(of: "other")).writeFolder([("a", [65]), ("a", [65])])
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["empty", "full", "new"])
  }

  static let unusable = [
    ("/nonexistent/x", ENOENT), ("/dev/null/x", ENOTDIR), ("/proc/self/nothing", ENOENT),
  ]

  @Test(arguments: unusable)
  func anUnusablePathIsReported(_ path: String, code: Int32) throws {
    let error = #expect(throws: FileError.self) { try write("x", to: path) }
    #expect(error?.systemCode == code)
  }

  /// The target of a descriptor of the process has no name for a rename.
  @Test func linksInProcReachTheOpenDescriptor() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    for path in ["/proc/self/fd/\(ends[1])", "/dev/fd/\(ends[1])"] {
      let destination = try OutputDestination(path)
      #expect(destination.occupant == .stream)
      let writer = try destination.openStream()
      #expect(unsafe Glibc.write(writer, "x", 1) == 1)
      close(writer)
    }
    for end in ends { close(end) }
  }
}
