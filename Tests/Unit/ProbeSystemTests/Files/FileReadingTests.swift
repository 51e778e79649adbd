import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import ProbeSystem

/// Reading files without waiting for another process.
@Suite struct FileReadingTests {
  private func words(_ path: String, _ kind: FileReading.Kind) -> String? {
    do throws(FileError) {
      _ = try FileReading.bytes(of: path, limit: 10, kind)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func aFileIsReadUpToItsLimit() throws {
    let folder = try TemporaryFolder([
      "ten": "0123456789", "empty": "", "many": String(repeating: "x", count: 200_000),
    ])
    for kind in [FileReading.Kind.regularFiles, .anything] {
      #expect(try FileReading.bytes(of: folder.path(of: "ten"), limit: 10, kind) == Array("0123456789".utf8))
      #expect(try FileReading.bytes(of: folder.path(of: "empty"), limit: 10, kind) == [])
      #expect(try FileReading.bytes(of: folder.path(of: "many"), limit: 200_000, kind).count == 200_000)
      let cut = try FileReading.bytes(of: folder.path(of: "many"), limit: 1000, kind).count
      #expect(cut > 1000 && cut < 200_000)
      #expect(try FileReading.bytes(of: folder.path(of: "ten"), limit: 9, kind).count == 10)
    }
  }

  @Test func unreadableFilesAreReported() throws {
    let folder = try TemporaryFolder(["a": ""])
    #expect(unsafe mkfifo(folder.path(of: "pipe"), 0o600) == 0)
    for kind in [FileReading.Kind.regularFiles, .anything] {
      #expect(words(folder.path(of: "gone"), kind) == "No such file or directory")
      #expect(words(folder.path, kind) == "Is a directory")
      #expect(words("", kind) == "the path cannot be used")
      #expect(words("\(folder.path(of: "a"))\0", kind) == "the path cannot be used")
    }
    #expect(words(folder.path(of: "pipe"), .regularFiles) == "it is not a regular file")
    #expect(words("/dev/zero", .regularFiles) == "it is not a regular file")
  }

  /// Reading waits for a writer, and continues to the end.
  @Test func aPipeIsReadOnceAWriterExists() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "pipe")
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let reading = Task(executorPreference: OwnThread()) {
      try FileReading.bytes(of: path, limit: 1 << 20, .anything)
    }
    let code = try await onAThread { try runProgram("sh", ["-c", "head -c 300000 /dev/zero >'\(path)'"]) }
    #expect(code == 0)
    #expect(try await reading.value.count == 300_000)
  }

  @Test func cancellationEndsTheWaitForAWriter() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "pipe")
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let reading = Task(executorPreference: OwnThread()) {
      try FileReading.bytes(of: path, limit: 10, .anything)
    }
    reading.cancel()
    await #expect(throws: FileError.cancelled) { try await reading.value }
  }
}
