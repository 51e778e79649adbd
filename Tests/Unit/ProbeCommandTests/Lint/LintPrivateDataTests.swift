import BundledPlugins
import Foundation
import ProbeCommand
import TestSupport
import Testing
@testable import CommandKit

/// `probekit lint` and private data in fixtures.
@Suite struct LintPrivateDataTests {
  private static func lint(
    _ yaml: String, _ files: [String: [UInt8]] = [:], format: String = "text"
  ) async throws -> FolderRun {
    let folder = try TemporaryFolder([
      "fixture.yaml": "version: 1\nname: x\nsource: { kind: synthetic, reference: y }\n" + yaml
    ])
    for (name, bytes) in files {
      try Data(bytes).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    }
    let run = try await FolderRun("lint", ["--strict", "--format=\(format)", "DIR"], in: folder)
    #expect(run.errors.isEmpty)
    return run
  }

  private static let sends = "routes: [{ send: 10.resp }]\n"

  @Test func aFindingHasItsLocationAndRemedy() async throws {
    let response =
      "HTTP/1.1 302 Found\r\nLocation: http://gw.example/?mac=A8-66-7F-12-34-56\r\nContent-Length: 0\r\n\r\n"
    let lint = try await Self.lint(Self.sends, ["10.resp": Array(response.utf8)])
    #expect(lint.code == .badInput)
    #expect(
      lint.output == """
        DIR/10.resp:2:34: warning: a MAC address that may be private: use one for documentation, 00-00-5E-00-53-00 to 00-00-5E-00-53-FF (RFC 7042)
          Location: http://gw.example/?mac=A8-66-7F-12-34-56
                                           ^
        1 file checked: 1 finding, 1 warning in 1 file

        """)
  }

  @Test func warningsFailOnlyAStrictLint() async throws {
    let folder = try TemporaryFolder([
      "a/fixture.yaml":
        "version: 1\nname: x\nsource: { kind: synthetic, reference: jo@inn.org }\nroutes: []\n",
      "p.yaml": """
      version: 1
      name: p
      sets: [{ name: a, urls: [https://a.example/] }, { name: b, urls: [https://b.example/] }]
      decide: [{ when: { set: a, met: true }, verdict: online }]
      """,
    ])
    let lint = try await FolderRun("lint", ["DIR"], in: folder)
    #expect(lint.code == .success)
    #expect(
      lint.output.contains(
        "p.yaml:3:57: warning: no rule of decide uses the set \"b\", so it never counts: use it in a rule"),
      "\(lint.output)")
    #expect(lint.output.hasSuffix("2 files checked: 2 findings, 2 warnings in 2 files\n"))
    #expect(try await FolderRun("lint", ["--strict", "DIR"], in: folder).code == .badInput)
    let run = try await FolderRun("verify", ["DIR/a"], in: folder)
    #expect(run.code == .success, "\(run.errors)")
  }

  @Test func theFixtureYAMLIsAlsoInspected() async throws {
    let yaml =
      "routes:\n  - respond: { status: 302, headers: [\"Location: http://a.example/?mail=jo%40inn.org\"] }\n"
    let lint = try await Self.lint(yaml, format: "json")
    #expect(lint.code == .badInput)
    #expect(
      lint.output == """
        {"files":1,"findings":[{"column":73,"file":"DIR/fixture.yaml","fix":"use one for documentation, such as name@example.com (RFC 2606)","line":5,"message":"an e-mail address that may be private","severity":"warning"}],"schema":1}

        """)
  }

  @Test func privateDataInChunksAndBinaryDataIsFound() async throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    let response =
      Array(head.utf8) + Array("4\r\n".utf8) + [0xFF, 0x00, 0x0A, 0x80]
      + Array("\r\n6\r\njo@inn\r\n4\r\n.org\r\n0\r\n\r\n".utf8)
    let lint = try await Self.lint(Self.sends, ["10.resp": response])
    #expect(lint.code == .badInput)
    #expect(lint.output.hasPrefix("DIR/10.resp:8:1: warning: an e-mail address that may be private: "))
    #expect(lint.output.contains("\n  jo@inn\n  ^\n"))
    #expect(lint.output.hasSuffix("1 file checked: 1 finding, 1 warning in 1 file\n"))
  }

  /// `write to jo@inn.org`, compressed with Python's gzip module.
  private static let packed: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x2b, 0x2f, 0xca, 0x2c, 0x49, 0x55, 0x28,
    0xc9, 0x57, 0xc8, 0xca, 0x77, 0xc8, 0xcc, 0xcb, 0xd3, 0xcb, 0x2f, 0x4a, 0x07, 0x00, 0x16, 0xd4, 0x63,
    0x8c, 0x13, 0x00, 0x00, 0x00,
  ]

  @Test func compressedContentIsInspected() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(Self.packed.count)\r\n\r\n"
    let lint = try await Self.lint(Self.sends, ["10.resp": Array(head.utf8) + Self.packed])
    #expect(lint.code == .badInput)
    #expect(
      lint.output.hasPrefix(
        "DIR/10.resp:5:1: warning: the compressed body that starts here contains an e-mail address that may be private: "
      ))
  }

  @Test func everyOccurrenceIsReported() async throws {
    let page = "a8:66:7f:12:34:56\n\n a866.7f12.3456 and jo@inn.org\n?client_mac=a8667f123456\n"
    let lint = try await Self.lint(
      "routes: [{ respond: { status: 200, body: p.html } }]\n", ["p.html": Array(page.utf8)])
    let locations = lint.output.split(separator: "\n").filter { $0.hasPrefix("DIR/") }.map {
      $0.prefix { $0 != " " }
    }
    #expect(locations == ["DIR/p.html:1:1:", "DIR/p.html:3:2:", "DIR/p.html:3:21:", "DIR/p.html:4:13:"])
  }

  @Test(arguments: [
    "00-00-5E-00-53-42 0000.5e00.5301 ff:ff:ff:ff:ff:ff 00:00:00:00:00:00",
    "<img srcset=\"user@2x.png 2x\"> npm@1.2.3 @media",
    "help@example.com help@mail.example.org you@inn.example me@x.test no@body.invalid root@localhost",
    "at 12:34:56, 2026-11-22",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "A8:66:7F:12:34:56:78:9A:BC:DE:F0:12:34:56:78:90", "2001:db8:1:2:3:4:5:6",
    "?token=5a1cf0e2b7d94386&ip=10.1.0.7",
  ])
  func publicValuesPass(_ text: String) async throws {
    let lint = try await Self.lint(
      "routes: [{ respond: { status: 200, body: p.html } }]\n", ["p.html": Array(text.utf8)])
    #expect(lint.output == "1 file checked: nothing is wrong\n")
    #expect(lint.code == .success)
  }

  @Test func aMissingFileIsReportedOnce() async throws {
    let lint = try await Self.lint(Self.sends)
    #expect(lint.code == .badInput)
    #expect(lint.output.hasSuffix("1 file checked: 1 finding in 1 file\n"))
  }

  @Test func theReportedFindingsOfAFileAreLimited() async throws {
    let page = (0..<1500).map { "user\($0)@inn.org\n" }.joined()
    let lint = try await Self.lint(
      "routes: [{ respond: { status: 200, body: p.html } }]\n", ["p.html": Array(page.utf8)])
    #expect(lint.output.contains("500 more warnings are not shown"))
  }
}
