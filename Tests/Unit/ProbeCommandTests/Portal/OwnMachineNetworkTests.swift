import Testing
import TestRequirements
import TestSupport

/// Names that lead to this machine itself, and link-local addresses, in isolated networks: one is the machine, the
/// other a server behind it.
@Suite struct OwnMachineNetworkTests {
  /// The script, which runs as the machine; it prints a line of JSON for each case.
  private static let script = #"""
    import json, sys
    command = sys.argv[1]
    server = subprocess.Popen(["unshare", "--net", sys.executable, "-c", "import sys; exec(sys.stdin.read())"],
        stdin=subprocess.PIPE, text=True)
    def run(*words): subprocess.run(words, check=True)
    def inside(words): run("nsenter", "--target", str(server.pid), "--net", "ip", *words.split())
    while os.readlink("/proc/%d/ns/net" % server.pid) == os.readlink("/proc/self/ns/net"): time.sleep(0.01)
    # An address that is still being verified cannot be a source.
    for name in ["default", "all"]:
        with open("/proc/sys/net/ipv6/conf/%s/accept_dad" % name, "w") as file: file.write("0")
    run("ip", "link", "add", "way", "type", "veth", "peer", "name", "lan", "netns", str(server.pid))
    # The second address of a subnet is never the source of a connection; the local route is for a whole block.
    for address in ["10.77.0.23/24", "10.77.0.24/24", "203.0.113.9/32", "fd77::23/64", "2001:db8:77::9/128"]:
        run("ip", "address", "add", address, "dev", "way", *["nodad"][: ":" in address])
    for block in ["203.0.113.64/28", "2001:db8:78::/64"]: run("ip", "route", "add", "local", block, "dev", "lo")
    run("ip", "link", "set", "way", "up")
    for address in ["198.51.100.7/32", "10.77.0.1/24", "fe80::7/64"]:
        inside("address add %s dev lan%s" % (address, " nodad" if ":" in address else ""))
    inside("link set lan up")
    run("ip", "route", "add", "198.51.100.7", "via", "10.77.0.1")
    code = '''
    import http.server, socket, sys
    class Dual(http.server.ThreadingHTTPServer):
        address_family = socket.AF_INET6
    def serve(body):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def log_message(self, *words): pass
        Dual(("::", 80), Handler).serve_forever()
    '''
    server.stdin.write(code + "serve(b'ok')\n")
    server.stdin.close()
    page = b"<title>Home</title><form method=post action=/login><input type=password name=p><button>Log in</button></form>"
    exec(code)
    threading.Thread(target=serve, args=(page,), daemon=True).start()
    def wait_for(address):
        while True:
            try: return socket.create_connection((address, 80)).close()
            except OSError: time.sleep(0.05)
    wait_for("198.51.100.7")
    wait_for("127.0.0.1")
    replace("/etc/nsswitch.conf", "hosts: files\n")
    places = {"zero": "0.0.0.0", "loopback": "127.0.0.1", "lan": "10.77.0.23", "loopback6": "::1", "lan6": "fd77::23",
        "any6": "::", "open1": "198.51.100.7", "open2": "198.51.100.7", "second": "10.77.0.24", "public": "203.0.113.9",
        "block": "203.0.113.70", "public6": "2001:db8:77::9", "block6": "2001:db8:78::5", "mapped6": "::ffff:10.77.0.24"}
    replace("/etc/hosts", "127.0.0.1 localhost\n" + "".join(
        "%s www.%s.example\n" % (address, name) for name, address in places.items()))

