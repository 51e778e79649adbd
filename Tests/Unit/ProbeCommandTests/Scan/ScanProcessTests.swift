import Foundation
import Glibc
import LoopbackServer
import ProbeBase
import TestRequirements
import TestSupport
import Testing

/// `probekit scan` as a process that is killed or interrupted, or whose output is not read.
@Suite(.serialized, .patience(minutes: 3)) struct ScanProcessTests {
  private static let options = "--allow-http --allow-private --timeout 600s"

  private static func input(_ count: Int, _ server: LoopbackServer) -> String {
    (0..<count).map { "{\"id\":\($0),\"url\":\"\(server.url("/\($0)"))\"}\n" }.joined()
  }

  /// After twenty kills at random points, the results contain every ID exactly once.
  @Test func aKilledScanIsResumed() async throws {
    // Further requests wait for their response, so that no run ends before it is killed, however late that is.
    let responsesLeft = Guarded(0)
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      let isHeld = responsesLeft.withLock { left in
        left -= 1
        return left < 0
      }
      if isHeld { return connection.hold() }
      try connection.send("HTTP/1.1 204 No Content\r\n\r\n")
    }
    let folder = try TemporaryFolder(["urls": Self.input(2000, server)])
    var random = SeededNumbers(seed: 29)
    let command =
      "exec \"$0\" scan \(Self.options) --parts '\(folder.path)/results' --part-lines 7 --input '\(folder.path)/urls'"
    for _ in 0..<20 {
      responsesLeft.withLock { $0 = .random(in: 0...60, using: &random) }
      let process = try Spawned(command)
      try await process.waits { responsesLeft.withLock(\.self) <= 0 }
      process.send(SIGKILL)
      #expect(try await process.end().signal == SIGKILL)
    }
    responsesLeft.withLock { $0 = .max }
    let end = try await Spawned(command).end()
    #expect(end.code == 0, "\(end.errors)")
    let results = folder.path(of: "results")
    let names = try FileManager.default.contentsOfDirectory(atPath: results)
    #expect(names.count == 286 && names.allSatisfy { $0.hasPrefix("part-") && $0.hasSuffix(".ndjson") })
    let lines = try names.flatMap { try Scan.lines(of: readText("\(results)/\($0)")) }
    #expect(lines.compactMap { $0["id"] as? Int }.sorted() == Array(0..<2000))
    #expect(lines.count { $0["type"] as? String == "end" } == 286)
  }

  @Test(arguments: [SIGTERM, SIGINT]) func interrupted(_ signal: Int32) async throws {
    let server = try LoopbackServer { connection in
      let request = LoopbackRequest(try connection.readRequest())
      if request.target == "/3" { return connection.hold() }
      try connection.send("HTTP/1.1 204 No Content\r\n\r\n")
    }
    let folder = try TemporaryFolder(["urls": Self.input(6, server)])
    let process = try Spawned("exec \"$0\" scan \(Self.options) --input '\(folder.path)/urls'")
    try await process.waits { process.output.split(separator: "\n").count == 5 }
    process.send(signal)
    let end = try await process.end()
    #expect(end.code == 75)
    let lines = try Scan.lines(of: end.output)
    #expect(lines.compactMap { $0["id"] as? Int }.sorted() == [0, 1, 2, 4, 5])
    #expect(lines.count == 5)
    #expect(end.errors == "probekit scan: interrupted: 5 results\n")
  }

  private static func temporaryFiles(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".tmp") }
  }

  /// Neither an interruption nor a disk without room leaves temporary files.
  @Test(arguments: [SIGTERM, SIGINT]) func anInterruptedScanLeavesNoTemporaryFiles(_ signal: Int32)
    async throws
  {
    let server = try LoopbackServer { connection in
      let request = LoopbackRequest(try connection.readRequest())
      if request.target == "/3" || request.target == "/8" { return connection.hold() }
      try connection.send("HTTP/1.1 204 No Content\r\n\r\n")
    }
    let folder = try TemporaryFolder(["urls": Self.input(12, server)])
    let results = folder.path(of: "results")
    let process = try Spawned(
      "exec \"$0\" scan \(Self.options) --parts '\(results)' --part-lines 3 --input '\(folder.path)/urls'")
    try await process.waits {
      Self.temporaryFiles(in: results).count == 2
        && FileManager.default.fileExists(atPath: "\(results)/part-000004.ndjson")
    }
    process.send(signal)
    #expect(try await process.end().code == 75)
    let names = try FileManager.default.contentsOfDirectory(atPath: results).sorted()
    #expect(names == ["part-000001.ndjson", "part-000004.ndjson"])
  }

  @Test(arguments: ["--parts results --part-lines 100", "-o results"])
  func aFullDiskLeavesNoTemporaryFiles(_ output: String) async throws {
    let server = try LoopbackServer.http { _ in .response(204) }
    let folder = try TemporaryFolder(["urls": Self.input(2000, server)])
    for _ in 0..<5 {
      // A limit for the size of files has the effect of a full disk.
      let end = try await Spawned(
        "cd '\(folder.path)'; trap '' XFSZ; ulimit -f 16; exec \"$0\" scan -s \(Self.options) \(output) --input urls"
      ).end()
      #expect(end.code != 0 && end.code != 75, "\(end.errors)")
      #expect(end.errors.contains("File too large"), "\(end.errors)")
      #expect(Self.temporaryFiles(in: folder.path).isEmpty)
      #expect(Self.temporaryFiles(in: folder.path(of: "results")).isEmpty)
    }
  }

  /// A pipe, so the reason is one of each result, and the option is named once more in the summary.
  @Test func theFixForPlainURLsIsNamed() async throws {
    let end = try await Spawned("printf 'http://a.example/\\nhttp://b.example/\\n' | \"$0\" scan").end()
    #expect(end.code == 0)
    let details = try Scan.lines(of: end.output).compactMap { $0["detail"] as? String }
    #expect(details.count == 2 && details.allSatisfy { $0.contains("--allow-http") })
    #expect(end.errors.contains("\n  2 policy.plaintext: add --allow-http to probe unencrypted URLs\n"))
  }

  /// A command that reads a pipe that contains only this line and stays open.
  private static func waiting(in folder: TemporaryFolder, for line: String, _ options: String) -> String {
    "cd '\(folder.path)'; mkfifo in; exec 3<>in; echo '\(line)' >&3; exec \"$0\" scan \(Self.options) \(options) <in"
  }

  @Test func aScanWaitingForInputCanBeInterrupted() async throws {
    let server = try LoopbackServer.http { _ in .response(204) }
    let folder = try TemporaryFolder()
    let process = try Spawned(Self.waiting(in: folder, for: server.url(), ""))
    try await process.waits { process.output.contains("\n") }
    process.send(SIGTERM)
    let end = try await process.end()
    #expect(end.code == 75)
    #expect(end.errors == "probekit scan: interrupted: 1 results\n")
  }

  /// By SIGPIPE and without a message, as cat does, before the end of the input.
  @Test func aClosedOutputPipeEndsTheScan() async throws {
    let server = try LoopbackServer.http { _ in .response(204) }
    let folder = try TemporaryFolder(["urls": Self.input(2000, server)])
    let process = try Spawned(
      "{ \"$0\" scan --quiet \(Self.options) --input '\(folder.path)/urls'; echo $? >&2; } | head -n 1 >/dev/null"
    )
    let end = try await process.end()
    #expect(end.errors == "141\n")
    #expect(server.connectionCount < 2000)
  }

  /// A pipe holds 64 KiB, and the scan a megabyte; the rest is not probed until the output is read.
  @Test func aStalledReaderPausesTheScan() async throws {
    let server = try LoopbackServer.http { _ in .response(204) }
    let label = String(repeating: "x", count: 3000)
    let lines = (0..<1500).map {
      "{\"id\":\($0),\"url\":\"\(server.url())\",\"labels\":{\"a\":\"\(label)\"}}\n"
    }
    let folder = try TemporaryFolder(["urls": lines.joined()])
    let process = try Spawned(
      "\"$0\" scan --quiet --concurrency 16 --per-host 16 \(Self.options) --input '\(folder.path)/urls' | "
        + "{ while [ ! -e '\(folder.path)/wake' ]; do sleep 0.01; done; cat; }")
    try await process.waits { server.connectionCount > 100 }
    // Waits until no more requests arrive.
    var last = -1
    while last != server.connectionCount {
      last = server.connectionCount
      try await Task.sleep(for: .milliseconds(200))
    }
    #expect(last < 1000)
    try folder.write("wake", "")
    let end = try await process.end()
    #expect(end.code == 0)
    let ids = try Scan.lines(of: end.output).compactMap { $0["id"] as? Int }
    #expect(ids.sorted() == Array(0..<1500))
  }

  /// A file that cannot be written ends the scan although its input is still open.
  @Test func aFullDiskEndsAScanThatWaitsForInput() async throws {
    let server = try LoopbackServer.http { _ in .response(204) }
    let folder = try TemporaryFolder()
    let process = try Spawned(Self.waiting(in: folder, for: server.url(), "--quiet -o /dev/full"))
    let end = try await process.end()
    #expect(end.code == 69, "\(end.errors)")
    #expect(
      end.errors == "probekit scan: --output: \"/dev/full\": cannot be written: No space left on device\n")
  }

  /// 200 MiB without a line break take no more memory than a short line.
  @Test(
    .enabled(
      if: !Sanitizer.isPresent, "a sanitizer takes more of the machine than what is measured here"))
  func aHugeLineIsNotKeptInMemory() async throws {
    /// The peak after the result of a line, with its output; the process still waits for another line then.
    func scan(_ size: String) async throws -> (peak: Int, output: String) {
      let folder = try TemporaryFolder()
      let process = try Spawned(
        "cd '\(folder.path)'; mkfifo in gate; { head -c \(size) /dev/zero | tr '\\0' a; echo; cat gate; } >in & "
          + "exec \"$0\" scan --quiet --input '\(folder.path)/in'")
      try await process.waits { process.output.contains("\n") }
      let peak = process.peakMemory
      close(unsafe open(folder.path(of: "gate"), O_WRONLY | O_CLOEXEC))
      #expect(try await process.end().code == 0)
      return (peak, process.output)
    }
    let (short, long) = (try await scan("10"), try await scan("200M"))
    #expect(long.output.utf8.count < 4000 && long.output.contains("the line is longer than 64 KiB"))
    #expect(short.peak > 1 << 20 && long.peak < short.peak + (16 << 20), "\(short.peak), \(long.peak)")
  }
}
