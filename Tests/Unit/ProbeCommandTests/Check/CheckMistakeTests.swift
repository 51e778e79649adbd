import TestSupport
import Foundation
import LoopbackServer
import ProbeCommand
import Testing
@testable import CommandKit

/// The messages of `probekit check` on unusable input, each with the error and its remedy.
@Suite struct CheckMistakeTests {
  static let credentials =
    "the URL contains credentials, which are not allowed because URLs appear in logs and reports: send them as a "
    + "request header instead"

  static let mistakes: [(arguments: [String], error: String)] = [
    (["office.yaml"], "\"office.yaml\": this is not a URL: to run a pipeline file, use the command run"),
    (["nonsense"], "\"nonsense\": the URL has no scheme: start it with one, as in https://example.com/"),
    ([""], "\"\": the URL is empty: give one such as https://example.com/"),
    (
      ["ftp://h.test/"],
      "\"ftp://h.test/\": the scheme ftp is unknown: use one of dns, dns+https, dns+tls, http, https, icmp, tcp, tls, udp"
    ),
    (["https:///x"], "\"https:///x\": the URL has an empty host at byte 8: write it as scheme://host/path"),
    (
      ["https://h:0/"],
      "\"https://h:0/\": port \"0\" cannot be used at byte 10: a port is a number from 1 to 65535"
    ),
    (
      ["https://h:70000/"],
      "\"https://h:70000/\": port \"70000\" cannot be used at byte 10: a port is a number from 1 to 65535"
    ),
    (["https://u:s3cret@h.test/"], "\"https://<redacted>@h.test/\": \(credentials)"),
    (
      ["http://h.test/"],
      "\"http://h.test/\": http is not encrypted, and the policy is HTTPS-only: add --allow-http to probe it"
    ),
    (
      ["--allow-http", "tcp://h.test"],
      "\"tcp://h.test\": a tcp URL needs a port: write it as tcp://h.test:22"
    ),
    (
      ["--allow-http", "--status=204", "tcp://h.test:1"],
      "--status: only HTTP responses have a status, header fields and redirects, and \"tcp://h.test:1\" is a tcp URL: omit "
        + "the option, or check this URL separately"
    ),
    (
      ["--user-agent=a", "dns+https://h.test/a"],
      "--user-agent: dns+https URLs do not have this setting: it is for http or https URLs"
    ),
    (
      ["-H", "A: b", "dns+https://h.test/a"],
      "--header: dns+https URLs do not have this setting: it is for http or https URLs"
    ),
    (
      ["--client=own", "dns+https://h.test/a", "tls://h.test:9"],
      "--client: dns+https and tls URLs do not have this setting: it is for http or https URLs"
    ),
    (
      ["-L", "tls://h.test:9"], "--location: tls URLs do not have this setting: it is for http or https URLs"
    ),
    (["--tiemout", "5s"], "unknown option --tiemout: did you mean --timeout?"),
    (["--timeout", "-5s"], "--timeout: \"-5s\" is not a time: write it as 5s, 800ms or 1m"),
    (["--timeout=0s"], "--timeout: the time 0s is out of bounds: use one from 1ms to 1h"),
    (["--timeout=9999d"], "--timeout: the time 9999d is out of bounds: use one from 1ms to 1h"),
    (["--timeout=5x"], "--timeout: the time \"5x\" has an unknown unit: use ms, s, m, h or d, as in 5s"),
    (["-m", "0"], "--timeout: the time 0s is out of bounds: use one from 1ms to 1h"),
    (["--concurrency=0"], "--concurrency: \"0\" cannot be used: give a whole number from 1 to 10000"),
    (["--per-host=10001"], "--per-host: \"10001\" cannot be used: give a whole number from 1 to 10000"),
    (["--max-body=-1"], "--max-body: \"-1\" is not a number of bytes: write it as 4096, 64KiB or 1MB"),
    (["--max-body=2GiB"], "--max-body: the size 2GiB is out of bounds: use one from 0 to 1GiB"),
    (
      ["--threshold=101%", "https://h.test/"],
      "--threshold: the threshold \"101%\" is not above 0 % and at most 100 %: write a percentage such as 75%, or "
        + "a count such as 3"
    ),
    (
      ["--threshold=2", "https://h.test/"],
      "--threshold: the threshold 2 of the set \"urls\" cannot be met with 1 URL: use at most 1, or a percentage"
    ),
    (["--threshold=1"], "--threshold is for checks with URLs: add a URL, or omit the option"),
    (["--contains=x"], "--contains is for checks with URLs: add a URL, or omit the option"),
    (
      ["--status=2000", "https://h.test/"],
      "--status: the status 2000 does not exist: codes are from 100 to 999"
    ),
    (["--header=Accept"], "--header: the header field has no colon: write it as 'Name: value'"),
    (["--header=A B: x"], "--header: \"A B\" is not a header field name: write it as in Accept"),
    (
      ["--header=A: x\r\nB: y", "https://h.test/", "https://i.test/"],
      "--header: the header field A contains a control character: use visible characters and spaces"
    ),
    (
      ["--connect-to=a:b"],
      "--connect-to: \"a:b\" has 2 parts, not 4: write it as HOST:PORT:ADDR:PORT, with empty parts for any, and "
        + "IPv6 addresses in brackets"
    ),
    (
      ["--matches=ab(c", "https://h.test/"],
      "--matches: pattern: missing closing parenthesis at byte 4: close the group with ), or write \\( for the "
        + "character itself\n  ab(c\n      ^"
    ),
    (
      ["--matches=https://u:s3cret@h/(", "https://h.test/"],
      "--matches: pattern: missing closing parenthesis at byte 20: close the group with ), or write \\( for the "
        + "character itself"
    ),
  ]

