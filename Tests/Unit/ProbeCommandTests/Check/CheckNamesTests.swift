import Testing
import TestRequirements
import TestSupport

/// Name lookups, and the addresses tried, in an isolated network.
@Suite struct CheckNamesTests {
  /// The script for that network; it prints a line of JSON for each case.
  private static let script = #"""
    import json, sys
    command = sys.argv[1]
    replace("/etc/resolv.conf", "nameserver 127.0.0.1\n")
    replace("/etc/nsswitch.conf", "hosts: files dns\n")
    replace("/etc/hosts", "127.0.0.1 localhost\n127.0.0.1 listed.test\n")

    v4, v6 = [("A", "127.0.0.1")], [("AAAA", "::1")]
    records = {"both": (v4, v6), "only4": (v4, []), "only6": ([], v6), "slow6": (v4, None), "slow4": (None, v6),
        "alias": ([("CNAME", "real.test"), ("A", "127.0.0.1")], [("CNAME", "real.test")]), "half": (v4, 2),
        "many": (v4, [])}
    def answer(name, kind):
        label = name.split(".")[0].rstrip("0123456789") if name.startswith("many") else name.split(".")[0]
        if label == "many": wait_for_others(name)
        return records.get(label, (3, 3))[0 if kind == "A" else 1]
    # The server responds to none of these names before it has this many queries.
    together, asked = 16, threading.Condition()
    names = set()
    def wait_for_others(name):
        with asked:
            names.add(name)
            asked.notify_all()
            asked.wait_for(lambda: len(names) >= together)
    dns = DNS(answer)

    def listen(family, address, port=0):
        listener = socket.socket(family)
        if family == socket.AF_INET6: listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind((address, port))
        listener.listen(1000)
        return listener, listener.getsockname()[1]
    def listen_twice():
        # A port that is free in one family may be taken in the other.
        while True:
            one, port = listen(socket.AF_INET, "127.0.0.1")
            try:
                return one, listen(socket.AF_INET6, "::1", port)[0], port
            except OSError:
                one.close()
    first, port4 = listen(socket.AF_INET, "127.0.0.1")
    second, port6 = listen(socket.AF_INET6, "::1")
    third, fourth, shared = listen_twice()

