import Foundation
import LoopbackServer
import ProbeTLS
import TestRequirements
import TestSupport
import Testing

/// Judgement: a network's data causes neither a wrong verdict nor a request to a forbidden address.
@Suite struct JudgementAttackTests {
  /// A network in which a portal responds to all plain requests to the usual port, and which blocks all
  /// others.
  private struct Network {
    let portal: LoopbackServer
    let options: String

    /// Where `redirect` redirects a request; it may return a different target each time.
    init(_ redirect: @escaping @Sendable (LoopbackRequest) -> String) throws {
      portal = try LoopbackServer.http { request in
        .response(302, reason: "Found", headers: [("Location", redirect(request))])
      }
      let closed = try LoopbackServer.refusedPort()
      options = "--connect-to :80:127.0.0.1:\(portal.port) --connect-to :443:127.0.0.1:\(closed)"
    }
  }

  private struct Report: Decodable {
    struct Portal: Decodable { var loginURL: String }
    struct Evidence: Decodable { var summary: String }
    struct Probe: Decodable { var reason: String? }
    struct Set: Decodable { var probes: [Probe] }

    var verdict: String
    var portal: Portal?
    var evidence: [Evidence]
    var sets: [Set]?

    init(_ end: Spawned.End) throws {
      self = try JSONDecoder().decode(Report.self, from: Data(end.output.utf8))
    }
  }

  private func check(_ options: String) async throws -> Report {
    try Report(
      try await Spawned("exec \"$0\" check --format=json \(options)").end())
  }

  /// An unusable login host.
  enum LoginHost: CaseIterable {
    case refused, unknown, stalled, garbage, brokenOff, inTrouble

    func server() throws -> LoopbackServer? {
      switch self {
      case .refused, .unknown: nil
      case .stalled: try LoopbackServer { $0.hold() }
      case .inTrouble: try LoopbackServer.http { _ in .response(503, reason: "Service Unavailable") }
      case .garbage:
        try LoopbackServer { connection in
          _ = try connection.readRequest()
          try connection.send([0, 1, 2, 0xFF] + Array("\r\n\r\ngarbage\r\n\r\n".utf8))
        }
      case .brokenOff:
        try LoopbackServer { connection in
          _ = try connection.readRequest()
          try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nwel")
        }
      }
    }
  }

  @Test(arguments: LoginHost.allCases)
  func aPortalIsFoundRegardlessOfItsLoginHost(_ host: LoginHost) async throws {
    let server = try host.server()
    let port = try server?.port ?? LoopbackServer.refusedPort()
    // Some are redirected by one more hop, and no two have the same query.
    let network = try Network { request in
      let name = request.header("Host") ?? ""
      return name == "captive.apple.com" && request.target != "/again"
        ? "http://captive.apple.com/again" : "http://gate.example:\(port)/in?from=\(name)"
    }
    let leading = host == .unknown ? "" : "--connect-to gate.example:\(port):127.0.0.1:\(port)"
    // Only one that stalls is awaited.
    let report = try await withGrowingLimit(
      from: host == .stalled ? .seconds(3) : .seconds(60),
      while: { (report: Report) in report.verdict != "captivePortal" }
    ) { limit in
      try await check("--redirects 2 --timeout \(limit.components.seconds)s \(leading) \(network.options)")
    }
    #expect(report.verdict == "captivePortal")
    #expect(report.portal?.loginURL.hasPrefix("http://gate.example:\(port)/in?from=") == true)
  }

  @Test func aDeadlineThatPassesAtTheLoginHostChangesNothing() async throws {
    let stalled = try LoopbackServer { $0.hold() }
    let network = try Network { _ in "http://gate.example:\(stalled.port)/in" }
    let folder = try TemporaryFolder()
    let leading = "--connect-to gate.example:\(stalled.port):127.0.0.1:\(stalled.port)"
    // A busy machine may need longer to get as far as the login host.
    let report = try await withGrowingLimit(
      from: .seconds(2), while: { (report: Report) in report.verdict != "captivePortal" }
    ) { limit in
      let file = try folder.write(
        "four.yaml",
        """
        version: 1
        name: four
        policy: { https: optional }
        request: { redirects: 1, timeout: 5m }
        run: { deadline: \(limit.components.seconds)s }
        sets: [{ name: all, urls: [http://a.example/, http://b.example/, http://c.example/, http://d.example/] }]
        """)
      let process = try Spawned("exec \"$0\" run --format=json \(leading) \(network.options) '\(file)'")
      return try Report(try await process.end())
    }
    #expect(report.verdict == "captivePortal")
    #expect(report.portal?.loginURL == "http://gate.example:\(stalled.port)/in")
  }

