import Foundation
import Glibc
import TestSupport
import Testing

/// Import: recordings that are far larger than those of a login.
@Suite struct ImportAttackTests {
  /// A file in WARC.
  ///
  /// - Parameters:
  ///   - count: The number of responses, each with text that looks private.
  ///   - distinct: The number of distinct URLs.
  /// - Returns: Its text.
  private static func recording(_ count: Int, of distinct: Int) -> String {
    (0..<count).map { index in
      let body = "<p>\(index) token=\(String(index &* 0x9E37_79B9, radix: 36)) mail: user\(index)@mail.test"
      let response = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      return "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h.test/\(index % distinct)\r\n"
        + "Content-Type: application/http\r\nContent-Length: \(response.utf8.count)\r\n\r\n\(response)\r\n\r\n"
    }.joined()
  }

  /// A file in WARC with one response, whose text has this many addresses, links and lines of script.
  private static func page(_ count: Int) -> String {
    let text = (0..<count).map {
      "<a href=\"http://h.test/p?id=\($0)\">\($0)</a> 10.1.\($0 % 256).9 function f(a){return a.b+\($0)}\n"
    }
    let body = text.joined()
    let response = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    return "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h.test/\r\n"
      + "Content-Type: application/http\r\nContent-Length: \(response.utf8.count)\r\n\r\n\(response)\r\n\r\n"
  }

  private static func spawn(_ folder: TemporaryFolder, _ name: String) throws -> Spawned {
    try Spawned(
      "echo $$ >'\(folder.path)/process'; "
        + "exec \"$0\" capture --import '\(folder.path)/\(name)' -o '\(folder.path)/made-of-\(name)'")
  }

  /// The processor time that a process has used, in hundredths of a second; the maximum if there is no such
  /// process.
  private static func work(of process: String) -> Int {
    guard let number = Int(process.trimmingCharacters(in: .whitespacesAndNewlines)) else { return 0 }
    // After the name in parentheses; the 14th field in total (proc_pid_stat(5)).
    let fields = readText("/proc/\(number)/stat").split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 12 ? Int(fields[11]) ?? .max : .max
  }

  @Test func theWorkGrowsLinearlyWithTheRecords() async throws {
    try requirePlainBuild()
    let folder = try TemporaryFolder([
      "small.warc": Self.recording(1500, of: 300), "large.warc": Self.recording(6000, of: 300),
    ])
    let small = try await Self.spawn(folder, "small.warc").end()
    let large = try await Self.spawn(folder, "large.warc").end()
    #expect(small.code == 0 && large.code == 0, "\(large.errors)")
    // Work that grows with the square would be sixteen times as much.
    #expect(large.processorTime < small.processorTime * 9)
  }

  @Test func theWorkGrowsLinearlyWithTheText() async throws {
    try requirePlainBuild()
    let folder = try TemporaryFolder(["small.warc": Self.page(2500), "large.warc": Self.page(10_000)])
    let small = try await Self.spawn(folder, "small.warc").end()
    let large = try await Self.spawn(folder, "large.warc").end()
    #expect(small.code == 0 && large.code == 0, "\(large.errors)")
    // Work that grows with the square would be sixteen times as much.
    #expect(large.processorTime < small.processorTime * 9)
  }

  @Test func moreURLsThanAFixtureCanHoldAreReported() async throws {
    let folder = try TemporaryFolder(["many.warc": Self.recording(5000, of: 5000)])
    let end = try await Self.spawn(folder, "many.warc").end()
    #expect(end.code == 0, "\(end.errors)")
    #expect(
      end.output.contains(
        "the last 4000 of 5000 exchanges; skipped, because a fixture has at most 1000 different requests"),
      "\(end.output)")
    #expect(FileManager.default.fileExists(atPath: "\(folder.path)/made-of-many.warc/fixture.yaml"))
  }

  @Test func urlsTooLongForAFixtureAreReported() async throws {
    let long = String(repeating: "a/", count: 2000)
    let records = (0..<270).map { index in
      "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h.test/\(long)\(index)\r\n"
        + "Content-Type: application/http\r\nContent-Length: 38\r\n\r\n"
        + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
    }
    let folder = try TemporaryFolder(["long.warc": records.joined()])
    let end = try await Self.spawn(folder, "long.warc").end()
    #expect(end.code == 65, "\(end.errors)")
    #expect(end.errors.contains("the URLs make a fixture.yaml of"))
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func aSignalEndsAnImport(_ signal: Int32) async throws {
    try requirePlainBuild()
    let text = signal == SIGTERM ? Self.recording(60_000, of: 900) : Self.page(120_000)
    let folder = try TemporaryFolder(["many.warc": text])
    let process = try Self.spawn(folder, "many.warc")
    // While it reads the recording, however busy the machine is; on a thread that no other test delays.
    let number = folder.path(of: "process")
    let used = try await onAThread {
      var used = 0
      while used < 50 {
        usleep(5000)
        used = Self.work(of: readText(number))
      }
      if used < .max { process.send(signal) }
      return used
    }
    try #require(used < .max, "it ended before the signal")
    let end = try await process.end()
    #expect(end.signal == signal, "\(end.errors)")
    // The entire recording takes several seconds.
    #expect(end.processorTime < .milliseconds(10 * used) + .seconds(1))
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/made-of-many.warc"))
  }
}
