import TestRequirements
import TestSupport
import Testing

/// ICMP modules of `probekit serve` in a separate network, in which ping sockets can be permitted.
@Suite struct ICMPModuleTests {
  struct Line: Decodable, Sendable {
    let name: String
    let text: String
  }

  private static let script = #"""
    import json, re, sys, urllib.request
    setting, file = "/proc/sys/net/ipv4/ping_group_range", __file__ + ".yml"
    # The right to use raw sockets, which root of a network has, is removed.
    UNPRIVILEGED = ["setpriv", "--bounding-set", "-net_raw", "--inh-caps", "-net_raw"]
    def permit(text):
        try:
            with open(setting, "w") as range: range.write(text)
        except OSError as error:
            print(f"{setting} cannot be written: {error}"); sys.exit(75)
    with open(file, "w") as out:
        out.write("modules: {four: {prober: icmp, icmp: {preferred_ip_protocol: ip4}}, six: {prober: icmp}}")
    replace("/etc/resolv.conf", "nameserver 127.0.0.1\n")
    replace("/etc/hosts", "127.0.0.1 hosts.test\n")
    names = {"ping.test": {"A": "127.0.0.1", "AAAA": "::1"}, "link.test": {"A": "169.254.169.254"}}
    dns = DNS(lambda name, kind: [(kind, names[name][kind])] if kind in names.get(name, {}) else 3)
    # Over a raw socket, because a new network permits ping sockets to no group, and then over a ping socket. In a user
    # namespace, only group 0 has a number.
    for rights, groups in [(UNPRIVILEGED, None), ([], None), (UNPRIVILEGED, "0 0")]:
        if groups: permit(groups)
        server = subprocess.Popen(
            [*rights, sys.argv[1], "serve", "--config.file", file, "--web.listen-address", "127.0.0.1:0"],
            stderr=subprocess.PIPE, text=True)
        place = next(filter(None, (re.search(r"listening on (\S+)", line) for line in server.stderr)))[1]
        def probe(name, target, module="four"):
            url = f"http://{place}/probe?target={target}&module={module}"
            with urllib.request.urlopen(url) as response:
                print(json.dumps({"name": name, "text": response.read().decode()}))
        if rights and not groups:
            probe("forbidden", "127.0.0.1")
            probe("forbidden", "ping.test", "six")
        else:
            probe("four", "127.0.0.1")
            probe("six", "::1", "six")
            probe("brackets", "[::1]", "six")
            probe("name", "ping.test")
            probe("name", "ping.test", "six")
            probe("name", "hosts.test")
            probe("name", "localhost")
            probe("unknown name", "other.test")
            probe("no route", "192.0.2.1")
            probe("link-local", "169.254.169.254")
            probe("link-local", "link.test")
            probe("no host", "127.0.0.1/a")
            probe("no host", "127.0.0.1%253A80")
        server.terminate()
        server.wait()
    """#

  /// The name, the success, the version of IP and the reason of each probe that is permitted.
  private static let results = [
    ["four", "1.0", "4.0"], ["six", "1.0", "6.0"], ["brackets", "1.0", "6.0"], ["name", "1.0", "4.0"],
    ["name", "1.0", "6.0"], ["name", "1.0", "4.0"], ["name", "1.0", "4.0"],
    ["unknown name", "0.0", "0.0", "dns.noSuchHost"], ["no route", "0.0", "4.0", "connect.unreachable"],
    ["link-local", "0.0", "0.0", "policy.address"], ["link-local", "0.0", "4.0", "policy.address"],
    ["no host", "0.0", "-1.0", "request.invalid"], ["no host", "0.0", "-1.0", "request.invalid"],
  ]

  @Test func echoRepliesAreReportedAsSamples() async throws {
    guard hasIPv6 else { try skipTest("this machine has no ::1") }
    let lines: [Line] = try await OwnNetwork.run(
      Self.script, [try builtProgram("probekit")], tools: ["setpriv"])
    let found = lines.map { ($0.name, Samples($0.text)) }
    let results = found.map { name, samples in
      [name, "\(samples["probe_success"] ?? -1)", "\(samples["probe_ip_protocol"] ?? -1)"]
        + samples.values(of: "reason", in: "probe_failure_info")
    }
    let forbidden = [["4.0"], ["6.0"]].map { ["forbidden", "0.0"] + $0 + ["local.permission"] }
    #expect(results == forbidden + Self.results + Self.results)
    for (name, samples) in found {
      let phases = samples.values(of: "phase", in: "probe_icmp_duration_seconds")
      #expect(phases == ["resolve", "setup", "rtt"], "\(name)")
      let trip = samples.all.first { $0.labels["phase"] == "rtt" }?.value ?? -1
      #expect(samples["probe_success"] == 1 ? trip > 0 : trip == 0, "\(name)")
    }
  }

  private static let packets = #"""
    import json, re, struct, sys, urllib.request
    file = __file__ + ".yml"
    try:
        if sys.argv[2] == "ping":
            with open("/proc/sys/net/ipv4/ping_group_range", "w") as setting: setting.write("0 0")
        with open("/proc/sys/net/ipv4/ip_default_ttl", "w") as setting: setting.write("50")
        with open("/proc/sys/net/ipv6/conf/lo/hop_limit", "w") as setting: setting.write("40")
    except OSError as error:
        print(f"a setting of the network cannot be written: {error}"); sys.exit(75)
    subprocess.run(["ip", "link", "set", "lo", "mtu", "1400"], check=True)
    with open(file, "w") as out:
        out.write("""modules:
      usual4: {prober: icmp, icmp: {preferred_ip_protocol: ip4}}
      usual6: {prober: icmp}
      near4: {prober: icmp, icmp: {preferred_ip_protocol: ip4, ttl: 3}}
      near6: {prober: icmp, icmp: {ttl: 3}}
      split4: {prober: icmp, icmp: {preferred_ip_protocol: ip4, payload_size: 1500}}
      split6: {prober: icmp, icmp: {payload_size: 1500}}
      whole4: {prober: icmp, icmp: {preferred_ip_protocol: ip4, payload_size: 1500, dont_fragment: true}}
      whole6: {prober: icmp, icmp: {payload_size: 1500, dont_fragment: true}}
    """)
    server = subprocess.Popen(
        [sys.argv[1], "serve", "--config.file", file, "--web.listen-address", "127.0.0.1:0"],
        stderr=subprocess.PIPE, text=True)
    place = next(filter(None, (re.search(r"listening on (\S+)", line) for line in server.stderr)))[1]
    for module in re.findall(r"\w+[46](?=:)", open(file).read()):
        v4 = module.endswith("4")
        # What arrives at the kernel: the packets as they were sent.
        wire = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x800 if v4 else 0x86dd))
        wire.settimeout(60)
        url = f"http://{place}/probe?target={'127.0.0.1' if v4 else '::1'}&module={module}"
        with urllib.request.urlopen(url) as response: text = response.read().decode()
        sent = None
        while "probe_success 1" in text and sent is None:
            packet = wire.recv(65536)
            if v4 and packet[9] == 1 and packet[20] == 8:
                length, _, flags, limit = struct.unpack_from("!HHHB", packet, 2)
                sent = {"limit": limit, "whole": flags & 0x4000 != 0, "data": length - 28}
            # In an IPv6 packet that was split, a fragment header is in front.
            if not v4 and (packet[6] == 58 and packet[40] == 128 or packet[6] == 44 and packet[48] == 128):
                sent = {"limit": packet[7], "whole": packet[6] == 58,
                        "data": struct.unpack_from("!H", packet, 4)[0] - 8}
        wire.close()
        print(json.dumps({"name": module, "text": text, "sent": sent}))
    server.terminate()
    server.wait()
    """#

  /// A request as it was sent.
  struct Sent: Decodable, Equatable {
    let limit: Int
    let whole: Bool
    let data: Int
  }

  struct PacketLine: Decodable, Sendable {
    let name: String
    let text: String
    let sent: Sent?
  }

  @Test(arguments: ["ping", "raw"])
  func packetsHaveTheSettingsOfTheModule(_ sockets: String) async throws {
    guard hasIPv6 else { try skipTest("this machine has no ::1") }
    let lines: [PacketLine] = try await OwnNetwork.run(Self.packets, [try builtProgram("probekit"), sockets])
    let found = Dictionary(uniqueKeysWithValues: lines.map { ($0.name, (Samples($0.text), $0.sent)) })
    for name in ["usual4", "usual6"] {
      #expect(found[name]?.1 == Sent(limit: 64, whole: true, data: 28), "\(name)")
      let limit = found[name]?.0["probe_icmp_reply_hop_limit"]
      #expect(limit == (name == "usual4" ? 50 : 40), "\(name)")
    }
    for name in ["near4", "near6"] { #expect(found[name]?.1?.limit == 3, "\(name)") }
    for name in ["split4", "split6"] {
      #expect(found[name]?.0["probe_success"] == 1, "\(name)")
      #expect(found[name]?.1?.whole == false, "\(name)")
    }
    for name in ["whole4", "whole6"] {
      let samples = found[name]?.0
      #expect(samples?.values(of: "reason", in: "probe_failure_info") == ["connect.failed"], "\(name)")
      #expect(samples?.all.contains { $0.name == "probe_icmp_reply_hop_limit" } == false, "\(name)")
    }
  }
}