    def case(name, *words):
        done = subprocess.run([command, *words, "--format=json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try: report = json.loads(done.stdout)
        except ValueError: return print(json.dumps(dict(name=name, errors=done.stderr)), flush=True)
        print(json.dumps(dict(name=name, verdict=report["verdict"], portal=report["portal"] is not None,
            reasons=sorted({probe["reason"] or "" for set in report["sets"] for probe in set["probes"]}),
            own=[len(fact["probes"]) for fact in report["evidence"] if fact["kind"] == "answeredByThisMachine"],
            details=[probe["detail"] for set in report["sets"] for probe in set["probes"]])), flush=True)
    folder = os.path.dirname(__file__)
    forms = {"http": "http://%s/", "https": "https://%s/", "tcp": "tcp://%s:443", "tls": "tls://%s:443",
        "dns": "dns://%s/a.example", "icmp": "icmp://%s", "udp": "udp://%s:443"}
    def network(name, client, hosts, *schemes):
        path = "%s/%s-%s.yaml" % (folder, name.replace(" ", "-"), client)
        with open(path, "w") as file:
            json.dump({"version": 1, "name": name, "policy": {"https": "optional"}, "request": {"client": client, **({"dialog": [{"send": "a"}, {"expect": "b"}]} if "udp" in schemes else {})},
                "sets": [{"name": "http", "threshold": "50%", "validate": {"equals": "ok"},
                    "urls": [forms[scheme] % ("www.%s.example" % host) for scheme in schemes or ["http"] for host in hosts]}]},
                file)
        case("%s, %s" % (name, client), "run", path)
    for client in ["own", "curl"]:
        network("open", client, ["zero", "lan", "open1", "open2"])
        network("own", client, ["zero", "loopback", "lan", "loopback6", "lan6", "any6"])
        here = [host for host in places if "open" not in host]
        network("own, all", client, here, "http", "https")
        network("own, closed", client, here, "https")
        network("own, other transports", client, here, "tcp", "tls", "dns", "icmp")
        network("own, udp", client, here, "udp")
        network("own beside open", client, ["second", "public6", "open1", "open2"], "http")
        check = ["check", "--allow-http", "--client", client]
        case("named, " + client, *check, "--contains", "Home", "http://127.0.0.1/", "http://localhost/", "http://[::1]/",
            "http://10.77.0.23/", "http://www.zero.example/")
        case("link, " + client, *check, "http://[fe80::7]/")
        case("link and interface, " + client, *check, "--interface", "way", "http://[fe80::7]/")
    server.kill()
    """#

  private struct Case: Decodable {
    var name: String
    var errors: String?
    var verdict: String?
    var portal: Bool?
    var reasons: [String]?
    var own: [Int]?
    var details: [String?]?
  }

  @Test func namesOfThisMachineAndLinkLocalAddresses() async throws {
    let run: [Case] = try await OwnNetwork.run(
      Self.script, [try builtProgram("probekit")], tools: ["nsenter"])
    let cases = Dictionary(run.map { ($0.name, $0) }) { first, _ in first }
    for client in ["own", "curl"] {
      let open = try #require(cases["open, \(client)"])
      #expect(open.verdict == "online" && open.portal == false && open.own == [2], "\(open)")
      let own = try #require(cases["own, \(client)"])
      #expect(own.verdict == "inconclusive" && own.portal == false && own.own == [6], "\(own)")
      for (name, count) in [("all", 24), ("closed", 12), ("other transports", 48), ("udp", 12)] {
        let own = try #require(cases["own, \(name), \(client)"])
        #expect(own.verdict == "inconclusive" && own.own == [count], "\(own)")
        #expect(own.reasons == ["address.own"], "\(own)")
      }
      let beside = try #require(cases["own beside open, \(client)"])
      #expect(beside.verdict == "online" && beside.own == [2], "\(beside)")
      let named = try #require(cases["named, \(client)"])
      #expect(named.verdict == "healthy" && named.own == [], "\(named)")
      let link = try #require(cases["link, \(client)"])
      #expect(link.details?.first??.contains("interface") == true, "\(link)")
      let through = try #require(cases["link and interface, \(client)"])
      #expect(through.verdict == "healthy", "\(through)")
    }
  }
}
