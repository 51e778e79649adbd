import FoundationEssentials
import LoopbackServer
import ProbeCommand
import TestSupport
import Testing
@testable import CommandKit

/// The output in locales other than UTF-8.
@Suite struct CheckASCIITests {
  @Test func textIsInASCIIButJSONAndFilesAreNot() async throws {
    let server = try LoopbackServer.http { _ in .response(body: "Grüße") }
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/report"
    let refused = "http://127.0.0.1:\(try LoopbackServer.refusedPort())/"
    let base = ["--allow-http", "--contains=…", server.url(), refused]
    let posix = ["LC_ALL": "POSIX", "LANG": "C.UTF-8"]
    let text = try await Check(["-v"] + base, environment: posix)
    #expect(text.code == .notOnline)
    #expect(text.output.contains("  x failed  http://127.0.0.1"))
    #expect(text.output.contains("\\u{fc}"))
    #expect((text.output + text.errors).utf8.allSatisfy { $0 < 0x80 })
    let json = try await Check(["--format=json"] + base, environment: posix)
    #expect(json.output.contains("ü"))
    _ = try await Check(["-o", path] + base, environment: posix)
    #expect(readText(path).contains("  ✗ failed "))
    let unicode = try await Check(base, environment: ["LANG": "C.UTF-8"])
    #expect(unicode.output.contains("  ✗ failed "))
  }

  @Test func errorsAreInASCII() async throws {
    let check = try await Check(
      ["--ünknown", String(repeating: "x", count: 100)], environment: ["LANG": "C"])
    #expect(check.errors.hasPrefix("probekit check: unknown option --\\u{fc}nknown: "))
    #expect(check.errors.utf8.allSatisfy { $0 < 0x80 })
  }
}
