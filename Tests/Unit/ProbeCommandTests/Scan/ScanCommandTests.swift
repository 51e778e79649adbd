import Foundation
import LoopbackServer
import ProbeBase
import ProbeCore
import TestSupport
import ProbeTLS
import Testing

@testable import ProbeCommand
@testable import CommandKit

/// `probekit scan` from its input to its output.
@Suite struct ScanCommandTests {
  private static func server(_ respond: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse) throws
    -> LoopbackServer
  { try .http(respond: respond) }

  private static let always = ["--allow-http", "--allow-private"]

  @Test func aResultForEachLineAndAnEndLine() async throws {
    let server = try Self.server { request in
      switch request.target {
      case "/good": .response(body: "Welcome")
      case "/moved": .response(302, headers: [("Location", "/elsewhere")])
      default: .response(404, body: "Nothing here")
      }
    }
    let refused = "http://127.0.0.1:\(try LoopbackServer.refusedPort())/"
    let input = """
      # Servers

      {"id": 7, "url": "\(server.url("/good"))", "labels": {"site": "berlin"}}
      {"id": "text", "url": "\(server.url("/missing"))"}
      \(server.url("/moved"))\r
      \(refused)
      nonsense
      {"id": 9, "url": 5}
      gopher://a.example/
      """
    let scan = try await Scan(Self.always, input: input)
    #expect(scan.code == .success)
    let results = try scan.results()
    #expect(results.map { $0["line"] as? Int } == [3, 4, 5, 6, 7, 8, 9])
    #expect(results.map { $0["id"] as? Int } == [7, nil, nil, nil, nil, 9, nil])
    #expect(results[1]["id"] as? String == "text")
    #expect(results.allSatisfy { $0["schema"] as? Int == 1 && $0["set"] as? String == "urls" })
    #expect(try scan.texts("outcome") == ["accepted"] + Array(repeating: "failed", count: 6))
    #expect(
      try scan.texts("reason") == [
        nil, "http.status", "http.status", "connect.refused", "request.invalid", "request.invalid",
        "request.invalid",
      ])
    #expect(results[0]["labels"] as? [String: String] == ["site": "berlin"])
    #expect((results[4]["detail"] as? String)?.hasPrefix("line 7: ") == true)
    #expect((results[5]["detail"] as? String)?.contains("line 8: the field url has the wrong type") == true)
    let end = try #require(try scan.end())
    #expect(end["lines"] as? Int == 9 && end["results"] as? Int == 7)
    #expect(end["accepted"] as? Int == 1 && end["failed"] as? Int == 6 && end["skipped"] as? Int == 0)
    #expect(end["digest"] as? String == MessageDigest.sha256(of: Array(input.utf8)).hexText)
    #expect(end["part"] == nil && end["shard"] == nil)
    #expect(scan.errors.contains("9 lines in ") && scan.errors.contains("3 request.invalid"))
  }

  @Test(arguments: ["", "\n\n", "# only a comment"]) func nothingToProbe(_ input: String) async throws {
    let scan = try await Scan(Self.always, input: input)
    #expect(scan.code == .success)
    #expect(try scan.lines().count == 1)
    #expect(try scan.end()?["results"] as? Int == 0)
    #expect(scan.errors.contains("no results"))
  }

  @Test func quietReportsNothing() async throws {
    #expect(try await Scan(["--quiet"], input: "nonsense").errors.isEmpty)
  }

  @Test func rubbishIsReportedLineByLine() async throws {
    var random = SeededNumbers(seed: 4)
    let bytes = (0..<4000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let input = String(decoding: bytes, as: UTF8.self)
    let scan = try await Scan(Self.always, input: input)
    #expect(scan.code == .success)
    #expect(try scan.texts("reason").allSatisfy { $0 == "request.invalid" })
    #expect(
      scan.output.split(separator: "\n").allSatisfy { line in
        line.unicodeScalars.allSatisfy { !$0.mustBeEscapedForDisplay }
      })
  }

  @Test func unencryptedProbesNeedAnOption() async throws {
    let server = try Self.server { _ in .response() }
    let scan = try await Scan(["--allow-private"], input: server.url())
    #expect(try scan.texts("reason") == ["policy.plaintext"])
    #expect(server.connectionCount == 0)
  }

  @Test func theOutputIsWrittenToAFile() async throws {
    let server = try Self.server { _ in .response() }
    let folder = try TemporaryFolder(["urls": server.url()])
    let file = folder.path(of: "out.ndjson")
    let scan = try await Scan(Self.always + ["-i", folder.path(of: "urls"), "-o", file])
    #expect(scan.code == .success && scan.output.isEmpty)
    #expect(try Scan.lines(of: readText(file)).map { $0["type"] as? String } == ["probe", "end"])
  }

  @Test func damagedOrMissingInputIsReported() async throws {
    let server = try Self.server { _ in .response() }
    let folder = try TemporaryFolder()
    let file = folder.path(of: "urls.gz")
    let script = "{ yes '\(server.url())' | head -n 40 | gzip; echo garbage; } >'\(file)'"
    try #require(try runProgram("sh", ["-c", script]) == 0)
    let scan = try await Scan(Self.always + ["--input", file])
    #expect(scan.code == .badInput)
    #expect(try scan.end() == nil)
    #expect(scan.errors.contains("urls.gz\": the compressed data is damaged"))
    #expect(scan.errors.contains("results were written, and no end line"))
    let missing = try await Scan(["--input", folder.path(of: "none")])
    #expect(missing.code == .badInput && missing.output.isEmpty)
  }
}
