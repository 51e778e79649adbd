import BundledPlugins
import Foundation
import LoopbackServer
import ProbeBase
import ProbeCommand
import ProbeCore
import TestRequirements
import Testing
import TestTransports
@testable import ProbeSystem
@testable import CommandKit

/// URLs from standard input: an invalid line is a failed probe, and the others are probed.
@Suite struct CheckInputTests {
  @Test func invalidLinesFailAndTheOthersAreProbed() async throws {
    let server = try LoopbackServer.http { _ in .response(204) }
    let good = server.url()
    var input = Array("\u{FEFF}\(good)\r\n\r\n  \t\n\(good)a \nno-scheme\nhttps://u:s3cret@h.test/\n".utf8)
    input += Array("https://h.test/caf".utf8) + [0xE9, 0x1B] + Array("\nhttps://h:70000/\n\(good)last".utf8)
    let check = try await Check(["--allow-http", "--format=json", "-"], input: input)
    #expect(check.code == .notOnline)
    #expect(check.errors.isEmpty)
    #expect(!check.output.contains("s3cret"))
    let probes = try check.probes()
    #expect(
      probes.map { $0["outcome"] as? String } == [
        "accepted", "accepted", "failed", "failed", "failed", "failed", "accepted",
      ])
    let details = probes.compactMap { $0["detail"] as? String }
    #expect(
      details == [
        "line 5: the URL has no scheme: start it with one, as in https://example.com/",
        "line 6: \(CheckMistakeTests.credentials)",
        "line 7: the line is not valid UTF-8",
        "line 8: port \"70000\" cannot be used at byte 10: a port is a number from 1 to 65535",
      ])
    #expect(probes.compactMap { $0["reason"] as? String } == Array(repeating: "request.invalid", count: 4))
    #expect(server.requests.count == 3)
  }

  @Test func emptyLinesAndCommentsAreIgnored() async throws {
    let server = try LoopbackServer.http { _ in .response(204) }
    let good = server.url()
    let input = "# of ours\n\n \t# \(good)no\r\n#\n\(good)#part\n\(good) # no comment\n#last"
    let check = try await Check(["--allow-http", "--format=json", "-"], input: Array(input.utf8))
    // A # after other text is part of the URL, or an error in it.
    #expect(try check.probes().map { $0["outcome"] as? String } == ["accepted", "failed"])
    #expect(
      try check.probes().last?["detail"] as? String
        == "line 6: the URL contains a space at byte \(good.utf8.count): write it as %20")
    #expect(server.requests.count == 1)
    let none = try await Check(["-"], input: Array("# nothing\n".utf8))
    #expect(none.code == .badInput)
    #expect(none.errors == "probekit check: standard input contains no URLs: write one per line\n")
  }

  /// No probe ends until all of them are running.
  @Test(.patience(minutes: 1)) func allProbesMayRunOnOneHostAtOnce() async throws {
    let running = Guarded(0)
    var plugins = PluginRegistry()
    try plugins.register(
      FakeTransport { request in
        running.withLock { $0 += 1 }
        while running.withLock({ $0 }) < 20 { try await Task.sleep(for: .milliseconds(1)) }
        return ProbeResponse(url: request.url, head: HTTPResponseHead(status: 204))
      })
    let check = try await Check(
      ["--per-host=20", "--concurrency=20", "--format=json", "-"],
      input: Array(String(repeating: "https://h.test/\n", count: 20).utf8), plugins: plugins)
    #expect(check.code == .success)
    #expect(try check.probes().count == 20)
  }

  @Test func aPlaintextURLRequiresPermission() async throws {
    let server = try LoopbackServer.http { _ in .response(204) }
    let check = try await Check(["--format=json", "-"], input: Array(server.url().utf8))
    #expect(check.code == .notOnline)
    #expect(try check.reason() == "policy.plaintext")
    #expect(server.connectionCount == 0)
  }

  @Test func commandLineURLsComeFirst() async throws {
    let server = try LoopbackServer.http { _ in .response(204) }
    let check = try await Check(
      ["--allow-http", "--format=json", "-", server.url("/1")], input: Array(server.url("/2").utf8))
    #expect(check.code == .success)
    #expect(try check.probes().compactMap { $0["url"] as? String } == [server.url("/1"), server.url("/2")])
  }

  @Test(arguments: ["", "\n\r\n \t\n", "\u{FEFF}"])
  func nothing(_ input: String) async throws {
    let check = try await Check(["-"], input: Array(input.utf8))
    #expect(check.code == .badInput)
    #expect(check.errors == "probekit check: standard input contains no URLs: write one per line\n")
  }

  @Test func anOversizedLineIsNotEchoed() async throws {
    let line = "https://h.test/" + String(repeating: "x", count: 1 << 20)
    let check = try await Check(["--format=json", "--verbose", "-"], input: Array(line.utf8))
    #expect(try check.reason() == "request.invalid")
    #expect(check.output.utf8.count < 2000)
    #expect(check.errors.utf8.count < 1000)
  }

  @Test(arguments: ["check", "run"])
  func unreadableInputIsNotAUsageError(_ command: String) async throws {
    let closed = InputSource { () throws(InvalidInput) in throw InvalidInput("standard input is closed") }
    let (output, errors) = (MemoryOutput(), MemoryOutput())
    let code = await CommandLineTool(plugins: try .bundled).run(
      arguments: [Array(command.utf8), Array("-".utf8)], environment: [:], input: closed,
      output: output.sink(), errors: errors.sink())
    #expect(code == .badInput)
    #expect(errors.text.contains("standard input is closed"))
    #expect(output.text.isEmpty)
  }

  @Test func inputOverTheLimitIsRejected() async throws {
    let endless = InputSource { () throws(InvalidInput) in [UInt8](repeating: 0x61, count: 1 << 20) }
    #expect(throws: InvalidInput("standard input has more than 4 MiB", remedy: "give it in several parts")) {
      try endless.readAll(limit: 4 << 20)
    }
  }

  @Test func anUnreachableThresholdIsRejected() async throws {
    let check = try await Check(["--threshold=3", "-"], input: Array("https://h.test/".utf8))
    #expect(check.code == .usage)
    #expect(check.errors.split(separator: "\n").count == 1)
    #expect(check.errors.contains("3"))
  }

  @Test func aHundredThousandLinesAreSummarized() async throws {
    let server = try LoopbackServer.http { _ in .response(204) }
    let good = (0..<500).map { server.url("/\($0)") }
    let bad = (0..<99_500).map { "https://h\($0):0/" }
    let input = Array((good + bad).joined(separator: "\n").utf8)
    let check = try await Check(["--allow-http", "--threshold=500", "-"], input: input)
    #expect(check.code == .success)
    #expect(server.requests.count == 500)
    // Most of the lines are counted, not listed.
    #expect(check.output.split(separator: "\n").count < 60)
  }
}
