import TestRequirements
import TestSupport
import Testing

/// Names, target rules and addresses found before a probe, in a separate network.
@Suite struct GuardedNetworkTests {
  /// The script for that network; it prints a line of JSON for each case.
  private static let script = #"""
    import json, sys
    replace("/etc/resolv.conf", "nameserver 127.0.0.1\n")
    replace("/etc/nsswitch.conf", "hosts: files dns\n")
    replace("/etc/hosts", "127.0.0.1 localhost\n")

    records = {"mixed": ["10.0.0.1", "127.0.0.1"], "private": ["10.0.0.1"], "good": ["127.0.0.1"],
        "alias": ["127.0.0.1"]}
    def answer(name, kind):
        label = name.split(".")[0]
        if label == "silent": return None
        if label not in records: return 3
        found = [("A", address) for address in records[label]] if kind == "A" else []
        return [("CNAME", "real.test")] + found if label == "alias" else found
    dns = DNS(answer)

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(100)
    port = listener.getsockname()[1]
    def serve():
        while True:
            connection, _ = listener.accept()
            connection.settimeout(60)
            try: connection.recv(4096)
            except OSError: pass
            connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
            connection.close()
    threading.Thread(target=serve, daemon=True).start()

    process = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    def case(name, url, client="own", private=True, exclude="", finds=False, milliseconds=60000):
        dns.asked.clear()
        process.stdin.write(json.dumps({"url": url.replace("PORT", str(port)), "client": client, "finds": finds,
            "milliseconds": milliseconds, "allowsPrivate": private, "exclusions": exclude}) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        print(json.dumps({"name": name, "asked": sum(dns.asked.values()), **answer}), flush=True)

    for client in ["own", "curl"]:
        case(client + " mixed", "http://mixed.test:PORT/", client, exclude="10.0.0.0/8")
        case(client + " private", "http://private.test:PORT/", client, private=False)
        case(client + " own address", "http://good.test:PORT/", client, private=False)
        case(client + " excluded", "http://a.good.test:PORT/", client, exclude="*.good.test")
    case("datagrams mixed", "dns://mixed.test:1/a.example", exclude="10.0.0.0/8")
    case("datagrams private", "dns://private.test:1/a.example", private=False)
    for finds in [False, True]:
        word = " found" if finds else ""
        case("good" + word, "http://good.test:PORT/", finds=finds)
        case("alias" + word, "tcp://alias.test:PORT", finds=finds)
        case("curl" + word, "http://good.test:PORT/", "curl", finds=finds)
        case("unknown" + word, "http://unknown.test:PORT/", finds=finds)
        case("silent" + word, "tcp://silent.test:PORT", finds=finds, milliseconds=300)
        case("private" + word, "http://private.test:PORT/", private=False, finds=finds)
        case("excluded" + word, "http://good.test:PORT/", exclude="good.test", finds=finds)
    process.stdin.close()
    sys.exit(process.wait())
    """#

  private struct Case: Decodable {
    var name: String
    var asked: Int
    var found: [String]?
    var lifetimes: [Double]?
    var reason: String?
    var detail: String?
    var remote: String?
    var addresses: [String]?
    var aliases: [String]?
    var resolve: Double?
  }

  @Test func targetRulesApplyInASeparateNetwork() async throws {
    let all: [Case] = try await OwnNetwork.run(Self.script, [try builtProgram("guarded-probes")])
    func named(_ name: String) throws -> Case { try #require(all.first { $0.name == name }, "\(name)") }
    for client in ["own", "curl"] {
      // Of several addresses, the allowed one is used.
      let mixed = try named("\(client) mixed")
      #expect(mixed.reason == nil && mixed.remote == "127.0.0.1", "\(mixed)")
      for name in ["private", "own address"] {
        #expect(try named("\(client) \(name)").reason == "policy.address", "\(client) \(name)")
      }
      let excluded = try named("\(client) excluded")
      #expect(excluded.detail == "a.good.test is excluded by *.good.test: not connected")
      #expect(excluded.asked == 0, "it is not looked up")
    }
    #expect(
      try named("own private").detail
        == "private.test resolves to 10.0.0.1, which is a private or reserved address: not connected")
    #expect(try named("datagrams mixed").reason == "connect.refused")
    #expect(try named("datagrams mixed").remote == "127.0.0.1")
    #expect(try named("datagrams private").reason == "policy.address")

    // A probe after a lookup has the same result as one that makes it.
    for name in ["good", "alias", "unknown", "silent", "private", "excluded"] {
      let (own, found) = (try named(name), try named("\(name) found"))
      #expect(own.reason == found.reason && own.remote == found.remote, "\(own) \(found)")
      #expect(own.addresses == found.addresses && own.aliases == found.aliases, "\(own) \(found)")
      // One query for each family, and no more.
      if name != "silent" { #expect(own.asked == found.asked, "\(own) \(found)") }
      if name != "silent" { #expect(own.detail == found.detail) }
      #expect((own.resolve == nil) == (found.resolve == nil))
    }
    let good = try named("good found")
    #expect(good.found == ["127.0.0.1"] && good.lifetimes == [300] && good.asked == 2)
    #expect(good.resolve.map { $0 > 0 } == true)
    #expect(try named("alias found").aliases == ["real.test"])
    #expect(try named("private found").found == ["10.0.0.1"])
    #expect(try named("unknown found").reason == "dns.noSuchHost")
    #expect(try named("silent found").reason == "timeout.resolve")
    #expect(try named("silent found").detail?.hasPrefix("no answer from DNS after 0.3") == true)
    #expect(try named("curl found").found == ["127.0.0.1"])
    #expect(try named("curl found").reason == nil)
  }
}
