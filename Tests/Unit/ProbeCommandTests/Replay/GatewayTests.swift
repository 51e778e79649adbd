import Foundation
import TestRequirements
import TestSupport
import Testing

/// `probekit replay --gateway` with a third-party DHCP client behind it, in isolated network namespaces.
@Suite struct GatewayTests {
  /// The script, which runs as the gateway's machine; the client is an inner namespace.
  ///
  /// It prints a line of JSON for each observation.
  private static let script = #"""
    import json, os, signal, subprocess, sys, time
    command, fixture, scene = sys.argv[1:]
    def run(*words, **options):
        return subprocess.run(words, capture_output=True, text=True, timeout=600, **options)
    def say(name, **facts): print(json.dumps(dict(name=name, facts={key: str(value) for key, value in facts.items()})), flush=True)
    # dnsmasq gives up its rights, for which a user namespace has no other users.
    if open("/proc/self/uid_map").read().split()[2] != "4294967295":
        print("dnsmasq needs root outside of user namespaces"); sys.exit(75)
    client = subprocess.Popen(["unshare", "--net", "sleep", "1200"])
    enter = ["nsenter", "--target", str(client.pid), "--net"]
    while os.readlink("/proc/%d/ns/net" % client.pid) == os.readlink("/proc/self/ns/net"): pass
    run("ip", "link", "add", "lan", "type", "veth", "peer", "name", "way", "netns", str(client.pid))
    run(*enter, "ip", "link", "set", "way", "up")

    def servers(): return [one for one in os.listdir("/proc") if one.isdigit() and "dnsmasq" in commands(one)]
    def commands(number):
        try: own = os.readlink("/proc/%s/ns/net" % number) == os.readlink("/proc/self/ns/net")
        except OSError: return ""
        try: return open("/proc/%s/comm" % number).read() if own else ""
        except OSError: return ""
    def state():
        link = json.loads(run("ip", "-json", "address", "show", "dev", "lan").stdout)[0]
        return dict(addresses=[one["local"] for one in link["addr_info"] if one["family"] == "inet"],
            up="UP" in link["flags"], tables=run("nft", "list", "tables").stdout.strip(), servers=len(servers()))
    def start(*options, **settings):
        server = subprocess.Popen([command, "replay", "--format=json", "--gateway", "lan", *options, fixture],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **settings)
        return server, server.stdout.readline()
    def end(server, number):
        server.send_signal(number)
        errors = server.communicate(timeout=600)[1]
        return server.returncode, errors
    def clean():
        "Waits until nothing is left, for at most ten minutes."
        until = time.monotonic() + 600
        while time.monotonic() < until and any(state()[key] for key in ("addresses", "servers", "tables", "up")): time.sleep(0.05)
        return state()

