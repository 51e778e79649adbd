import Foundation
import TestRequirements
import TestSupport
import Testing

/// What `check --verbose` and `portal` find beside the verdict, in isolated networks: one is the machine, with its DNS
/// server, the other the Internet, with a replayed network and a server of QUIC.
@Suite struct NetworkConditionsTests {
  /// The script, which runs as the machine; it prints a line of JSON for each case.
  private static let script = #"""
    import json, signal, sys
    command, fixtures = sys.argv[1:3]
    folder = os.path.dirname(__file__)
    code = '''
    import socket, sys, threading
    mode = ["answers"]
    def serve(family):
        server = socket.socket(family, socket.SOCK_DGRAM)
        server.bind(("198.51.100.7" if family == socket.AF_INET else "2001:db8:7::7", 443))
        while True:
            packet, client = server.recvfrom(4096)
            if len(packet) < 1200 or not packet[0] & 0x80: continue
            to = packet[5]
            destination, source = packet[5:6 + to], packet[6 + to:7 + to + packet[6 + to]]
            if mode[0] == "answers":
                server.sendto(bytes([0xD5, 0, 0, 0, 0]) + source + destination + bytes([0, 0, 0, 1]), client)
            elif mode[0] == "forges":
                server.sendto(bytes([0xD5, 0, 0, 0, 0]) + destination + source + bytes([0, 0, 0, 1]), client)
    for family in [socket.AF_INET, socket.AF_INET6]: threading.Thread(target=serve, args=(family,), daemon=True).start()
    print("ready", flush=True)
    for line in sys.stdin:
        mode[0] = line.strip()
        print("done", flush=True)
    '''
    def run(*words): subprocess.run(words, check=True)
    server = subprocess.Popen(["unshare", "--net", sys.executable, "-c", "import os, time\nwhile True: time.sleep(60)"])
    def words(*command): return ["nsenter", "--target", str(server.pid), "--net", *command]
    def inside(text): run(*words("ip", *text.split()))
    while os.readlink("/proc/%d/ns/net" % server.pid) == os.readlink("/proc/self/ns/net"): time.sleep(0.01)
    for enter in [[], words()]:
        run(*enter, "sh", "-c", "for name in default all; do echo 0 >/proc/sys/net/ipv6/conf/$name/accept_dad; done")
    run("ip", "link", "add", "way", "type", "veth", "peer", "name", "lan", "netns", str(server.pid))
    run("ip", "address", "add", "10.77.0.23/24", "dev", "way")
    run("ip", "address", "add", "fd77::23/64", "dev", "way", "nodad")
    run("ip", "link", "set", "way", "up")
    inside("link set lo up")
    for address in ["198.51.100.7/32", "198.51.100.8/32", "10.77.0.1/24", "fd77::1/64 nodad", "2001:db8:7::7/128 nodad"]:
        inside("address add %s dev lan" % address)
    inside("link set lan up")
    run("ip", "route", "add", "198.51.100.0/24", "via", "10.77.0.1")
    # The router drops what is not for its own address in this block.
    run("ip", "-6", "route", "add", "2001:db8::/32", "via", "fd77::1")
    run(*words("sh", "-c", "echo 0 >/proc/sys/net/ipv6/conf/all/forwarding"))
    quic = subprocess.Popen(words(sys.executable, "-c", code), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    quic.stdout.readline()
    def use(mode):
        quic.stdin.write(mode + "\n"); quic.stdin.flush(); quic.stdout.readline()
    replays = []
    def replay(name, address):
        path = "%s/%s.pem" % (folder, name)
        process = subprocess.Popen(words(command, "replay", "--listen", address, "--http-port", "80", "--https-port", "443",
            "--ca-out", path, fixtures + "/worlds/" + name), stdout=subprocess.PIPE, text=True)
        while "http" not in process.stdout.readline(): pass
        replays.append(process)
        return path
    authorities = folder + "/authorities.pem"
    with open(authorities, "w") as file:
        for path in [replay("open", "198.51.100.7"), replay("captive", "198.51.100.8")]: file.write(open(path).read())
    def open6(): 
        with open(authorities, "a") as file: file.write(open(replay("open", "2001:db8:7::7")).read())
    replace("/etc/nsswitch.conf", "hosts: dns\n")
    replace("/etc/resolv.conf", "nameserver 127.0.0.1\n")
    world = {}
    def answer(name, kind):
        if name in world: return world[name]
        if name == "ipv4only.arpa": return [(kind, value) for value in world["prefix"]] if kind == "AAAA" else []
        if name == "_dns.resolver.arpa": return []
        return [(kind, world[kind])] if world.get(kind) else []
    DNS(answer)
    def case(name, quic, program="check", **values):
        use(quic)
        world.clear()
        world.update({"A": "198.51.100.7", "AAAA": None, "prefix": []})
        world.update({key.replace("__", "-").replace("_", "."): value for key, value in values.items()})
        arguments = [] if program == "portal" else ["--profile", "default"]
        arguments += ["--verbose"] if program == "check" else []
        done = subprocess.run([command, program.split()[0], *arguments, "--cacert", authorities, "--format=json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try: report = json.loads(done.stdout)
        except ValueError: return print(json.dumps(dict(name=name, errors=done.stderr)), flush=True)
        kinds = ["udp443", "ipv6", "nat64", "dnsPolicy"]
        print(json.dumps(dict(name=name, verdict=report["verdict"], errors=done.stderr,
            evidence=["%s: %s" % (fact["kind"], fact["summary"]) for fact in report["evidence"] if fact["kind"] in kinds],
            families=["%s: %s" % (run["family"], run["verdict"]) for run in report.get("families", [])],
            findings=[found["id"] for found in report.get("findings", [])])), flush=True)
    case("plain", "answers")
    case("silent", "silent")
    case("forged", "forges")
    case("not verbose", "answers", "check quiet")
    case("prefix", "answers", prefix=["64:ff9b::c000:aa", "64:ff9b::c000:ab"])
    case("policy", "answers", **{"use__application__dns_net": 3, "mask_icloud_com": 3, "mask__h2_icloud_com": []})
    case("no names", "answers", **{"use__application__dns_net": 3, "ipv4only_arpa": 3})
    case("dead IPv6", "answers", AAAA="2001:db8:9::1")
    case("captive", "silent", A="198.51.100.8")
    case("portal", "silent", "portal", A="198.51.100.8")
    open6()
    case("IPv6 open", "answers", "portal", A="198.51.100.8", AAAA="2001:db8:7::7")
    case("both", "answers", "portal", AAAA="2001:db8:7::7", use__application__dns_net=3)
    text = subprocess.run([command, "check", "--verbose", "--cacert", authorities], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True).stdout
    print(json.dumps(dict(name="text", evidence=text.split("\n"))), flush=True)
    for process in replays + [quic, server]: process.kill()
    """#

  private struct Case: Decodable {
    var name: String
    var errors: String?
    var verdict: String?
    var evidence: [String]?
    var families: [String]?
    var findings: [String]?
  }

  @Test(.patience(minutes: 3)) func whatElseTheNetworkDoesIsEvidence() async throws {
    let fixtures = projectFile("fixtures").path
    let run: [Case] = try await OwnNetwork.run(
      Self.script, [try builtProgram("probekit"), fixtures], tools: ["nsenter"])
    let cases = Dictionary(run.map { ($0.name, $0) }) { first, _ in first }
    func evidence(_ name: String) -> [String]? { cases[name]?.evidence }
    let hosts = "www.google.com and www.cloudflare.com"
    let passes = "udp443: UDP port 443 passes: a response to QUIC from \(hosts)"
    let blocked =
      "udp443: UDP port 443 is blocked: no response to QUIC from \(hosts), so browsers use HTTP/2 in place of HTTP/3"
    let firefox =
      "dnsPolicy: the network asks Firefox not to use DNS over HTTPS: use-application-dns.net has no address"
    #expect(evidence("plain") == [passes])
    #expect(evidence("silent") == [blocked])
    // Only the recipient of the packet knows its connection IDs.
    #expect(
      evidence("forged") == [
        "udp443: UDP port 443 does not reach \(hosts): something else responds, and not by QUIC"
      ])
    #expect(evidence("not verbose") == [])
    #expect(
      evidence("prefix") == [
        passes, "nat64: IPv4 servers are reached through NAT64, by DNS64 with the prefix 64:ff9b::/96",
      ])
    #expect(
      evidence("policy") == [
        passes, firefox,
        "dnsPolicy: the network blocks iCloud Private Relay by DNS: no address of mask.icloud.com and mask-h2.icloud.com",
      ])
    // A server that knows no name states nothing.
    #expect(evidence("no names") == [passes])
    #expect(
      evidence("dead IPv6") == [
        passes,
        "ipv6: IPv6 has no way out: this machine has a route, and no connection by IPv6 to \(hosts) succeeds",
      ])
    // Behind a portal, UDP and IPv6 are expected to be blocked.
    #expect(evidence("captive") == [] && evidence("portal") == [])
    #expect(cases["portal"]?.families == ["v4: captivePortal", "v6: None"])
    #expect(cases["portal"]?.findings == ["login.encrypted"])
    #expect(cases["IPv6 open"]?.families == ["v4: captivePortal", "v6: online"])
    #expect(cases["IPv6 open"]?.findings == ["garden.ipv6"])
    #expect(cases["both"]?.families == ["v4: online", "v6: online"])
    #expect(evidence("both") == [passes, firefox])
    for name in ["plain", "silent", "forged", "prefix", "policy", "no names", "dead IPv6"] {
      #expect(cases[name]?.verdict == "online", "\(name)")
    }
    // The verdict comes first, the rest when it is known.
    let text = try #require(evidence("text"))
    let title = try #require(text.firstIndex(of: "What else the network does:"))
    #expect(
      text.first == "online" && text[title...].dropFirst().first?.contains("UDP port 443 passes") == true)
  }
}
