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

  /// The values of a key, each after its origin.
  private static func line(_ key: String, in lines: [Substring]) -> [String] {
    lines.compactMap { line in
      line.firstRange(of: "  \(key): ").map { range in
        "\(line[..<range.lowerBound].reversed().drop { $0 == " " }.reversed().map(String.init).joined()): "
          + line[range.upperBound...]
      }
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
    let words = line.replacing(#/^DIR/a\.yaml:\d+:\d+: /#) { _ in "" }
    let ofOption = try await Self.errors("\(option)=\(isEmpty ? "" : value)")
    // A message names the key in a file, and the value after an option.
    let expected = words.hasPrefix("\(key) ") ? "the value" + words.dropFirst(key.count) : words
    #expect(!words.isEmpty, "\(file)")
    #expect(ofOption.contains("\(option): \(expected)\n"), "\(ofOption) is not \(expected)")
  }

  @Test func partsOfAValueAreCombined() async throws {
    let lines = try await Self.explained(
      "--proxy-user", "me:file:DIR/token", "--proxy", "proxy.example:3128", "--header", "A: 1", "-H", "B: 2",
      "--header=A: 3", "-m", "2", "--max-redirs", "3", "--location")
    #expect(
      Self.line("proxy", in: lines) == [
        "--proxy-user and --proxy, option: { user: me, password: { file: DIR/token }, url: http://proxy.example:3128 }"
      ])
    #expect(
      Self.line("headers", in: lines).dropFirst() == [
        "--header, option: { A: [1] }", "--header, option: { B: [2] }", "--header, option: { A: [3] }",
      ])
    #expect(Self.line("timeout", in: lines) == ["--timeout, option: 2s"])
    #expect(Self.line("redirects", in: lines) == ["--redirects, option: 3"])
    #expect(Self.line("retries", in: lines) == ["default: 0"])
  }

  @Test func locationFollowsFiftyRedirects() async throws {
    #expect(Self.line("redirects", in: try await Self.explained("-L")) == ["--location, option: 50"])
  }

  /// A report of settings says what is sent: with content, the request is another one.
  @Test func contentIsNotShown() async throws {
    let lines = try await Self.explained("--data", "password=hunter2", "-d", "a=b")
    #expect(Self.line("body", in: lines) == ["--data, option: 20 bytes"])
    #expect(Self.line("method", in: lines) == ["--data, option: POST"])
    #expect(
      Self.line("headers", in: lines).last
        == "--data, option: { Content-Type: application/x-www-form-urlencoded }, if there is no other")
    #expect(
      Self.line("method", in: try await Self.explained("-d", "a", "-X", "PUT")) == ["--request, option: PUT"])
  }

  @Test func explanationsHaveTwoFormats() async throws {
    let folder = try TemporaryFolder([:])
    for (arguments, words) in [
      (["--format", "junit"], "--explain has no format junit: use text or json"),
      (["-o", "DIR/x"], "--explain and --output cannot be combined"),
    ] {
      let run = try await FolderRun("check", ["--explain", "https://a.example/"] + arguments, in: folder)
      #expect(run.code == .usage)
      #expect(run.errors.contains(words))
      #expect(run.output.isEmpty)
    }
  }

  /// Many options take no longer than a few, and stay in order.
  @Test func manyOptionsAreAppliedInOrder() async throws {
    let options = (0..<3000).flatMap { ["-H", "X\($0 % 7): \($0)", "--connect-to", "a:\($0 + 1):b:1", "-4"] }
    var given = GivenSettings()
    let keys = try PluginRegistry.bundled.transports.requestKeys.map(\.first)
    for (name, value) in zip(options, options.dropFirst()) where name.hasPrefix("-") {
      for key in keys {
        guard let option = key.options.first(where: { $0.name == name || $0.short == name }) else { continue }
        try given.give(option, of: key, value)
      }
    }
    #expect(given.mistakes.isEmpty)
    let request = given.request
    #expect(request.http.headers.map(\.value) == (0..<3000).map { "\($0)" })
    #expect(request.connectTo.map(\.port) == (1...3000).map { UInt16($0) })
    #expect(request.family == .v4)
  }

  @Test func secretsAreNotShown() async throws {
    let lines = try await Self.explained(
      "--header", "Authorization: Bearer hunter2", "--header", "X-Api-Key: hunter2")
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