    if scene == "client":
        # Not the address that the server listens on.
        run("ip", "address", "add", "169.254.9.9/32", "dev", "lan")
        say("before", **state())
        server, line = start()
        say("announced", line=line)
        leased = __file__ + ".lease"
        script = __file__ + ".sh"
        with open(script, "w") as file:
            file.write('#!/bin/sh\n[ "$1" = bound ] && env >"%s"\nexit 0\n' % leased)
        os.chmod(script, 0o755)
        run(*enter, "udhcpc", "-i", "way", "-n", "-t", "20", "-q", "-f", "-O", "114", "-s", script)
        lease = dict(line.rstrip("\n").split("=", 1) for line in open(leased) if "=" in line)
        say("lease", **{key: value for key, value in lease.items() if key in ("ip", "router", "dns", "mask", "opt114")})
        run(*enter, "ip", "address", "add", lease["ip"] + "/" + lease["mask"], "dev", "way")
        run(*enter, "ip", "route", "add", "default", "via", lease["router"])
        replace("/etc/resolv.conf", "nameserver %s\n" % lease["dns"])
        def curl(*words): return run(*enter, "curl", "--silent", "--show-error", "--max-time", "60", *words)
        say("portal", text=curl("--output", "/dev/null", "--write-out", "%{http_code} %{redirect_url}", "http://shop.example/health").stdout)
        say("address", text=curl("--output", "/dev/null", "--write-out", "%{http_code}", "http://8.8.8.8/").stdout)
        say("port", text=curl("--output", "/dev/null", "--write-out", "%{http_code}", "http://login.hotel.example:8080/welcome").stdout)
        say("ping", code=run(*enter, "ping", "-c", "1", "-W", "60", "8.8.4.4").returncode)
        say("check", code=run(*enter, command, "check", "--timeout=60s").returncode)
        say("ended", code=end(server, signal.SIGTERM)[0], **state())
    elif scene == "own":
        # The machine's own services, on every address of both families.
        import socketserver
        if not os.path.exists("/proc/sys/net/ipv6"):
            print("this machine has no IPv6"); sys.exit(75)
        # Otherwise only some of the datagrams would be answered with errors.
        for path in ("ipv4/icmp_ratelimit", "ipv6/icmp/ratelimit"):
            with open("/proc/sys/net/" + path, "w") as file: file.write("0")
        class Both(socketserver.ThreadingTCPServer):
            address_family, allow_reuse_address, daemon_threads = socket.AF_INET6, True, True
        class Own(socketserver.BaseRequestHandler):
            def handle(self): self.request.sendall(b"own")
        class Datagrams(socketserver.ThreadingUDPServer):
            address_family, allow_reuse_address, daemon_threads = socket.AF_INET6, True, True
        class Echo(socketserver.BaseRequestHandler):
            def handle(self): self.request[1].sendto(b"own", self.client_address)
        for kind, handler in ((Both, Own), (Datagrams, Echo)):
            for port in (53, 80, 8123): threading.Thread(target=kind(("::", port), handler).serve_forever, daemon=True).start()
        asking = r'''
    import json, socket, sys
    found = {}
    query = b"\0\1\1\0\0\1\0\0\0\0\0\0\1a\0\0\1\0\1"
    for host in sys.argv[1:]:
        for kind, name in ((socket.SOCK_STREAM, "tcp"), (socket.SOCK_DGRAM, "udp")):
            for port in (53, 80, 8123):
                text = query if port == 53 else b"GET / HTTP/1.0\r\n\r\n"
                if port == 53 and name == "tcp": text = len(query).to_bytes(2, "big") + query
                one = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, kind)
                one.settimeout(600)
                try:
                    one.connect((host, port))
                    one.sendall(text)
                    answer = "own" if one.recv(100) == b"own" else "other"
                except OSError as error: answer = type(error).__name__
                found.setdefault(host + " " + name, []).append(answer)
    print(json.dumps(found))
    '''
        def ask(inside, *hosts):
            done = run(*inside, sys.executable, "-c", asking, *hosts)
            return json.loads(done.stdout or json.dumps(dict(errors=done.stderr)))
        say("before", **ask([], "::1", "127.0.0.1"))
        run("ip", "-6", "address", "add", "fd77::1/64", "dev", "lan", "nodad")
        run("ip", "-6", "address", "add", "fd78::1/64", "dev", "lo", "nodad")
        run("ip", "address", "add", "192.0.2.99/32", "dev", "lo")
        server, line = start()
        run(*enter, "ip", "link", "set", "lo", "up")
        run(*enter, "ip", "address", "add", "10.97.0.7/24", "dev", "way")
        run(*enter, "ip", "route", "add", "default", "via", "10.97.0.1")
        run(*enter, "ip", "-6", "address", "add", "fd77::2/64", "dev", "way", "nodad")
        run(*enter, "ip", "-6", "route", "add", "default", "via", "fd77::1")
        say("behind", **ask(enter, "10.97.0.1", "192.0.2.99", "fd77::1", "fd78::1", "2001:db8::1"))
        say("ping", code=run(*enter, "ping", "-6", "-c", "1", "-W", "1", "fd77::1").returncode)
        say("ended", code=end(server, signal.SIGTERM)[0])
    elif scene == "killed":
        server, line = start("--gateway-network", "10.7.7.1/24")
        say("during", **state())
        end(server, signal.SIGKILL)
        say("after", **clean())
        # It is as if nothing had been.
        server, line = start("--gateway-network", "10.7.7.1/24")
        say("again", line=line)
        say("ended", code=end(server, signal.SIGINT)[0], **state())
    elif scene == "half":
        # The address and the redirection are there when dnsmasq finds its port in use.
        other = subprocess.Popen([sys.executable, "-c", "import socket, time; one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM);"
            "one.bind(('', 67)); print('bound', flush=True); time.sleep(1200)"], stdout=subprocess.PIPE, text=True)
        other.stdout.readline()
        server, line = start()
        errors = server.communicate(timeout=600)[1]
        say("failed", code=server.returncode, line=line, errors=errors, **state())
        other.kill()
    elif scene == "left":
        tools = __file__ + ".tools"
        os.mkdir(tools)
        real = run("sh", "-c", "PATH=$PATH:/usr/sbin:/sbin command -v ip").stdout.strip()
        with open(tools + "/ip", "w") as file:
            file.write('#!/bin/sh\n[ "$1 $2" = "address delete" ] && exit 2\nexec %s "$@"\n' % real)
        os.chmod(tools + "/ip", 0o755)
        server, line = start(env=dict(os.environ, PATH=tools + ":" + os.environ["PATH"]))
        code, errors = end(server, signal.SIGTERM)
        say("ended", code=code, errors=errors, **state())
    elif scene == "wrong":
        run("ip", "link", "add", "up0", "type", "veth", "peer", "name", "up1")
        run("ip", "address", "add", "10.5.5.2/24", "dev", "up0")
        run("ip", "link", "set", "up0", "up")
        run("ip", "route", "add", "default", "via", "10.5.5.1", "dev", "up0")
        run("ip", "link", "add", "six0", "type", "veth", "peer", "name", "six1")
        run("ip", "address", "add", "2001:db8::2/64", "dev", "six0", "nodad")
        run("ip", "link", "set", "six0", "up")
        run("ip", "-6", "route", "add", "default", "via", "2001:db8::1", "dev", "six0")
        for options in (["lan0"], ["lo"], ["up0"], ["six0"], ["lan", "--gateway-network", "10.5.5.77/24"],
            ["lan", "--gateway-network", "192.0.2.1/24"]):
            done = run(command, "replay", fixture, "--gateway", *options)
            say(" ".join(options), code=done.returncode, errors=done.stderr)
        say("after", **state())
    client.kill()
    """#

  private struct Step: Decodable {
    var name: String
    var facts: [String: String]
  }

  /// The observations of a scene by their names.
  private func play(_ scene: String, tools: [String] = []) async throws -> [String: [String: String]] {
    let fixture = try TemporaryFolder(["fixture.yaml": Self.fixture])
    let steps: [Step] = try await OwnNetwork.run(
      Self.script, [try builtProgram("probekit"), fixture.path, scene],
      tools: ["nsenter", "nft", "dnsmasq"] + tools)
    return Dictionary(steps.map { ($0.name, $0.facts) }) { _, last in last }
  }

  private static let fixture = """
    version: 1
    name: lobby
    source: { kind: synthetic, reference: a portal for a test }
    capport: https://api.hotel.example/capport,v1
    routes:
      - when: { host: 192.0.2.7 }
        respond: { status: 204 }
      - when: { host: login.hotel.example }
        respond: { status: 200, headers: ["Content-Type: text/html"], body: fixture.yaml }
      - respond: { status: 302, headers: ["Location: http://login.hotel.example/welcome"] }
    """

  private static let untouched = ["addresses": "[]", "up": "False", "tables": "", "servers": "0"]

  @Test func aClientIsBehindThePortal() async throws {
    let steps = try await play("client", tools: ["udhcpc", "curl", "ping"])
    let before = Self.untouched.merging(["addresses": "['169.254.9.9']"]) { $1 }
    #expect(steps["before"] == before)
    let line = try #require(steps["announced"]?["line"])
    #expect(line.contains(#""gateway":{"address":"10.97.0.1/24""#))
    #expect(line.contains(#""interface":"lan""#))
    let lease = try #require(steps["lease"], "\(steps)")
    #expect(lease["router"] == "10.97.0.1")
    #expect(lease["dns"] == "10.97.0.1")
    // RFC 8910 §2.1: the URL is the data of the option, here in hexadecimal.
    #expect(
      lease["opt114"] == "https://api.hotel.example/capport%2Cv1".utf8.map { String($0, radix: 16) }.joined())
    #expect(steps["portal"] == ["text": "302 http://login.hotel.example/welcome"])
    #expect(steps["address"] == ["text": "302"])
    #expect(steps["port"] == ["text": "200"])
    #expect(steps["ping"] == ["code": "0"])
    #expect(steps["check"] == ["code": "2"])
    #expect(steps["ended"] == before.merging(["code": "0"]) { $1 })
  }

  /// Over IPv6 too, clients reach neither services on the interface's addresses nor those on others.
  @Test func clientsReachNoOtherServiceOfThisMachine() async throws {
    let steps = try await play("own", tools: ["ping"])
    #expect(
      steps["before"]?.filter { $0.value != "['own', 'own', 'own']" } == [:], "the services are there")
    let behind = try #require(steps["behind"], "\(steps)")
    let refused = "['ConnectionRefusedError', 'ConnectionRefusedError', 'ConnectionRefusedError']"
    for host in ["fd77::1", "fd78::1", "2001:db8::1"] {
      #expect(behind["\(host) tcp"] == refused)
      #expect(behind["\(host) udp"] == refused)
    }
    for host in ["10.97.0.1", "192.0.2.99"] {
      #expect(behind["\(host) tcp"] == "['other', 'other', 'other']")
      #expect(behind["\(host) udp"] == "['other', 'ConnectionRefusedError', 'ConnectionRefusedError']")
    }
    #expect(steps["ping"] == ["code": "1"])
    #expect(steps["ended"] == ["code": "0"])
  }

  @Test func nothingIsLeftAfterACrash() async throws {
    let steps = try await play("killed")
    #expect(steps["during"]?["addresses"] == "['10.7.7.1']")
    #expect(steps["during"]?["servers"] == "1")
    #expect(steps["during"]?["tables"] != "")
    #expect(steps["after"] == Self.untouched)
    #expect(steps["again"]?["line"]?.contains("10.7.7.1") == true)
    #expect(steps["ended"] == Self.untouched.merging(["code": "0"]) { $1 })
  }

  @Test func anIncompleteSetupIsUndone() async throws {
    var failed = try #require(try await play("half")["failed"])
    let errors = failed.removeValue(forKey: "errors")
    #expect(errors?.contains("cannot start dnsmasq: ") == true, "\(errors ?? "")")
    #expect(errors?.contains("in use") == true, "\(errors ?? "")")
    #expect(failed == Self.untouched.merging(["code": "69", "line": ""]) { $1 })
  }

  @Test func changesThatCannotBeUndoneAreReported() async throws {
    let ended = try #require(try await play("left")["ended"])
    // The command has failed, so it ends with the signal, as other commands do.
    #expect(ended["code"] == "-15")
    #expect(
      ended["errors"]?.contains("run this: ") == true
        && ended["errors"]?.contains("ip address delete 10.97.0.1/24 dev 'lan'") == true)
    #expect(ended["servers"] == "0")
    #expect(ended["tables"] == "")
  }

  @Test func anUnsuitableInterfaceOrNetworkIsRefused() async throws {
    let steps = try await play("wrong")
    #expect(steps["lan0"]?["errors"]?.contains("there is no interface \"lan0\"") == true)
    #expect(
      steps["lo"]?["errors"]?.contains("the interface lo is a loopback or point-to-point interface") == true)
    #expect(steps["up0"]?["errors"]?.contains("this machine itself uses up0 for its default route") == true)
    #expect(steps["six0"]?["errors"]?.contains("this machine itself uses six0 for its default route") == true)
    let portal = steps["lan --gateway-network 192.0.2.1/24"]
    #expect(portal?["errors"]?.contains("contains 192.0.2.7, an address of the fixture") == true)
    let overlap = steps["lan --gateway-network 10.5.5.77/24"]
    #expect(
      overlap?["errors"]?.contains("the network 10.5.5.77/24 contains 10.5.5.2, an address of up0") == true)
    for (name, facts) in steps where name != "after" { #expect(facts["code"] == "69", "\(name)") }
    #expect(steps["after"] == Self.untouched)
  }
}
