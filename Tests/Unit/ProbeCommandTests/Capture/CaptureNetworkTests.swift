import Foundation
import Testing
import TestRequirements
import TestSupport

/// A real captive network, captured before and after the login, and verified from the captures alone.
///
/// In isolated network namespaces: a client, a gateway that redirects http to its portal by nftables until
/// the login, and an Internet behind it.
@Suite struct CaptureNetworkTests {
  /// The script, which runs as the gateway; the client is an inner namespace.
  ///
  /// It prints a line of JSON for each step.
  private static let script = #"""
    import http.server, json, os, subprocess, sys, threading, urllib.parse
    command, folder = sys.argv[1], sys.argv[2]
    def run(*words): subprocess.run(words, check=True)
    client = subprocess.Popen(["unshare", "--net", "sleep", "1200"])
    def inside(*words, **options):
        return subprocess.run(["nsenter", "--target", str(client.pid), "--net", *words],
            capture_output=True, text=True, timeout=100, **options)
    while os.readlink("/proc/%d/ns/net" % client.pid) == os.readlink("/proc/self/ns/net"): pass
    mac = "0c:1d:af:83:20:6e"
    run("ip", "link", "add", "lan", "type", "veth", "peer", "name", "wifi", "netns", str(client.pid))
    run("ip", "address", "add", "10.77.0.1/24", "dev", "lan")
    run("ip", "link", "set", "lan", "up")
    for words in ["link set lo up", "link set wifi address " + mac, "address add 10.77.0.23/24 dev wifi",
                  "link set wifi up", "route add default via 10.77.0.1"]:
        inside("ip", *words.split(), check=True)

    # The Internet: two operators at public addresses of the gateway's own.
    names = {"captive.apple.com": "198.51.100.10", "firefox-portal-detection.com": "203.0.113.20"}
    replace("/etc/hosts", "".join("%s %s\n" % (address, name) for name, address in names.items()))
    for address in names.values(): run("ip", "address", "add", address + "/32", "dev", "lo")

