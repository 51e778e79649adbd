import Testing
import TestRequirements
import TestSupport

/// Failing DNS lookups, in an isolated network with a scripted resolver and no route to a real one.
@Suite struct CheckResolverTests {
  /// The script for that network; it prints a line of JSON for each case.
  private static let script = #"""
    import http.server, json, sys
    command = sys.argv[1]
    def use(address, options=""): replace("/etc/resolv.conf", "nameserver %s\n%s" % (address, options))
    use("127.0.0.1")

    DNS(lambda name, kind: {"unknown.test": 3, "broken.test": 2, "silent.test": None}.get(name, []))

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self): self.send_response(204); self.end_headers()
        def log_message(self, *rest): pass
    server = http.server.HTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = "http://127.0.0.1:%d/" % server.server_port

    def case(name, *arguments, limit=60):
        start = time.monotonic()
        run = subprocess.run([command, "check", "--format=json", "--allow-http", "--timeout=%ds" % limit, *arguments],
            capture_output=True, timeout=600)
        probes = [probe for set in json.loads(run.stdout)["sets"] for probe in set["probes"]]
        outcomes = [probe["reason"] or probe["outcome"] for probe in probes]
        # A busy machine may need longer for the response that does arrive.
        if "timeout.resolve" in outcomes and "accepted" not in outcomes and limit < 60:
            return case(name, *arguments, limit=3 * limit)
        print(json.dumps({"name": name, "code": run.returncode, "seconds": time.monotonic() - start,
            "outcomes": outcomes}), flush=True)

    case("unknown", "http://unknown.test/")
    case("empty", "http://empty.test/")
    case("broken", "http://broken.test/")
    use("127.0.0.1", "options timeout:30 attempts:5\n")
    case("silent", "http://silent.test/", address, "tcp://silent.test:1", limit=1)
    use("127.0.0.9")
    case("nobody", "http://unknown.test/", address)
    for path in ["/etc/ssl", "/etc/pki"]:
        if os.path.isdir(path): subprocess.run(["mount", "-t", "tmpfs", "none", path], check=True)
    case("no store", "https://127.0.0.1:1/")
    """#

  private struct Case: Decodable {
    var name: String
    var code: Int
    var seconds: Double
    var outcomes: [String]
  }

  @Test func failedLookupsAreReportedWithTheirReasons() async throws {
    let all: [Case] = try await OwnNetwork.run(Self.script, [try builtProgram("probekit")])
    let cases = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    #expect(cases["unknown"]?.outcomes == ["dns.noSuchHost"])
    #expect(cases["empty"]?.outcomes == ["dns.noSuchHost"])
    #expect(cases["broken"]?.outcomes == ["dns.failure"])
    #expect(cases["nobody"]?.outcomes == ["dns.failure", "accepted"])
    #expect(cases["silent"]?.outcomes == ["timeout.resolve", "accepted", "timeout.resolve"])
    // The resolver itself would wait for minutes.
    #expect(cases["silent"].map { $0.seconds < 100 } == true)
    #expect(cases["no store"]?.outcomes == ["local.trustStore"])
    #expect(cases["no store"]?.code == 69)
  }
}
