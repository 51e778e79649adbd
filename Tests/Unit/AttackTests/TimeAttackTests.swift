import Foundation
import Glibc
import LoopbackServer
import TestSupport
import Testing

/// Time: a signal ends everything, whatever is under way.
@Suite struct TimeAttackTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalEndsAProbe(_ signal: Int32) async throws {
    let (requests, question) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      question.yield()
      connection.hold()
    }
    let process = try Spawned("exec \"$0\" check --allow-http --timeout 600s \(server.url())")
    for await _ in requests { break }
    process.send(signal)
    let end = try await process.end()
    #expect(end.signal == signal)
  }

  /// Output that is not read.
  @Test(arguments: ["check", "run", "lint", "replay", "monitor", "verify"], [1, 2])
  func aSignalEndsTheWaitForAReader(_ command: String, _ stream: Int) async throws {
    let fixture = """
      version: 1
      name: one
      source: { kind: synthetic, reference: a test }
      routes:
        - respond: { status: 204 }
      """
    let folder = try TemporaryFolder([
      "f/fixture.yaml": fixture, "broken/fixture.yaml": "version: 1\nwrong: 1\n",
      "p.yaml": """
      version: 1
      name: one
      sets:
        - name: one
          urls: ["https://127.0.0.1:1/"]
      """,
      "wrong.yaml": "version: 1\nwrong: 1\n",
    ])
    let arguments =
      switch (command, stream) {
      case ("check", 1): "check --allow-http http://127.0.0.1:1/"
      case ("run", 1): "run p.yaml"
      case ("lint", _): "lint wrong.yaml"
      case ("replay", 1): "replay f"
      case ("monitor", 1): "monitor --allow-no-route p.yaml"
      case ("verify", 1): "verify f"
      case ("check", _): "check --nonsense"
      case ("replay", _), ("verify", _): "\(command) broken"
      default: "\(command) wrong.yaml"
      }
    // A pipe that is full already, and whose reader does not read.
    let pipe = folder.path(of: "pipe")
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    let reader = unsafe open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let writer = unsafe open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    defer {
      close(reader)
      close(writer)
    }
    let junk = [UInt8](repeating: 0x20, count: 4096)
    while unsafe write(writer, junk, junk.count) > 0 {}
    // Lint writes its findings to standard output, and nothing else.
    let redirection = command == "lint" ? ">pipe" : "\(stream)>pipe"
    let process = try Spawned(
      "cd '\(folder.path)'; echo $$ >number; exec \"$0\" \(arguments) \(redirection)")
    try await process.waits { readText(folder.path(of: "number")).hasSuffix("\n") }
    let number = readText(folder.path(of: "number")).dropLast()
    try await process.waits { Self.pollsOneDescriptor("/proc/\(number)/task") }
    process.send(SIGTERM)
    let end = try await process.end()
    // A command that serves until it is stopped has succeeded.
    #expect(end.signal == SIGTERM, "\(end)")
  }

  /// Whether a thread waits in poll(2) for one descriptor, as for the reader of the output, as
  /// proc_pid_syscall(5) shows in the folder of the threads.
  private static func pollsOneDescriptor(_ tasks: String) -> Bool {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.contains { thread in
      readText("\(tasks)/\(thread)/wchan").hasPrefix("poll_")
        // The number of the call, the address of the descriptors, and their count.
        && readText("\(tasks)/\(thread)/syscall").split(separator: " ").dropFirst(2).first == "0x1"
    }
  }
}