  @Test(arguments: [
    "127.0.0.1", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "0.0.0.0", "localhost", "a.localhost.",
    "[::1]",
    "[::ffff:127.0.0.1]", "169.254.169.254", "[fe80::1]",
  ])
  func loginURLsOfThisMachineOrItsLinkAreOmitted(_ host: String) async throws {
    let network = try Network { _ in "http://\(host):631/login" }
    let report = try await check(network.options)
    #expect(["captivePortal", "intercepted"].contains(report.verdict))
    #expect(report.portal == nil)
    let words = report.evidence.map(\.summary)
    #expect(
      words.contains {
        $0.contains("so it is not given as the login URL") || $0.contains("which is not a valid URL")
      }, "\(words)")
  }

  @Test func aMonitorPassesOnNoAddressOfThisMachine() async throws {
    let network = try Network { _ in "http://127.0.0.1:631/login" }
    let folder = try TemporaryFolder()
    let process = try Spawned(
      """
      exec "$0" monitor --allow-no-route \(network.options) \\
        --on-change 'echo "$PROBEKIT_VERDICT <$PROBEKIT_LOGIN_URL>" >"\(folder.path)/facts"; kill -INT $PPID'
      """)
    let end = try await process.end()
    #expect(readText(folder.path(of: "facts")) == "captivePortal <>\n", "\(end.output)\(end.errors)")
  }

  @Test(arguments: ["", "--redirects 1"])
  func aCaptureFetchesNothingFromThisMachine(_ following: String) async throws {
    let service = try LoopbackServer.http { _ in .response(body: "of this machine alone") }
    let network = try Network { _ in "http://127.0.0.1:\(service.port)/login" }
    let folder = try TemporaryFolder()
    let end = try await Spawned(
      "exec \"$0\" capture --timeout=60s --format=json -o '\(folder.path)/net' \(following) \(network.options)"
    ).end()
    #expect(end.errors == "")
    #expect(end.output.contains("\"captivePortal\""), "\(end.output)")
    #expect(service.connectionCount == 0)
  }

  /// The end of a response inside TLS, whether its length is declared, and the expected result.
  struct Ending: Sendable, CustomTestStringConvertible {
    let name: String
    let response: String
    var notify = true
    let reason: String?

    var testDescription: String { name }
  }

  @Test(arguments: [
    Ending(name: "no notice", response: "\r\n204", notify: false, reason: "body.short"),
    Ending(name: "a notice", response: "\r\n204", reason: nil),
    Ending(name: "a length", response: "Content-Length: 3\r\n\r\n204", notify: false, reason: nil),
    Ending(
      name: "two lengths", response: "Content-Length: 9\r\nContent-Length: 3\r\n\r\n204",
      reason: "http.protocol"),
    Ending(
      name: "2^64 + 3", response: "Content-Length: 18446744073709551619\r\n\r\n204", notify: false,
      reason: "body.short"),
    // No body is as long as that, so it is incomplete (RFC 9112 §8).
    Ending(
      name: "2^64 + 3 and a notice", response: "Content-Length: 18446744073709551619\r\n\r\n204",
      reason: "body.short"),
    Ending(
      name: "chunks", response: "Transfer-Encoding: chunked\r\n\r\n0x3\r\n204\r\n0\r\n\r\n",
      reason: "http.protocol"),
  ])
  func aPossiblyTruncatedResponseIsNotAccepted(_ ending: Ending) async throws {
    let authority = try CertificateAuthority()
    let context = try ServerContext(try authority.issue(LeafOptions(hosts: ["localhost"])))
    let folder = try TemporaryFolder()
    let file = try folder.write("ca.pem", authority.pem)
    let server = try LoopbackServer(tls: context) { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1 200 OK\r\n" + ending.response)
      connection.shutdownWrite(notify: ending.notify)
    }
    let process = try Spawned(
      "exec \"$0\" check --timeout=60s --format=json --cacert '\(file)' --contains 204 https://localhost:\(server.port)/"
    )
    let report = try Report(try await process.end())
    #expect(report.sets?.flatMap(\.probes).map(\.reason) == [ending.reason])
  }

  @Test func aFoldedFirstLineDoesNoHarm() async throws {
    let server = try LoopbackServer { connection in
      let isFolded = try LoopbackRequest(connection.readRequest()).target == "/folded"
      try connection.send(
        "HTTP/1.1 200 OK\r\n\(isFolded ? " folded" : "Server: x")\r\nContent-Length: 2\r\n\r\nok")
    }
    let folder = try TemporaryFolder()
    let urls = Array(repeating: server.url("/whole") + "\n" + server.url("/folded"), count: 30)
    let list = try folder.write("urls", urls.joined(separator: "\n"))
    // Freed memory is overwritten at once.
    for (client, reason) in [("own", nil), ("curl", "http.protocol")] {
      let process = try Spawned(
        "exec \"$0\" check --client \(client) --format=json --timeout 600s --allow-http --all - <'\(list)'",
        environment: ["MALLOC_PERTURB_": "165"])
      let end = try await process.end()
      #expect(end.signal == nil)
      let reasons = try Report(end).sets?.flatMap(\.probes).map(\.reason) ?? []
      #expect(reasons == Array(repeating: [nil, reason], count: 30).flatMap(\.self))
    }
  }

  /// The same with names that resolve to this machine, in an isolated network; the portal is behind it.
  private static let names = #"""
    import http.server, json, os, subprocess, sys, threading
    command, folder = sys.argv[1], sys.argv[2]
    names = {"captive.apple.com": "198.51.100.10", "gate.example": "127.0.0.1", "link.example": "169.254.7.7"}
    replace("/etc/hosts", "".join("%s %s\n" % (address, name) for name, address in names.items()))
    subprocess.run(["ip", "address", "add", "169.254.7.7/32", "dev", "lo"], check=True)
    portal = subprocess.Popen(["unshare", "--net", sys.executable, "-c", '''
    import http.server, sys
    class Portal(http.server.BaseHTTPRequestHandler):
        def log_message(self, *rest): pass
        def do_GET(self):
            self.send_response(302)
            self.send_header("Location", open(sys.argv[1]).read())
            self.end_headers()
    http.server.ThreadingHTTPServer(("", 80), Portal).serve_forever()
    ''', folder + "/target"])
    while os.readlink("/proc/%d/ns/net" % portal.pid) == os.readlink("/proc/self/ns/net"): time.sleep(0.01)
    inside = ["nsenter", "--target", str(portal.pid), "--net", "ip"]
    for words in [["ip", "link", "add", "way", "type", "veth", "peer", "name", "lan", "netns", str(portal.pid)],
        ["ip", "address", "add", "10.77.0.23/24", "dev", "way"], ["ip", "link", "set", "way", "up"],
        [*inside, "address", "add", "10.77.0.1/24", "dev", "lan"], [*inside, "address", "add", "198.51.100.10/32", "dev", "lan"],
        [*inside, "link", "set", "lan", "up"], ["ip", "route", "add", "198.51.100.10", "via", "10.77.0.1"]]:
        subprocess.run(words, check=True)
    while True:
        try: socket.create_connection(("198.51.100.10", 80)).close(); break
        except OSError: time.sleep(0.05)
    asked = []
    class Service(http.server.BaseHTTPRequestHandler):
        def log_message(self, *rest): pass
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"of this machine alone")
    for address in [("127.0.0.1", 631), ("169.254.7.7", 631)]:
        server = http.server.ThreadingHTTPServer(address, Service)
        threading.Thread(target=server.serve_forever, daemon=True).start()
    for host in ["gate.example", "link.example"]:
        for following in ["0", "1"]:
            with open(folder + "/target", "w") as file: file.write("http://%s:631/login" % host)
            out = "%s/%s%s" % (folder, host, following)
            run = subprocess.run([command, "capture", "--timeout=60s", "--format=json", "--redirects", following, "-o", out,
                "http://captive.apple.com/"], capture_output=True, text=True, timeout=600)
            print(json.dumps({"host": host, "errors": run.stderr, "verdict": json.loads(run.stdout)["verdict"],
                "asked": len(asked)}), flush=True)
    portal.kill()
    """#

  private struct Captured: Decodable {
    var host: String
    var errors: String
    var verdict: String
    var asked: Int
  }

  @Test func localAddressesBehindNamesAreNotRequested() async throws {
    let folder = try TemporaryFolder()
    let all: [Captured] = try await OwnNetwork.run(
      Self.names, [try builtProgram("probekit"), folder.path], tools: ["nsenter"])
    #expect(all.map(\.asked) == [0, 0, 0, 0])
    #expect(all.map(\.verdict) == Array(repeating: "captivePortal", count: 4))
    #expect(all.map(\.errors) == ["", "", "", ""])
  }
}
