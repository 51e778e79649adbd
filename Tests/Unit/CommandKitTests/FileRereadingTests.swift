import Glibc
import ProbeCore
@testable import ProbeSystem
import TestRequirements
import TestSupport
import Testing

@testable import CommandKit

/// Files that are read again beside a running service.
@Suite(.patience(minutes: 1)) struct FileRereadingTests {
  /// A pipe that nobody writes to.
  private static func pipe() throws -> (path: String, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    try #require(unsafe mkfifo(folder.path(of: "pipe"), 0o600) == 0)
    return (folder.path(of: "pipe"), folder)
  }

  @Test func aPipeIsGivenUpAfterTheLimit() async throws {
    let (path, folder) = try Self.pipe()
    let clock = ManualClock()
    let rereading = FileRereading(clock: clock)
    let silent = Task {
      try await rereading.read { (try? FileReading.bytes(of: path, limit: 100, .anything)) != nil }
    }
    await clock.waitForSleeper()
    clock.advance(by: FileRereading.limit)
    await #expect(throws: InvalidInput(FileRereading.isLate)) { try await silent.value }
    // The thread is free again.
    try folder.write("file", "text")
    let file = folder.path(of: "file")
    #expect(
      try await rereading.read { (try? FileReading.bytes(of: file, limit: 100, .anything)) ?? [] }
        == Array("text".utf8))
  }

  @Test func aCancelledReadingEndsAtOnce() async throws {
    let (path, folder) = try Self.pipe()
    let rereading = FileRereading(clock: ManualClock())
    let silent = Task {
      try await rereading.read { (try? FileReading.bytes(of: path, limit: 100, .anything)) != nil }
    }
    silent.cancel()
    await #expect(throws: InvalidInput("the reading was cancelled")) { try await silent.value }
    #expect(try await rereading.read { 1 } == 1)
    withExtendedLifetime(folder) {}
  }
}
