import TestRequirements
import TestSupport
import Testing

/// Pings in an isolated network, in which ping sockets can be permitted.
@Suite struct PingNetworkTests {
  struct Line: Decodable, Hashable, Sendable {
    let name: String
    let outcome: String
    let reason: String?
    let detail: String?
    let address: String?
  }

  private static let script = #"""
    import json, sys
    probekit, setting = sys.argv[1], "/proc/sys/net/ipv4/ping_group_range"
    def permit(text):
        try:
            with open(setting, "w") as file: file.write(text)
        except OSError as error:
            print(f"{setting} cannot be written: {error}"); sys.exit(75)
    def probe(name, url, *options):
        command = [probekit, "check", "--allow-http", "--format", "json", *options, url]
        done = subprocess.run(command, capture_output=True, text=True)
        found = json.loads(done.stdout)["sets"][0]["probes"][0]
        print(json.dumps({"name": name, "address": found["remoteAddress"],
                          **{key: found[key] for key in ("outcome", "reason", "detail")}}))
    def rule(text):
        subprocess.run(["nft", "flush ruleset; table inet t { chain in { type filter hook input priority 0; "
                        + text + "\n}\n}\n"], check=True)
    permit("1 0")
    probe("forbidden", "icmp://127.0.0.1")
    # In a user namespace, only this group has a number.
    permit("0 0")
    probe("v4", "icmp://127.0.0.1", "--validate", "loss=0%")
    probe("v6", "icmp://[::1]", "--validate", "contains=3 sent, 3 received, 0.0 % loss, min/avg/max ")
    probe("no route", "icmp://192.0.2.1")
    rule("icmp type echo-request reject with icmp type host-unreachable")
    probe("unreachable", "icmp://127.0.0.1")
    rule("icmp type echo-request drop")
    probe("lost", "icmp://127.0.0.1", "--timeout", "500ms")
    rule("icmp type echo-request numgen inc mod 3 0 drop")
    probe("some lost", "icmp://127.0.0.1", "--timeout", "1s")
    probe("too many lost", "icmp://127.0.0.1", "--timeout", "1s", "--validate", "loss=10%")
    """#

  @Test func pingsOfANetwork() async throws {
    guard hasIPv6 else { try skipTest("this machine has no ::1") }
    let lines: [Line] = try await OwnNetwork.run(
      Self.script, [try builtProgram("probekit")], tools: ["nft"])
    let found = Dictionary(uniqueKeysWithValues: lines.map { ($0.name, $0) })
    let reasons = lines.map { [$0.name, $0.outcome, $0.reason ?? ""] }
    #expect(
      reasons == [
        ["forbidden", "failed", "local.permission"], ["v4", "accepted", ""], ["v6", "accepted", ""],
        ["no route", "failed", "connect.unreachable"], ["unreachable", "failed", "connect.unreachable"],
        ["lost", "failed", "timeout.response"], ["some lost", "accepted", ""],
        ["too many lost", "failed", "icmp.loss"],
      ])
    #expect(
      found["forbidden"]?.detail
        == "this machine does not permit ping sockets for the groups of this process: "
        + "run sysctl -w net.ipv4.ping_group_range=\"0 2147483647\"")
    #expect(found["lost"]?.detail == "no echo reply in time: 3 sent, 0 received, 100.0 % loss")
    #expect(found["v4"]?.address == "127.0.0.1" && found["v6"]?.address == "::1")
  }
}
