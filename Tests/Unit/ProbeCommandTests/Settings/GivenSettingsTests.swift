import BundledPlugins
import ProbeCore
import TestSupport
import Testing

@testable import ProbeCommand

/// The values that options give, and those that files give for the same keys.
@Suite struct GivenSettingsTests {
  private static func errors(_ arguments: String...) async throws -> String {
    try await FolderRun(
      "check", ["--explain"] + arguments + ["https://a.example/"], in: try TemporaryFolder([:])
    ).errors
  }

  private static func explained(_ arguments: String...) async throws -> [Substring] {
    let run = try await FolderRun(
      "check", ["--explain"] + arguments + ["https://a.example/"],
      in: try TemporaryFolder(["token": "s3cret"]))
    #expect(run.code == .success, "\(run.errors)")
    return run.output.split(separator: "\n").map { $0.drop { $0 == " " } }
  }

  private static func line(_ key: String, in lines: [Substring]) -> [String] {
    lines.filter { $0.hasPrefix("\(key) ") }.map { line in
      line.split(separator: " ", omittingEmptySubsequences: true).dropFirst().joined(separator: " ")
    }
  }

  /// A value that is wrong is refused in the same words on the command line and in a file.
  @Test(arguments: [
    ("--timeout", "timeout", "2 parsecs"), ("--timeout", "timeout", "0s"), ("--timeout", "timeout", "2h"),
    ("--redirects", "redirects", "many"), ("--redirects", "redirects", "51"),
    ("--redirects", "redirects", "-1"),
    ("--max-body", "maxBody", "2GiB"), ("--max-body", "maxBody", "12 bits"), ("--retries", "retries", "101"),
    ("--family", "family", "v5"), ("--interface", "interface", "a b"),
    ("--resolver", "resolver", "ns.example"),
    ("--connect-to", "connectTo", "a:b"), ("--client", "client", "wget"), ("--cacert", "ca", "''"),
    ("--request", "method", "GET /"), ("--user-agent", "userAgent", "a\u{7}b"),
  ])
  func theWordsOfErrorsAreTheSame(option: String, key: String, value: String) async throws {
    let isEmpty = value == "''"
    let written = isEmpty ? "''" : value.contains("\u{7}") ? "\"a\\ab\"" : value
    let folder = try TemporaryFolder([
      "a.yaml": """
      version: 1
      name: a
      request: { \(key): \(written) }
      sets: [{ name: web, urls: [https://a.example/] }]

      """
    ])
    let file = try await FolderRun("run", ["DIR/a.yaml"], in: folder).errors
    let line = file.split(separator: "\n").first ?? ""
    let words = line.firstRange(of: "error: ").map { line[$0.upperBound...] } ?? ""
    let ofOption = try await Self.errors("\(option)=\(isEmpty ? "" : value)")
    // A message names the key in a file, and the value after an option.
    let expected = words.replacing("\(key) must", with: "the value must").replacing(
      "\(key) is", with: "the value is")
    #expect(!words.isEmpty, "\(file)")
    #expect(ofOption.contains("\(option): \(expected)\n"), "\(ofOption) is not \(expected)")
  }

  @Test func partsOfAValueAreCombined() async throws {
    let lines = try await Self.explained(
      "--proxy-user", "me:file:DIR/token", "--proxy", "proxy.example:3128", "--header", "A: 1", "-H", "B: 2",
      "--header=A: 3", "-m", "2", "--max-redirs", "3", "--location")
    #expect(
      Self.line("proxy", in: lines) == [
        "{ user: me, password: { file: DIR/token }, url: http://proxy.example:3128 } (--proxy-user and --proxy, option)"
      ])
    #expect(Self.line("headers", in: lines).last == "{ A: [1, 3], B: [2] } (--header, option)")
    #expect(Self.line("headers", in: lines).count == 2)
    #expect(Self.line("timeout", in: lines) == ["2s (--timeout, option)"])
    #expect(Self.line("redirects", in: lines) == ["3 (--redirects, option)"])
    #expect(Self.line("retries", in: lines) == ["0 (default)"])
  }

  @Test func locationFollowsFiftyRedirects() async throws {
    #expect(Self.line("redirects", in: try await Self.explained("-L")) == ["50 (--location, option)"])
  }

  @Test func secretsAreNotShown() async throws {
    let lines = try await Self.explained(
      "--header", "Authorization: Bearer hunter2", "--header", "X-Api-Key: hunter2", "--proxy",
      "http://me:hunter2@proxy.example:3128")
    let text = lines.joined(separator: "\n")
    #expect(!text.contains("hunter2"))
    #expect(text.contains("<redacted>"))
  }

  @Test func combinationsAreRefused() async throws {
    let all = try await Self.errors(
      "--bearer", "env:A", "--basic", "me:env:A", "-4", "--ipv6", "--client-key", "key.pem", "--proxy-user",
      "me:env:A")
    for expected in [
      "--bearer and --basic cannot be combined: keep one of them",
      "-4 and -6 cannot be combined: keep one of them",
      "--client-key requires --client-cert: add --client-cert, or omit the option",
      "--proxy-user requires --proxy: add --proxy, or omit the option",
    ] {
      #expect(all.contains(expected))
    }
  }

  /// Files that an option names are those of the user, wherever a pipeline is.
  @Test func pathsOfOptionsStartInTheCurrentDirectory() async throws {
    let folder = try TemporaryFolder([
      "secret": "hunter2",
      "pipelines/a.yaml": """
      version: 1
      name: a
      sets: [{ name: web, urls: [https://a.example/] }]

      """,
    ])
    let run = try await FolderRun(
      "scan",
      [
        "--bearer", "file:DIR/secret", "--proxy", "p.example:1", "--proxy-user", "me:file:DIR/secret",
        "DIR/pipelines/a.yaml",
      ], in: folder, input: "")
    #expect(run.code == .success, "\(run.errors)")
  }
}