    class Quiet(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *rest): pass
        def answer(self, status, fields, body):
            self.send_response_only(status)
            for name, value in fields: self.send_header(name, value)
            self.send_header("content-LENGTH", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
    class Operator(Quiet):
        def do_GET(self):
            self.answer(200, [("Content-Type", "text/html")], {
                "/hotspot-detect.html":
                    b"<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>",
                "/success.txt": b"success\n"}[self.path])
    class Portal(Quiet):
        def do_GET(self):
            peer, token = self.client_address[0], "f3a91c77d2e04b58"
            if self.path.startswith("/welcome"):
                page = ("<html><title>Harbour Wi-Fi</title><form action=/enter method=post>"
                    "<input type=hidden name=token value=%s><p>Your device %s (%s)</p>"
                    "<input name=voucher><button>Connect</button></form></html>" % (token, peer, mac))
                self.answer(200, [("Content-Type", "text/html"), ("Set-Cookie", "session=" + token)], page.encode())
            else:
                place = "http://10.77.0.1:8080/welcome?client_ip=%s&client_mac=%s&token=%s" % (
                    peer, urllib.parse.quote(mac), token)
                self.answer(302, [("LOCATION", place), ("Connection", "close")], b"")
                self.close_connection = True
        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            run("nft", "add", "element", "ip", "portal", "guests", "{ %s }" % self.client_address[0])
            self.answer(200, [], b"welcome")
    for address, kind in [(("10.77.0.1", 8080), Portal)] + [((a, 80), Operator) for a in names.values()]:
        server = http.server.ThreadingHTTPServer(address, kind)
        threading.Thread(target=server.serve_forever, daemon=True).start()
    run("nft", "add table ip portal; add set ip portal guests { type ipv4_addr; };"
        "add chain ip portal lead { type nat hook prerouting priority dstnat; };"
        "add rule ip portal lead iifname lan ip saddr != @guests tcp dport 80 dnat to 10.77.0.1:8080")

    def step(name, result):
        print(json.dumps({"name": name, "code": result.returncode,
            "output": result.stdout, "errors": result.stderr}), flush=True)
    urls = ["http://captive.apple.com/hotspot-detect.html", "http://firefox-portal-detection.com/success.txt"]
    step("captive", inside(command, "capture", "--format=json", "-o", folder + "/captive", *urls))
    step("kept", inside(command, "capture", "--format=json", "--no-redact", "-o", folder + "/kept", *urls))
    step("login", inside("curl", "-sS", "-d", "voucher=1", "http://10.77.0.1:8080/enter"))
    step("open", inside(command, "capture", "--format=json", "-o", folder + "/open", *urls))
    client.kill()
    step("verify", subprocess.run(
        ["unshare", "--net", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh", command, "verify", "--strict",
         "--format=json", folder + "/captive", folder + "/kept", folder + "/open"],
        capture_output=True, text=True, timeout=100))
    """#

  private struct Step: Decodable {
    var name: String
    var code: Int
    var output: String
    var errors: String
  }

  private struct Capture: Decodable {
    struct Redaction: Decodable {
      var kind: String
    }

    var verdict: String
    var loginURL: String?
    var redacted: [Redaction]
    var replays: Bool
  }

  @Test func aPortalIsCapturedAndVerified() async throws {
    let folder = try TemporaryFolder([:])
    let run: [Step] = try await OwnNetwork.run(
      Self.script, [try builtProgram("probekit"), folder.path], tools: ["nsenter", "nft", "curl"])
    for step in run { #expect(step.code == 0, "\(step.name): \(step.errors)\(step.output)") }
    let steps = Dictionary(run.map { ($0.name, $0) }) { first, _ in first }
    #expect(steps["login"]?.output == "welcome")

    let captive = try Self.capture(steps["captive"])
    #expect(captive.verdict == "captivePortal")
    #expect(captive.replays)
    let login = try #require(captive.loginURL)
    #expect(login.hasPrefix("http://10.77.0.1:8080/welcome?client_ip="))
    #expect(Set(captive.redacted.map(\.kind)) == ["mac", "client-address", "token"])
    let open = try Self.capture(steps["open"])
    #expect(open.verdict == "online")
    #expect(open.loginURL == nil)

    let kept = try Self.texts(in: "\(folder.path)/kept")
    let texts = try Self.texts(in: "\(folder.path)/captive")
    for word in ["10.77.0.23", "0c:1d:af:83:20:6e", "f3a91c77d2e04b58"] {
      #expect(kept.values.contains { $0.contains(word) }, "\(word) was there")
      for (name, text) in texts { #expect(!text.contains(word), "\(word) in \(name)") }
    }
    // Redaction keeps the number of bytes, and the header fields are spelled as on the wire.
    let responses = kept.filter { $0.key.hasSuffix(".resp") }
    #expect(responses.count == 3)
    for (name, text) in responses {
      #expect(text.utf8.count == texts[name]?.utf8.count, "\(name)")
      #expect(text.contains("LOCATION: ") || text.contains("content-LENGTH: "))
    }

    let report = try JSONDecoder().decode(
      VerifyRun.Report.self, from: Data((steps["verify"]?.output ?? "").utf8))
    #expect(
      report.fixtures.map { $0.results.first?.verdict } == ["captivePortal", "captivePortal", "online"])
    #expect(report.passed == 3)
    #expect(report.fixtures.first?.results.first?.loginURL == login)
  }

  private static func capture(_ step: Step?) throws -> Capture {
    try JSONDecoder().decode(Capture.self, from: Data((step?.output ?? "").utf8))
  }

  private static func texts(in folder: String) throws -> [String: String] {
    var texts: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      texts[name] = readText("\(folder)/\(name)")
    }
    return texts
  }
}
