import Foundation
import Testing
import TestRequirements
import TestSupport

/// A client monitors a network that receives a route, turns out to be captive, and opens after a login.
///
/// In isolated network namespaces: until the login, the client's gateway uses nftables to redirect HTTP to a
/// replayed portal and to reject the rest; then it routes everything to a replayed open Internet.
@Suite struct MonitorNetworkTests {
  /// The script, which runs as the gateway; the client is an inner namespace.
  ///
  /// It prints a line of JSON for each step.
  private static let script = #"""
    import json, os, queue, subprocess, sys, threading, time
    command, portal, internet = sys.argv[1:]
    def run(*words): subprocess.run(words, check=True)
    client = subprocess.Popen(["unshare", "--net", "sleep", "1200"])
    enter = ["nsenter", "--target", str(client.pid), "--net"]
    def inside(words): run(*enter, "ip", *words.split())
    while os.readlink("/proc/%d/ns/net" % client.pid) == os.readlink("/proc/self/ns/net"): pass
    run("ip", "link", "add", "lan", "type", "veth", "peer", "name", "way", "netns", str(client.pid))
    run("ip", "address", "add", "10.77.0.1/24", "dev", "lan")
    run("ip", "link", "set", "lan", "up")
    inside("link set lo up")

    def replay(fixture, http, https):
        server = subprocess.Popen([command, "replay", "--format=json", "--listen", "10.77.0.1", "--http-port", str(http),
            "--https-port", str(https), fixture], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return server, json.loads(server.stdout.readline())["ca"]
    servers = [replay(portal, 8080, 8443), replay(internet, 9080, 9443)]
    # Port 1 is nobody's: what is led there is refused.
    run("nft", "add table ip portal; add set ip portal guests { type ipv4_addr; };"
        "add chain ip portal lead { type nat hook prerouting priority dstnat; };"
        "add rule ip portal lead iifname lan ip saddr @guests tcp dport 80 dnat to 10.77.0.1:9080;"
        "add rule ip portal lead iifname lan ip saddr @guests tcp dport 443 dnat to 10.77.0.1:9443;"
        "add rule ip portal lead iifname lan tcp dport 80 dnat to 10.77.0.1:8080;"
        "add rule ip portal lead iifname lan tcp dport 443 dnat to 10.77.0.1:1")

    # Names lead to an address that is public, and far away but for the gateway.
    monitor = subprocess.Popen([*enter, command, "monitor", "--format=ndjson", "--interval=250s", "--portal-interval=500ms", "--jitter=0%",
        "--connect-to", "::198.51.100.7:", "--cacert", servers[1][1]], stdout=subprocess.PIPE, text=True)
    lines = queue.Queue()
    def read():
        for line in monitor.stdout: lines.put((time.monotonic(), json.loads(line)))
        lines.put((0, None))
    threading.Thread(target=read, daemon=True).start()
    def expect(name, holds, since=None):
        end = time.monotonic() + 600
        last = None
        while time.monotonic() < end:
            try: at, last = lines.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty: break
            if last is None: break
            if holds(last):
                after = at - since if since else None
                return print(json.dumps(dict(name=name, record=last, after=after)), flush=True)
        print(json.dumps(dict(name=name, last=last)), flush=True)

    expect("nowhere", lambda record: record["status"] == "notConnected")
    inside("address add 10.77.0.23/24 dev way")
    inside("link set way up")
    since = time.monotonic()
    inside("route add default via 10.77.0.1")
    expect("captive", lambda record: record["verdict"] == "captivePortal", since)
    since = time.monotonic()
    run("nft", "add element ip portal guests { 10.77.0.23 }")
    expect("open", lambda record: record["isConnected"], since)
    inside("link set way down")
    since = time.monotonic()
    expect("down", lambda record: record["status"] == "notConnected", since)
    monitor.terminate()
    print(json.dumps(dict(name="end", code=monitor.wait(600))), flush=True)
    for server, _ in servers: server.terminate()
    for server, _ in servers: server.wait(600)
    client.kill()
    """#

  private struct Step: Decodable {
    struct Record: Decodable {
      struct Interface: Decodable {
        var name: String
        var kind: String
      }

      struct Portal: Decodable {
        var loginURL: String?
      }

      var status: String
      var verdict: String?
      var interface: Interface?
      var portal: Portal?
      var families: [String: String]
    }

    var name: String
    var record: Record?
    /// The seconds since the cause of the change.
    var after: Double?
    var code: Int32?
  }

  @Test func aPortalAndItsOpeningAreReported() async throws {
    let root = projectRoot
    let fixtures = ["portals/coova-chilli", "worlds/open"].map { root.appending(path: "fixtures/\($0)").path }
    let run: [Step] = try await OwnNetwork.run(
      Self.script, [try builtProgram("probekit")] + fixtures, tools: ["nsenter", "nft"])
    let steps = Dictionary(run.map { ($0.name, $0) }) { first, _ in first }

    #expect(steps["nowhere"]?.record?.families == ["v4": "noRoute", "v6": "noRoute"])
    let captive = try #require(steps["captive"]?.record, "\(run)")
    #expect(captive.interface?.name == "way")
    #expect(captive.interface?.kind == "virtual")
    #expect(captive.status == "notConnected")
    #expect(captive.portal?.loginURL?.hasPrefix("http://") == true)
    let open = try #require(steps["open"]?.record, "\(run)")
    #expect(open.status == "connected")
    #expect(open.verdict == "online")
    #expect(open.portal == nil)
    #expect(steps["down"]?.record?.interface == nil)
    #expect(steps["end"]?.code == 0)
    // A settle time of 0.5 s plus a check; after a login, the portal interval replaces the settle time.
    // A busy machine takes longer, but the next check is much later.
    for name in ["captive", "open", "down"] {
      let seconds = try #require(steps[name]?.after)
      print("monitor in a network of its own, \(name): \(seconds) s")
      #expect(seconds < 200, "\(name)")
    }
  }
}
