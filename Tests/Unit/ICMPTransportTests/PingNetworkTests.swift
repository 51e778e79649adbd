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

  /// Functions of the scripts: `permit` sets the groups that may use ping sockets, `probe` prints a line.
  private static let functions = #"""
    import json, struct, sys
    probekit, setting = sys.argv[1], "/proc/sys/net/ipv4/ping_group_range"
    # The right to use raw sockets, which root of a network has, is removed.
    UNPRIVILEGED = ["setpriv", "--bounding-set", "-net_raw", "--inh-caps", "-net_raw"]
    def permit(text):
        try:
            with open(setting, "w") as file: file.write(text)
        except OSError as error:
            print(f"{setting} cannot be written: {error}"); sys.exit(75)
    def report(name, found):
        print(json.dumps({"name": name, "address": found["remoteAddress"],
                          **{key: found[key] for key in ("outcome", "reason", "detail")}}))
    def run(*arguments, rights=()):
        return subprocess.run([*rights, probekit, *arguments], capture_output=True, text=True)
    def probe(name, url, *options, rights=(), command="check"):
        done = run(command, *(["--allow-http"] if command == "check" else []), "--format", "json", *options, url,
                   rights=rights)
        report(name, json.loads(done.stdout)["sets"][0]["probes"][0])
    def rule(text):
        subprocess.run(["nft", "flush ruleset; table inet t { chain in { type filter hook input priority 0; "
                        + text + "\n}\n}\n"], check=True)

    """#

  private static let script =
    functions + #"""
      with open(__file__ + ".yaml", "w") as file:
          file.write("{version: 1, name: p, question: services, policy: {https: optional}, "
                     "sets: [{name: s, urls: ['icmp://ping.test']}]}")
      with open(__file__ + ".txt", "w") as file: file.write("icmp://127.0.0.1\n")
      replace("/etc/resolv.conf", "nameserver 127.0.0.1\n")
      replace("/etc/hosts", "127.0.0.1 hosts.test\n")
      server = DNS(lambda name, kind: [(kind, "127.0.0.1" if kind == "A" else "::1")] if name == "ping.test" else 3)
      # A new network permits ping sockets to no group.
      for address in ["127.0.0.1", "[::1]"]:
          probe("forbidden", f"icmp://{address}", rights=UNPRIVILEGED)
      # Over raw sockets; then over ping sockets, for which a user namespace has only group 0.
      for rights, groups in [((), None), (UNPRIVILEGED, "0 0")]:
          if groups: permit(groups)
          subprocess.run(["nft", "flush ruleset"], check=True)
          probe("v4", "icmp://127.0.0.1", "--validate", "loss=0%", rights=rights)
          probe("v6", "icmp://[::1]", "--validate", "contains=3 sent, 3 received, 0.0 % loss, min/avg/max ",
                rights=rights)
          probe("name", "icmp://ping.test", rights=rights)
          probe("hosts", "icmp://hosts.test", rights=rights)
          probe("run", __file__ + ".yaml", command="run", rights=rights)
          done = run("scan", "--allow-http", "--allow-private", "--input", __file__ + ".txt", rights=rights)
          report("scan", json.loads(done.stdout.splitlines()[0]))
          probe("no route", "icmp://192.0.2.1", rights=rights)
          rule("icmp type echo-request reject with icmp type host-unreachable; "
               "icmpv6 type echo-request reject with icmpv6 type addr-unreachable")
          for address in ["127.0.0.1", "[::1]"]: probe("unreachable", f"icmp://{address}", rights=rights)
          rule("icmp type echo-request drop")
          probe("lost", "icmp://127.0.0.1", "--timeout", "500ms", rights=rights)
          rule("icmp type echo-request numgen inc mod 3 0 drop")
          probe("some lost", "icmp://127.0.0.1", "--timeout", "1s", rights=rights)
          probe("too many lost", "icmp://127.0.0.1", "--timeout", "1s", "--validate", "loss=10%", rights=rights)
      """#

  /// The results over each kind of socket.
  private static let results = [
    ["v4", "accepted", ""], ["v6", "accepted", ""], ["name", "accepted", ""], ["hosts", "accepted", ""],
    ["run", "accepted", ""], ["scan", "accepted", ""], ["no route", "failed", "connect.unreachable"],
    ["unreachable", "failed", "connect.unreachable"], ["unreachable", "failed", "connect.unreachable"],
    ["lost", "failed", "timeout.response"], ["some lost", "accepted", ""],
    ["too many lost", "failed", "icmp.loss"],
  ]

  @Test func pingsOfANetwork() async throws {
    guard hasIPv6 else { try skipTest("this machine has no ::1") }
    let lines: [Line] = try await OwnNetwork.run(
      Self.script, [try builtProgram("probekit")], tools: ["nft", "setpriv"])
    let reasons = lines.map { [$0.name, $0.outcome, $0.reason ?? ""] }
    let forbidden = ["forbidden", "failed", "local.permission"]
    #expect(reasons == [forbidden, forbidden] + Self.results + Self.results)
    for line in lines where line.name == "forbidden" {
      #expect(
        line.detail
          == "this machine permits ping sockets to no group of this process, and it has no CAP_NET_RAW for a raw socket: "
          + "run sysctl -w net.ipv4.ping_group_range=\"0 2147483647\", or give it that capability")
    }
    for (name, addresses) in [
      ("v4", ["127.0.0.1"]), ("v6", ["::1"]), ("name", ["127.0.0.1", "::1"]), ("hosts", ["127.0.0.1"]),
    ] {
      for line in lines where line.name == name { #expect(addresses.contains(line.address ?? ""), "\(name)") }
    }
    for line in lines where line.name == "lost" {
      #expect(line.detail == "no echo reply in time: 3 sent, 0 received, 100.0 % loss")
    }
  }

  /// Each request is dropped, and a forger who sees it responds, or nobody does except with errors for others.
  private static let forging =
    functions + #"""
      def checksum(bytes):
          bytes += b"\0" * (len(bytes) % 2)
          total = sum(struct.unpack(f"!{len(bytes) // 2}H", bytes))
          while total >> 16: total = (total & 0xffff) + (total >> 16)
          return ~total & 0xffff
      def reply(v6, identifier, number, data, damage=0):
          def message(sum): return struct.pack("!BBHHH", 129 if v6 else 0, 0, sum, identifier, number) + data
          return message(checksum(message(0)) ^ damage)
      # The source of a reply, and its changes to identifier, number, the first byte of the data, and checksum.
      FORGED = {
          "genuine": (True, 0, 0, 0, 0), "another address": (False, 0, 0, 0, 0), "identifier": (True, 1, 0, 0, 0),
          "number": (True, 0, 7, 0, 0), "data": (True, 0, 0, 1, 0), "checksum": (True, 0, 0, 0, 1)}
      subprocess.run(["ip", "address", "add", "fd00::2/128", "dev", "lo"], check=True)
      for v6 in [False, True]:
          # Waits for the address, which is tentative at first.
          while True:
              try:
                  senders = {}
                  for genuine in [True, False]:
                      senders[genuine] = socket.socket(
                          socket.AF_INET6 if v6 else socket.AF_INET, socket.SOCK_RAW,
                          socket.IPPROTO_ICMPV6 if v6 else socket.IPPROTO_ICMP)
                      own = ("::1" if genuine else "fd00::2") if v6 else ("127.0.0.1" if genuine else "127.0.0.2")
                      senders[genuine].bind((own, 0))
                  break
              except OSError: time.sleep(0.01)
          rule("icmp type echo-request drop; icmpv6 type echo-request drop")
          for name, (genuine, identifier, number, data, damage) in FORGED.items():
              # The system computes the checksum of ICMPv6.
              if v6 and damage: continue
              wire = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x86dd if v6 else 0x800))
              def forge():
                  while True:
                      try: packet = wire.recv(65536)
                      except OSError: return
                      start, kind = (40, 128) if v6 else (20, 8)
                      if packet[6 if v6 else 9] != (58 if v6 else 1) or packet[start] != kind: continue
                      found, sent = struct.unpack_from("!HH", packet, start + 4)
                      body = packet[start + 8:]
                      forged = reply(v6, found ^ identifier, sent + number, bytes([body[0] ^ data]) + body[1:], damage)
                      senders[genuine].sendto(forged, ("::1" if v6 else "127.0.0.1", 0))
              threading.Thread(target=forge, daemon=True).start()
              probe(name, "icmp://[::1]" if v6 else "icmp://127.0.0.1", "--timeout", "60s" if name == "genuine" else "1s")
              wire.close()
          # Another process gets errors for its own requests to the same address.
          rule("icmp type echo-request icmp id 4242 reject with icmp type host-unreachable; "
               "icmpv6 type echo-request icmpv6 id 4242 reject with icmpv6 type addr-unreachable")
          other = struct.pack("!BBHHH", 128 if v6 else 8, 0, 0, 4242, 1)
          if not v6: other = other[:2] + struct.pack("!H", checksum(other)) + other[4:]
          isRunning = True
          def disturb():
              while isRunning:
                  senders[True].sendto(other, ("::1" if v6 else "127.0.0.1", 0))
                  time.sleep(0.005)
          thread = threading.Thread(target=disturb)
          thread.start()
          probe("errors of others", "icmp://[::1]" if v6 else "icmp://127.0.0.1", "--validate", "loss=0%",
                "--timeout", "60s")
          isRunning = False
          thread.join()
      """#

  @Test func onlyRepliesAndErrorsForItsOwnRequestsCount() async throws {
    guard hasIPv6 else { try skipTest("this machine has no ::1") }
    let lines: [Line] = try await OwnNetwork.run(
      Self.forging, [try builtProgram("probekit")], tools: ["nft", "setpriv"])
    let ignored = ["another address", "identifier", "number", "data"]
    let expected = [ignored + ["checksum"], ignored].flatMap { ignored in
      [["genuine", "accepted", ""]] + ignored.map { [$0, "failed", "timeout.response"] }
        + [["errors of others", "accepted", ""]]
    }
    #expect(lines.map { [$0.name, $0.outcome, $0.reason ?? ""] } == expected)
  }
}