  @Test(arguments: mistakes)
  func anErrorIsReportedWithItsRemedy(_ arguments: [String], error: String) async throws {
    let check = try await Check(arguments)
    #expect(check.code == .usage)
    #expect(check.output.isEmpty)
    #expect(check.errors == "probekit check: \(error)\n")
  }

  /// A list of URLs with different schemes takes the options of each, also from standard input.
  @Test(arguments: ["tcp://", "http://"])
  func anOptionMustBeOfUseForOneURL(_ scheme: String) async throws {
    let server = try LoopbackServer.http { _ in .response(body: "a") }
    let list = "tcp://127.0.0.1:\(server.port)\n\(scheme)127.0.0.1:\(server.port)\n"
    let check = try await Check(
      ["--allow-http", "--timeout=60s", "-H", "A: b", "-"], input: Array(list.utf8))
    #expect(check.code == (scheme == "tcp://" ? .usage : .success), "\(check.errors)")
    #expect(
      check.errors.hasPrefix("probekit check: --header: tcp URLs do not have this setting: it is for")
        == (scheme == "tcp://"))
    #expect((server.connectionCount == 0) == (scheme == "tcp://"))
  }

  @Test func allErrorsAreReportedAndNothingIsProbed() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let check = try await Check([
      server.url(), "https://u:s3cret@h.test/", "--bogus", "--timeout=0s", "--threshold=4", "--matches=[",
      "tcp://h.test",
    ])
    #expect(check.code == .usage)
    let errors = check.errors.replacing(":\(server.port)/", with: ":PORT/")
    #expect(try errors == Snapshot("check-mistakes", is: errors).text)
    #expect(!check.errors.contains("s3cret"))
    #expect(server.connectionCount == 0)
  }

  @Test func argumentsThatAreNotUTF8AreReported() async throws {
    let check = try await Check(bytes: [
      [0xFF], Array("--contains=caf".utf8) + [0xE9], Array("--threshold=2".utf8),
    ])
    #expect(check.code == .usage)
    #expect(
      check.errors == """
        probekit check: argument 3: "--contains=caf\\xe9" is not valid UTF-8 at byte 14
        probekit check: argument 2: "\\xff" is not valid UTF-8 at byte 0
        probekit check: --threshold: the threshold 2 of the set "urls" cannot be met with 1 URL: use at most 1, or a percentage

        """)
  }

  static let files: [(file: String, problem: String)] = [
    ("/nonexistent/ca.pem", "cannot be read: No such file or directory"),
    ("/dev/null", "cannot be read: it is not a regular file"),
    ("/tmp", "cannot be read: Is a directory"),
    ("/nonexistent/\u{1B}[2J", "cannot be read: No such file or directory"),
  ]

  @Test(arguments: files)
  func anUnusableCAFileIsReported(_ file: String, problem: String) async throws {
    let check = try await Check(["--cacert", file])
    #expect(check.code == .badInput)
    #expect(check.output.isEmpty)
    let shown = file.replacing("\u{1B}", with: "\\x1b")
    #expect(check.errors == "probekit check: --cacert: \(shown): \(problem)\n")
  }

  @Test func aBrokenCertificateInACAFileIsReported() async throws {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "probekit-\(UInt64.random(in: 0 ... .max)).pem")
    try "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".write(
      to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let check = try await Check(["--cacert", file.path])
    #expect(check.code == .badInput)
    #expect(
      check.errors.hasPrefix(
        "probekit check: --cacert: \(file.path): certificate 1 of the file is broken: "))
  }
}
