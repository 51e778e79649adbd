import BundledPlugins
import LoopbackServer
import ProbeCommand
import ProbeCore
import TestSupport
import Testing
@testable import CommandKit
@testable import ProbeSystem

/// The options that have the same meaning as in curl.
@Suite struct CheckCurlTests {
  private static func request(
    _ arguments: [String], input: String = ""
  ) async throws -> (request: LoopbackRequest, check: Check) {
    let server = try LoopbackServer.http { _ in .response() }
    let check = try await Check(
      ["--allow-http", "--color=always"] + arguments + [server.url()], input: Array(input.utf8))
    return (LoopbackRequest(try #require(server.requests.first)), check)
  }

  @Test func contentMethodAndHeaderFieldsAreSent() async throws {
    let file = try TemporaryFile("c=3\r\nd=\u{0}4\n")
    let (form, check) = try await Self.request(
      ["-da=1", "-d", "@-", "--data", "@\(file.path)"], input: "b=2\n")
    #expect(check.code == .success)
    #expect(form.method == "POST")
    #expect(form.header("Content-Type") == "application/x-www-form-urlencoded")
    #expect(String(decoding: form.body, as: UTF8.self) == "a=1&b=2&c=3d=4")
    let other = try await Self.request(
      ["-d{}", "-XPUT", "-H", "content-type: application/json", "-A", "curl/8"]
    ).request
    #expect(other.method == "PUT")
    #expect(other.header("Content-Type") == "application/json")
    #expect(other.header("User-Agent") == "curl/8")
    #expect(try await Self.request(["--request", "HEAD"]).request.method == "HEAD")
  }

  @Test(arguments: [["-s"], ["--quiet"], ["--silent"], ["-4s"], ["-sm2.5"], ["-sv"]])
  func aQuietCheckWritesNothingToStandardOutput(_ arguments: [String]) async throws {
    let (_, check) = try await Self.request(arguments)
    #expect(check.code == .success)
    #expect(check.output == "")
    #expect(check.errors.isEmpty != arguments.contains("-sv"))
  }

  @Test func aQuietCheckStillWritesItsFile() async throws {
    let folder = try TemporaryFolder()
    let (_, check) = try await Self.request(["-so", "\(folder.path)/report.txt"])
    #expect(check.output == "")
    let report = readText("\(folder.path)/report.txt")
    #expect(report.hasPrefix("healthy\n"), "without colour: it is no terminal")
  }

  @Test func redirectsAreFollowed() async throws {
    let server = try LoopbackServer.http { request in
      request.target == "/in"
        ? .response() : .response(302, headers: [("Location", "/in")])
    }
    let base = ["--allow-http", "--status=2xx", server.url("/")]
    #expect(try await Check(base).code != .success)
    for option in [["-L"], ["--location"], ["--max-redirs=1"], ["--redirects=1", "-L"]] {
      #expect(try await Check(option + base).code == .success, "\(option)")
    }
    for option in [["-L", "--redirects=0"], ["--redirects=0", "-L"]] {
      #expect(try await Check(option + base).code != .success, "\(option)")
    }
  }

  /// As with `curl -L`, the last response is judged, and the cookies of the redirects are sent with its request.
  @Test func theLastResponseIsJudged() async throws {
    let server = try LoopbackServer.http { request in
      switch request.target {
      case "/in":
        return .response(
          request.header("Cookie") == "session=0123456789" ? 200 : 403, body: "welcome 0123456789")
      case "/missing": return .response(302, headers: [("Location", "/nowhere")])
      case "/two": return .response(302, headers: [("Location", "/in"), ("Location", "/nowhere")])
      case "/nowhere": return .response(404)
      default:
        return .response(302, headers: [("Location", "/in"), ("Set-Cookie", "session=0123456789; Path=/")])
      }
    }
    func code(_ arguments: String...) async throws -> ExitCode {
      try await Check(["--allow-http"] + arguments).code
    }
    for option in ["-L", "--redirects=1"] {
      #expect(try await code(option, server.url("/")) == .success)
      #expect(try await code(option, "--contains=welcome", server.url("/")) == .success)
      #expect(try await code(option, "--latency-below=600s", server.url("/")) == .success)
      #expect(try await code(option, server.url("/missing")) != .success)
      #expect(try await code(option, server.url("/two")) != .success)
    }
    #expect(try await code(server.url("/")) != .success)
    #expect(try await code("-L", "--redirects=0", server.url("/")) != .success)
    // A portal redirects to a page, too.
    #expect(try await code("-L", "--question=internet", server.url("/")) != .success)
    // Other kinds of URLs have no status.
    #expect(try await code("-L", server.url("/"), "tcp://127.0.0.1:\(server.port)") == .success)
    // What was sent as a cookie is not shown.
    let check = try await Check(["--allow-http", "-L", "--contains=other", server.url("/")])
    #expect(check.code != .success)
    #expect(!check.output.contains("0123456789"), "\(check.output)")
  }

  /// The cookies of a network are no secrets of its user, and its login URL often has the same value.
  @Test func theLoginURLIsWhole() async throws {
    let server = try LoopbackServer.http { request in
      guard !request.target.hasPrefix("/login") else {
        return .response(body: "<form method=post><input type=password name=p><button>Log in</button></form>")
      }
      let target = "http://portal.example/login?sid=0123456789abcdef"
      return .response(302, headers: [("Location", target), ("Set-Cookie", "sid=0123456789abcdef")])
    }
    let check = try await Check([
      "--allow-http", "-L", "--question=internet", "--connect-to=::127.0.0.1:\(server.port)",
      "http://one.example/", "http://two.example/",
    ])
    #expect(check.output.contains("http://portal.example/login?sid=0123456789abcdef"), "\(check.output)")
  }

  @Test func aProxyWithoutASchemeUsesHTTP() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let check = try await Check(["--allow-http", "-x", "127.0.0.1:\(server.port)", "http://h.test/"])
    #expect(check.code == .success)
    #expect(server.requests.map { LoopbackRequest($0).target } == ["http://h.test/"])
  }

  static let mistakes: [(arguments: [String], errors: [String])] = [
    (["-4", "-6"], ["-4 and -6 cannot be combined: keep one of them"]),
    (["-46"], ["-4 and -6 cannot be combined: keep one of them"]),
    (["-4", "--family=v4"], ["--family and -4 cannot be combined: keep one of them"]),
    (["-d", "@-", "-"], ["standard input is named twice: use - or --data @- once"]),
    (["-d@-", "-d@-"], ["standard input is named twice: use - or --data @- once"]),
    (["-X", "B D"], ["--request: \"B D\" is not a request method: use one such as GET or HEAD"]),
    (
      ["-d", "x", "tcp://h.test:1"],
      [
        "--data: only http and https requests have content, and \"tcp://h.test:1\" is another URL: use --dialog, or probe this "
          + "URL on its own"
      ]
    ),
    (
      ["-sk"],
      [
        "unknown option -k: certificates are always verified, because an unverified response says nothing about the "
          + "network; to trust your own certificate authority, use --cacert FILE"
      ]
    ),
    (
      ["-insecure"],
      [
        "unknown option -insecure: certificates are always verified, because an unverified response says nothing "
          + "about the network; to trust your own certificate authority, use --cacert FILE"
      ]
    ),
    (["-I"], ["unknown option -I: use -X HEAD"]),
    (["-b", "x=y"], ["unknown option -b: use -H 'Cookie: NAME=VALUE'"]),
    (["-bx=y"], ["unknown option -b: use -H 'Cookie: NAME=VALUE'"]),
    (["-u", "me:s3cret"], ["unknown option -u: use --basic USER:env:NAME or --basic USER:file:PATH"]),
    (["-sS"], ["unknown option -S: omit it; errors are always shown"]),
    (["-verbose"], ["unknown option -verbose: did you mean --verbose?"]),
    (["--loction"], ["unknown option --loction: did you mean --location?"]),
    (["--max-tim", "x"], ["unknown option --max-tim: did you mean --max-time?"]),
    (["--color=yes"], ["--color: \"yes\" is not a choice: use auto, always or never"]),
    (["--color"], ["--color: the value is missing: write --color auto|always|never"]),
  ]

  @Test(arguments: mistakes)
  func anErrorNamesTheRemedy(_ arguments: [String], _ errors: [String]) async throws {
    let check = try await Check(["--allow-http", "http://h.test/"] + arguments)
    #expect(check.code == .usage)
    #expect(check.errors == errors.map { "probekit check: \($0)\n" }.joined())
  }

  @Test func contentOptionsRequireAURL() async throws {
    let check = try await Check(["-d", "x", "-X", "GET"])
    #expect(
      check.errors == """
        probekit check: --request is for checks with URLs: add a URL, or omit the option
        probekit check: --data is for checks with URLs: add a URL, or omit the option

        """)
    let unreadable = try await Check(["-d", "@/nonexistent", "https://h.test/"])
    #expect(unreadable.code == .badInput)
    #expect(
      unreadable.errors
        == "probekit check: --data: \"/nonexistent\": cannot be read: No such file or directory\n")
  }

  @Test func curlOptionsAreExplainedOnlyIfTheRemedyApplies() async throws {
    let (output, errors) = (MemoryOutput(), MemoryOutput())
    let code = await CommandLineTool(plugins: try .bundled).run(
      arguments: ["run", "-I", "-k", "x.yaml"].map { Array($0.utf8) }, output: output.sink(),
      errors: errors.sink())
    #expect(code == .usage)
    #expect(
      errors.text == """
        probekit run: unknown option -I: see probekit run --help
        probekit run: unknown option -k: certificates are always verified, because an unverified response says \
        nothing about the network; to trust your own certificate authority, use --cacert FILE

        """)
  }
}
