import Foundation
import LoopbackServer
import ProbeCommand
import Testing
@testable import CommandKit

/// `probekit check --dialog FILE`.
@Suite struct CheckDialogTests {
  /// A file that is deleted with the value.
  private final class DialogText {
    let path: String

    init(_ text: String) throws {
      let file = FileManager.default.temporaryDirectory.appending(
        path: "probekit-\(UInt64.random(in: 0 ... .max)).json")
      try text.write(to: file, atomically: true, encoding: .utf8)
      path = file.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private func check(_ dialog: String, _ arguments: String...) async throws -> Check {
    let file = try DialogText(dialog)
    let server = try LoopbackServer { connection in
      try connection.send("220 mx.test ready\r\n")
      let request = try connection.read()
      try connection.send(Array("221 ".utf8) + request)
      connection.hold()
    }
    let check = try await Check(
      ["--allow-http", "--timeout=60s", "--dialog", file.path, "tcp://127.0.0.1:\(server.port)"] + arguments)
    return withExtendedLifetime(file) { check }
  }

  @Test func capturesAreReported() async throws {
    let dialog =
      #"[{"expect": {"matches": "220 (?<host>\\S+) "}}, {"send": "bye ${host}\\n"}, {"expect": "221 bye mx.test"}]"#
    let text = try await check(dialog)
    #expect(text.code == .success)
    #expect(text.output.contains(#"host = "mx.test""#))
    #expect(text.errors.isEmpty)
    let json = try await check(dialog, "--format=json", "--matches=(?<code>221)")
    #expect(try json.probes().first?["captures"] as? [String: String] == ["host": "mx.test", "code": "221"])
  }

  @Test func aRejectFailsTheProbe() async throws {
    let dialog = #"[{"expect": {"matches": "(?<code>220) "}}, {"reject": "mx"}, {"expect": "never"}]"#
    let check = try await check(dialog, "--format=json")
    #expect(check.code == .notOnline)
    let probe = try #require(try check.probes().first)
    #expect(probe["reason"] as? String == "dialog.rejected")
    #expect(probe["detail"] as? String == #"step 2 (reject "mx"): the peer sent "mx.test ready\r\n""#)
    #expect(probe["captures"] as? [String: String] == ["code": "220"])
  }

  static let files: [(file: String, problem: String)] = [
    ("/nonexistent/d.json", "cannot be read: No such file or directory"),
    ("/tmp", "cannot be read: Is a directory"),
    ("/dev/zero", "the file has more than 1024 KiB: check that it is the right file"),
    (
      "/dev/null",
      #"the file is empty: write a list of steps, such as [{ "expect": "220 " }, { "send": "QUIT\r\n" }]"#
    ),
  ]

  @Test(arguments: files)
  func anUnusableFileIsReported(_ file: String, problem: String) async throws {
    let check = try await Check(["--allow-http", "--dialog", file, "tcp://127.0.0.1:1"])
    #expect(check.code == .badInput)
    #expect(check.errors == "probekit check: --dialog: \"\(file)\": \(problem)\n")
  }

  @Test func allErrorsOfAFileAreReported() async throws {
    let file = try DialogText(
      #"""
      [{"expect": {"matches": "ab(c"}},
       {"send": "s3cret\\q"},
       {"rejct": "y"},
       {"reject": "x"}]
      """#)
    let check = try await Check(["--allow-http", "--dialog", file.path, "tcp://127.0.0.1:1"])
    #expect(check.code == .badInput)
    #expect(check.output.isEmpty)
    #expect(
      check.errors.replacing(file.path, with: "FILE") == #"""
        probekit check: --dialog: FILE:1:30: expect.matches: pattern: missing closing parenthesis: close the group with ), or write \( for the character itself
          [{"expect": {"matches": "ab(c"}},
                                       ^
        probekit check: --dialog: FILE:2:18: send: unknown escape: use \r, \n, \t, \0, \xNN or \u{…}, or \\ for a backslash
        probekit check: --dialog: FILE:3:2: unknown key "rejct": did you mean reject?
           {"rejct": "y"},
           ^
        probekit check: --dialog: FILE:4:13: reject: no expect follows, so it has no effect: move it before an expect
           {"reject": "x"}]
                      ^

        """#)
    let object = try DialogText("{}")
    let other = try await Check(["--allow-http", "--dialog", object.path, "tcp://127.0.0.1:1"])
    #expect(other.code == .badInput)
    #expect(other.errors.contains(":1:1: the dialog must be a list, not a mapping: write its items in lines"))
  }

  @Test func aDialogRequiresATCPOrTLSURL() async throws {
    let onlyTCP = "--dialog is for tcp, tls and udp URLs: omit the option, or probe this URL separately"
    let file = try DialogText(#"[{"expect": "x"}]"#)
    let url = try await Check(["--dialog", file.path, "https://h.test/"])
    #expect(url.code == .usage)
    #expect(
      url.errors
        == "probekit check: --dialog: a dialog requires a tcp, tls or udp URL, and \"https://h.test/\" is another URL: omit the option, or "
        + "probe this URL separately\n")
    let none = try await Check(["--dialog=/nonexistent"])
    #expect(none.code == .usage)
    #expect(
      none.errors == "probekit check: --dialog is for checks with URLs: add a URL, or omit the option\n")
    let line = try await Check(
      ["--format=json", "--dialog", file.path, "-"], input: Array("https://h.test/".utf8))
    #expect(try line.reason() == "request.invalid")
    #expect(try line.probes().first?["detail"] as? String == "line 1: \(onlyTCP)")
  }

  @Test func anExpectedTextMustFitIntoTheMaximumBody() async throws {
    let check = try await check(#"[{"expect": "220 mx.test"}]"#, "--max-body=4")
    #expect(check.code == .usage)
    #expect(
      check.errors.contains(#"step 1: expect: "220 mx.test" does not fit into 4 bytes: increase maxBody"#))
  }
}
