import BundledPlugins
import Foundation
import ProbeCommand
import TestSupport
import Testing
@testable import CommandKit

/// `probekit lint`.
@Suite struct LintCommandTests {
  private static func lint(
    _ arguments: String..., in folder: TemporaryFolder? = nil
  ) async throws -> FolderRun {
    try await FolderRun("lint", arguments, in: folder ?? TemporaryFolder())
  }

  private static let good = "version: 1\nname: x\nsource: { kind: synthetic, reference: y }\nroutes: []\n"
  private static let bad =
    "version: 1\nname: x\nsource: { kind: synthetic, reference: \"\u{202E}\u{1B}[31m\" }\nrotes: []\n"

  @Test func validFilesHaveNoFindings() async throws {
    let folder = try TemporaryFolder([
      "a/fixture.yaml": Self.good, "b/c/fixture.yaml": Self.good, "b/c/other.yaml": "x",
    ])
    let one = try await Self.lint("DIR/a/fixture.yaml", in: folder)
    #expect(one.code == .success)
    #expect(one.output == "1 file checked: nothing is wrong\n")
    let all = try await Self.lint("DIR", "DIR/a", in: folder)
    #expect(all.code == .success)
    #expect(all.output == "3 files checked: nothing is wrong\n")
    #expect(all.errors.isEmpty)
    let json = try await Self.lint("--format=json", "DIR", in: folder)
    #expect(json.code == .success)
    #expect(json.output == "{\"files\":2,\"findings\":[],\"schema\":1}\n")
  }

  @Test func secretsAndReferencedFilesAreNotRead() async throws {
    // Reading them would fail: there is no such variable and no such file.
    let folder = try TemporaryFolder([
      "shop.yaml": """
      version: 1
      name: shop
      request: { auth: { bearer: { env: PROBEKIT_NO_SUCH_VARIABLE } }, ca: /nonexistent/ca.pem }
      sets:
        - name: shop
          request: { clientCertificate: { certificate: /nonexistent/me.pem, passphrase: { file: /nonexistent/p } } }
          urls: [https://shop.example/]
      """
    ])
    let lint = try await Self.lint("DIR/shop.yaml", in: folder)
    #expect(lint.code == .success, "\(lint.output)\(lint.errors)")
  }

  @Test func allErrorsAreReportedOnStandardOutput() async throws {
    let folder = try TemporaryFolder([
      "all/a/fixture.yaml": Self.bad, "all/b/fixture.yaml": "version: 1\nversion: 2\n",
      "all/c/fixture.yaml": Self.good,
    ])
    let lint = try await Self.lint("DIR/all", "DIR/gone", in: folder)
    #expect(lint.code == .badInput)
    #expect(lint.errors.isEmpty)
    #expect(try lint.output == Snapshot("lint", is: lint.output).text)
    let json = try await Self.lint("DIR/all", "DIR/gone", "--format=json", in: folder)
    #expect(json.code == .badInput)
    #expect(try json.output == Snapshot("lint", is: json.output, extension: "json").text)
    #expect(json.output.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
    #expect(!json.output.unicodeScalars.contains("\u{202E}"))
  }

  @Test func pipelinesAreChecked() async throws {
    let pipeline = "version: 1\nname: p\nsets: [{ name: s, urls: [https://a.example/] }]\n"
    let folder = try TemporaryFolder([
      "all/f/fixture.yaml": Self.good, "all/f/body.json": "its own", "all/p.yaml": pipeline,
      "all/q.json": "{}",
      "n.txt": "",
    ])
    let all = try await Self.lint("DIR/all", in: folder)
    #expect(all.code == .badInput)
    #expect(all.errors == "")
    #expect(
      all.output == """
        DIR/all/q.json:1:1: a pipeline has no version: add a line such as version: 1
          {}
          ^
        DIR/all/q.json:1:1: a pipeline has no name: add a line such as name: office
          {}
          ^
        DIR/all/q.json:1:1: a pipeline has no sets: add a line such as sets: [{ name: …, urls: […] }]
          {}
          ^
        3 files checked: 3 findings in 1 file

        """)
    let named = try await Self.lint("DIR/all/p.yaml", in: folder)
    #expect(named.code == .success)
    #expect(named.output == "1 file checked: nothing is wrong\n")
    let other = try await Self.lint("DIR/n.txt", in: folder)
    #expect(other.code == .badInput)
    #expect(other.output.hasPrefix("DIR/n.txt: it is neither a fixture nor a pipeline: name a fixture.yaml"))
  }

  @Test func aFolderWithoutFixturesOrPipelinesIsAnError() async throws {
    let folder = try TemporaryFolder(["n.txt": ""])
    let lint = try await Self.lint("DIR", in: folder)
    #expect(lint.code == .badInput)
    #expect(
      lint.output.hasPrefix(
        "DIR: the folder contains no fixture and no pipeline: name another folder\n"))
  }

  @Test func nothingToCheckIsAUsageError() async throws {
    let none = try await Self.lint()
    #expect(none.code == .usage)
    #expect(none.output.isEmpty)
    let empty = try await Self.lint("")
    #expect(empty.code == .usage)
  }

  @Test func help() async throws {
    let help = try await Self.lint("--help")
    #expect(help.code == .success)
    #expect(try help.output == Snapshot("help-lint", is: help.output).text)
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
