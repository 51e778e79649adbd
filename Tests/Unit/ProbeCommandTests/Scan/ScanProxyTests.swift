import TestRequirements
import TestSupport
import Testing

/// `probekit scan --proxy`, in a separate network whose names lead anywhere.
@Suite struct ScanProxyTests {
  /// The script for that network; it prints a line of JSON for each case.
  private static let script = #"""
    import json, sys
    replace("/etc/resolv.conf", "nameserver 127.0.0.1\n")
    replace("/etc/nsswitch.conf", "hosts: files dns\n")
    replace("/etc/hosts", "127.0.0.1 localhost\n")
    records = {"public": ["192.0.2.1"], "metadata": ["169.254.169.254"], "own": ["127.0.0.1"], "private": ["10.0.0.1"],
        "excluded": ["198.51.100.7"], "azure": ["168.63.129.16"]}
    def answer(name, kind):
        label = name.split(".")[0]
        if label not in records: return 3
        return [("A", address) for address in records[label]] if kind == "A" else []
    dns = DNS(answer)

    # A proxy that leads everywhere: http, CONNECT and SOCKS.
    received = []
    def serve(connection):
        first = connection.recv(1, socket.MSG_PEEK)
        if first == b"\5":
            connection.recv(100)
            connection.sendall(b"\5\0")
            request = connection.recv(300)
            received.append(request[5:5 + request[4]].decode() if request[3] == 3 else "address")
            connection.sendall(b"\5\0\0\1\0\0\0\0\0\0")
        head = connection.recv(4096)
        if first != b"\5": received.append(head.split(b" ")[1].decode())
        redirect = b"/redirect" in head.split(b"\r\n")[0]
        connection.sendall(b"HTTP/1.1 302 Found\r\nLocation: http://metadata.test/\r\nContent-Length: 0\r\n\r\n" if redirect
            else b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        connection.close()
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(100)
    def accept():
        while True: threading.Thread(target=serve, args=listener.accept()[:1], daemon=True).start()
    threading.Thread(target=accept, daemon=True).start()

    exclusions = __file__ + ".exclusions"
    with open(exclusions, "w") as file: file.write("198.51.100.0/24\n*.below.test\n")
    urls = ["http://%s.test/" % name for name in [*records, "unknown", "a.below"]]
    urls += ["http://localhost/", "http://169.254.169.254/", "http://[64:ff9b:1::a9fe:a9fe]/", "http://public.test/redirect"]
    def case(name, *options):
        received.clear()
        done = subprocess.run([sys.argv[1], "scan", "--quiet", "--allow-http", "--redirects", "3", "--timeout", "600s", *options],
            input="\n".join(urls), capture_output=True, text=True, timeout=600)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        print(json.dumps(dict(name=name, errors=done.stderr, received=sorted(received),
            reasons={line["url"]: line["reason"] or line["outcome"] for line in lines if line["type"] == "probe"})), flush=True)
    for kind in ["http", "socks5h"]:
        proxy = ["--proxy", "%s://127.0.0.1:%d" % (kind, listener.getsockname()[1])]
        case(kind, "--exclude", exclusions, *proxy)
        case(kind + " private", "--allow-private", "--exclude", exclusions, *proxy)
        case(kind + " everything", "--allow-private", *proxy)
    """#

  private struct Case: Decodable {
    var name: String
    var errors: String
    var received: [String]
    var reasons: [String: String]
  }

  @Test func theProxyIsAskedOnlyForAllowedHosts() async throws {
    let cases: [Case] = try await OwnNetwork.run(Self.script, [try builtProgram("probekit")])
    for kind in ["http", "socks5h"] {
      func received(_ names: [String]) -> [String] {
        (kind == "http"
          ? names : names.map { String($0.dropFirst("http://".count).prefix { $0 != "/" }) }).sorted()
      }
      let strict = try #require(cases.first { $0.name == kind })
      #expect(
        strict.received == received(["http://public.test/", "http://public.test/redirect"]), "\(strict)")
      for (url, reason) in strict.reasons {
        #expect(reason == (url == "http://public.test/" ? "accepted" : "policy.address"), "\(url)")
      }
      // Without the rules for private addresses, the excluded ones remain.
      let open = try #require(cases.first { $0.name == "\(kind) private" })
      for name in ["metadata", "own", "private", "azure"] {
        #expect(open.reasons["http://\(name).test/"] == "accepted", "\(open)")
      }
      for name in ["excluded", "unknown", "a.below"] {
        #expect(open.reasons["http://\(name).test/"] == "policy.address", "\(open)")
      }
      #expect(!open.received.contains { $0.contains("excluded") || $0.contains("unknown") })
      // And without any rule about addresses, the proxy decides.
      let everything = try #require(cases.first { $0.name == "\(kind) everything" })
      for (url, reason) in everything.reasons where !url.hasSuffix("/redirect") {
        #expect(reason == "accepted", "\(url): \(everything)")
      }
    }
  }
}
