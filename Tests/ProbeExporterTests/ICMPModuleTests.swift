import TestRequirements
import TestSupport
import Testing

/// ICMP modules of `probekit serve` in a network of their own, where ping sockets can be permitted.
@Suite struct ICMPModuleTests {
  struct Line: Decodable, Sendable {
    let name: String
    let text: String
  }

  private static let script = #"""
    import json, re, sys, urllib.request
    setting, file = "/proc/sys/net/ipv4/ping_group_range", __file__ + ".yml"
    def permit(text):
        try:
            with open(setting, "w") as range: range.write(text)
        except OSError as error:
            print(f"{setting} cannot be written: {error}"); sys.exit(75)
    with open(file, "w") as out:
        out.write("modules: {four: {prober: icmp, icmp: {preferred_ip_protocol: ip4}}, six: {prober: icmp}}")
    permit("1 0")
    server = subprocess.Popen(
        [sys.argv[1], "serve", "--config.file", file, "--web.listen-address", "127.0.0.1:0"],
        stderr=subprocess.PIPE, text=True)
    place = next(filter(None, (re.search(r"listening on (\S+)", line) for line in server.stderr)))[1]
    def probe(name, target, module="four"):
        url = f"http://{place}/probe?target={target}&module={module}"
        with urllib.request.urlopen(url) as response:
            print(json.dumps({"name": name, "text": response.read().decode()}))
    probe("forbidden", "127.0.0.1")
    # In a user namespace, only this group has a number.
    permit("0 0")
    probe("four", "127.0.0.1")
    probe("six", "::1", "six")
    probe("no route", "192.0.2.1")
    probe("link-local", "169.254.169.254")
    server.terminate()
    server.wait()
    """#

  @Test func repliesAreSamples() async throws {
    guard hasIPv6 else { try skipTest("this machine has no ::1") }
    let lines: [Line] = try await OwnNetwork.run(Self.script, [try builtProgram("probekit")])
    let found = lines.map { ($0.name, Samples($0.text)) }
    let results = found.map { name, samples in
      [name, "\(samples["probe_success"] ?? -1)", "\(samples["probe_ip_protocol"] ?? -1)"]
        + samples.values(of: "reason", in: "probe_failure_info")
    }
    #expect(
      results == [
        ["forbidden", "0.0", "4.0", "local.permission"], ["four", "1.0", "4.0"], ["six", "1.0", "6.0"],
        ["no route", "0.0", "4.0", "connect.unreachable"], ["link-local", "0.0", "0.0", "policy.address"],
      ])
    for (name, samples) in found {
      let phases = samples.values(of: "phase", in: "probe_icmp_duration_seconds")
      #expect(phases == ["resolve", "setup", "rtt"], "\(name)")
      let trip = samples.all.first { $0.labels["phase"] == "rtt" }?.value ?? -1
      #expect(samples["probe_success"] == 1 ? trip > 0 : trip == 0, "\(name)")
    }
  }
}