    def case(name, *urls):
        dns.asked.clear()
        start = time.monotonic()
        process = subprocess.Popen([command, "check", "--format=json", "--allow-http", "--timeout=60s", *urls],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        most = 0
        def look():
            nonlocal most
            while process.poll() is None:
                try: most = max(most, len(os.listdir("/proc/%d/task" % process.pid)))
                except OSError: pass
                time.sleep(0.01)
        watcher = threading.Thread(target=look)
        watcher.start()
        output, _ = process.communicate(timeout=600)
        watcher.join()
        probes = [probe for set in json.loads(output)["sets"] for probe in set["probes"]]
        print(json.dumps({"name": name, "seconds": time.monotonic() - start, "threads": most,
            "outcomes": sorted({probe["reason"] or probe["outcome"] for probe in probes}),
            "addresses": sorted({(probe["remoteAddress"] or "none").rsplit(":", 1)[0] for probe in probes}),
            "asked": dict(dns.asked)}), flush=True)

    case("both", "tcp://both.test:%d" % shared)
    case("second family", "tcp://both.test:%d" % port4)
    case("only4", "tcp://only4.test:%d" % port4)
    case("only6", "tcp://only6.test:%d" % port6)
    case("slow6", "tcp://slow6.test:%d" % port4)
    case("slow4", "tcp://slow4.test:%d" % port6)
    case("half", "tcp://half.test:%d" % port4)
    case("alias", "tcp://alias.test:%d" % port4)
    case("listed", "tcp://listed.test:%d" % port4)
    case("localhost", "tcp://a.localhost:%d" % port4)
    case("unknown", "tcp://unknown.test:1")
    case("refused", "tcp://both.test:1")
    replace("/etc/resolv.conf", "nameserver 127.0.0.9\n")
    case("nobody", "tcp://only4.test:%d" % port4)
    replace("/etc/nsswitch.conf", "hosts: dns files\n")
    case("nobody but the file", "tcp://listed.test:%d" % port4)
    replace("/etc/nsswitch.conf", "hosts: files dns\n")
    replace("/etc/resolv.conf", "search elsewhere.test\noptions ndots:1\nnameserver 127.0.0.1\n")
    records["short"] = (v4, [])
    case("search", "tcp://short:%d" % port4)
    silent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    silent.bind(("127.0.0.10", 53))
    replace("/etc/resolv.conf", "nameserver 127.0.0.10\nnameserver 127.0.0.1\n")
    case("second server", "tcp://only4.test:%d" % port4)
    replace("/etc/resolv.conf", "nameserver 127.0.0.1\n")
    case("many", *["tcp://many%d.test:%d" % (number, port4) for number in range(200)])
    """#

  private struct Case: Decodable {
    var name: String
    var seconds: Double
    var threads: Int
    var outcomes: [String]
    var addresses: [String]
    var asked: [String: Int]
  }

  @Test func bothFamiliesAreQueriedAndTheirAddressesTried() async throws {
    let all: [Case] = try await OwnNetwork.run(Self.script, [try builtProgram("probekit")])
    let cases = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    let accepted = [
      "both", "second family", "only4", "only6", "slow6", "slow4", "half", "alias", "listed", "localhost",
      "nobody but the file",
      "search", "second server", "many",
    ]
    for name in accepted { #expect(cases[name]?.outcomes == ["accepted"], "\(name)") }
    // IPv6 is preferred; IPv4 is used if IPv6 fails or its address does not arrive.
    for name in ["both", "only6", "slow4"] { #expect(cases[name]?.addresses == ["[::1]"], "\(name)") }
    for name in ["second family", "only4", "slow6", "half", "alias", "listed"] {
      #expect(cases[name]?.addresses == ["127.0.0.1"], "\(name)")
    }
    // A family without a response does not delay the other one.
    for name in ["slow6", "slow4"] { #expect(cases[name].map { $0.seconds < 50 } == true) }
    // One query for each family.
    #expect(cases["both"]?.asked == ["both.test": 2])
    // Names in the hosts file, and names of this machine, are not queried.
    #expect(cases["listed"]?.asked == [:])
    #expect(cases["localhost"]?.asked == [:])
    #expect(cases["search"]?.asked["short.elsewhere.test"] == 2)
    #expect(cases["unknown"]?.outcomes == ["dns.noSuchHost"])
    #expect(cases["refused"]?.outcomes == ["connect.refused"])
    #expect(cases["nobody"]?.outcomes == ["dns.failure"])
    // All lookups run at once, or none had a DNS answer; and without a thread for each.
    #expect(cases["many"].map { $0.threads < 32 } == true)
  }

  /// Names of all kinds, each also looked up with getaddrinfo(3) of the C library.
  private static let comparison = #"""
    import json, sys
    command = sys.argv[1]
    here = [("A", "127.0.0.1")]
    records = {"plain.test": here, "under_score.test": here, "xn--bcher-kva.test": here, "short.first.test": here,
        "a.b.second.test": here, "only.test": here, "deep.a.b.c.test": here, "l" * 63 + ".test": here,
        "chain.test": [("CNAME", "one.test"), ("CNAME", "two.test"), ("A", "127.0.0.1")],
        "loop.test": [("CNAME", "loop.test")], "nowhere.test": [("CNAME", "gone.test")],
        "empty.test": [], "servfail.test": 2, "refused.test": 5, "notimp.test": 4, "formerr.test": 1}
    def answer(name, kind):
        found = records.get(name, 3)
        if isinstance(found, int): return found
        return [record for record in found if record[0] in (kind, "CNAME")]
    DNS(answer)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(1000)
    hosts = ["plain.test", "plain.test.", "under_score.test", "xn--bcher-kva.test", "short", "short.", "a.b",
        "only.test", "deep.a.b.c.test", "l" * 63 + ".test", "chain.test", "loop.test", "nowhere.test",
        "empty.test", "servfail.test", "refused.test", "notimp.test", "formerr.test", "unknown.test", "unknown", "localhost",
        "listed.test", "alias-of-listed", "listed.test.", "six.test", "never.onion"]
    words = {socket.EAI_NONAME: "dns.noSuchHost", socket.EAI_NODATA: "dns.noSuchHost", socket.EAI_AGAIN: "dns.failure",
        socket.EAI_FAIL: "dns.failure"}
    ask = "import socket, sys\nfor host in sys.argv[1:]:\n" \
        " try: print('accepted' if socket.getaddrinfo(host.encode(), 1, type=socket.SOCK_STREAM) else 'none')\n" \
        " except socket.gaierror as error: print(error.errno)\n"
    def case(services, resolver, file):
        replace("/etc/nsswitch.conf", "hosts: %s\n" % services)
        replace("/etc/resolv.conf", resolver)
        replace("/etc/hosts", file)
        theirs = subprocess.run([sys.executable, "-c", ask, *hosts], capture_output=True, text=True, check=True).stdout
        theirs = [words.get(int(line), line) if line.lstrip("-").isdigit() else line for line in theirs.split()]
        urls = ["tcp://%s:%d" % (host, listener.getsockname()[1]) for host in hosts]
        run = subprocess.run([command, "check", "--format=json", "--allow-http", "--timeout=60s", *urls], capture_output=True)
        probes = [probe for set in json.loads(run.stdout)["sets"] for probe in set["probes"]]
        ours = [probe["reason"] or probe["outcome"] for probe in probes]
        print(json.dumps({"setUp": [services, resolver, file], "count": len(ours),
            "differences": [(host, a, b) for host, a, b in zip(hosts, ours, theirs, strict=True) if a != b]}), flush=True)
    server = "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n"
    file = "127.0.0.1 localhost\n127.0.0.1 Listed.test alias-of-listed # not.this\n::1 six.test\n127.0.0.1 six.test\n"
    case("files dns", server, file)
    case("dns files", server, file)
    case("files", server, file)
    case("dns", server, "")
    case("files dns", "search first.test second.test\n" + server, file)
    case("files dns", "search first.test\noptions ndots:3\n" + server, file)
    case("files [NOTFOUND=return] dns", server, file)
    case("files myhostname dns", server, file)
    case("dns [!UNAVAIL=return] files", server, file)
    case("files dns", "nameserver 127.0.0.9\noptions timeout:1 attempts:1\n", file)
    """#

  private struct Comparison: Decodable {
    var setUp: [String]
    var count: Int
    /// The name, our result, and that of the C library.
    var differences: [[String]]
  }

  /// The deliberate differences from the C library.
  private static let reasoned: Set<[String]> = [
    // A server that cannot parse the query says nothing about the name.
    ["formerr.test", "dns.failure", "dns.noSuchHost"],
    // With `dns files`, the C library reports that the file lacks the name; the server failure says more.
    ["servfail.test", "dns.failure", "dns.noSuchHost"],
    ["refused.test", "dns.failure", "dns.noSuchHost"],
    ["notimp.test", "dns.failure", "dns.noSuchHost"],
    // RFC 6761 §6.3: the name denotes this machine, even without a hosts file.
    ["localhost", "accepted", "dns.noSuchHost"],
    // RFC 7686 §2: no server is queried, whether one is available or not.
    ["never.onion", "dns.noSuchHost", "dns.failure"],
  ]

  @Test func namesResolveAsInTheCLibrary() async throws {
    let all: [Comparison] = try await OwnNetwork.run(Self.comparison, [try builtProgram("probekit")])
    #expect(all.count == 10)
    for comparison in all {
      #expect(comparison.count == 26)
      let others = comparison.differences.filter { !Self.reasoned.contains($0) }
      #expect(others == [], "\(comparison.setUp)")
    }
  }

  /// A monitor runs while the machine's DNS server changes, as with each new network.
  private static let change = #"""
    import json, sys
    command, folder = sys.argv[1:]
    DNS(lambda name, kind: [("A", "127.0.0.1")] if kind == "A" else [])
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(1000)
    replace("/etc/nsswitch.conf", "hosts: files dns\n")
    replace("/etc/hosts", "")
    replace("/etc/resolv.conf", "nameserver 127.0.0.9\noptions timeout:1 attempts:1\n")
    file = folder + "/name.yaml"
    with open(file, "w") as pipeline:
        pipeline.write("version: 1\nname: names\nquestion: services\npolicy: { https: optional }\nsets:\n  - name: one\n"
            "    urls: ['tcp://server.test:%d']\n" % listener.getsockname()[1])
    monitor = subprocess.Popen([command, "monitor", "--format=ndjson", "--verbose", "--interval=100ms", "--jitter=0%",
        "--fall=1", "--allow-no-route", file], stdout=subprocess.PIPE, text=True)
    verdicts = []
    end = time.monotonic() + 600
    for line in monitor.stdout:
        verdict = json.loads(line).get("verdict")
        if verdict and verdicts[-1:] != [verdict]: verdicts.append(verdict)
        if verdicts == ["unhealthy"]: replace("/etc/resolv.conf", "nameserver 127.0.0.1\n")
        if verdicts[-1:] == ["healthy"] or time.monotonic() > end: break
    monitor.terminate()
    monitor.communicate(timeout=600)
    print(json.dumps({"verdicts": verdicts, "code": monitor.returncode}), flush=True)
    """#

  private struct Change: Decodable {
    var verdicts: [String]
    var code: Int
  }

  @Test func aMonitorQueriesTheNewDNSServer() async throws {
    let folder = try TemporaryFolder()
    let all: [Change] = try await OwnNetwork.run(
      Self.change, [try builtProgram("probekit"), folder.path])
    #expect(all.first?.verdicts == ["unhealthy", "healthy"])
    #expect(all.first?.code == 0)
  }
}
