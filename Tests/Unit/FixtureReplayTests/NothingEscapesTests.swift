import Foundation
import Testing
import TestRequirements
import TestSupport

/// Probes that are routed to a replay server, in a network of the test's own, in which every address is this machine and
/// every packet is seen.
@Suite struct NothingEscapesTests {
  /// Runs the given program, first routed, then live, and prints its output and the packets on the wire.
  private static let script = #"""
    import json, socket, struct, subprocess, sys, threading
    command = sys.argv[1]
    for line in ["ip route add local 0.0.0.0/0 dev lo", "ip -6 route add local ::/0 dev lo"]:
        subprocess.run(line.split(), check=True)
    replace("/etc/resolv.conf", "nameserver 127.0.0.1\n")
    replace("/etc/nsswitch.conf", "hosts: dns\n")
    replace("/etc/hosts", "")

    dns = DNS(lambda name, kind: [("A", "203.0.113.9")] if kind == "A" else [])

    def destination(packet):
        kind, packet = packet[12:14], packet[14:]
        if kind == b"\x08\0":
            protocol, address, rest = packet[9], socket.inet_ntoa(packet[16:20]), packet[(packet[0] & 15) * 4:]
        elif kind == b"\x86\xdd":
            protocol, address, rest = packet[6], "[%s]" % socket.inet_ntop(socket.AF_INET6, packet[24:40]), packet[40:]
        else: return None
        port = "%s:%d" % (address, struct.unpack("!H", rest[2:4])[0])
        if protocol == 17: return "udp " + port
        if protocol == 6 and rest[13] & 0x12 == 2: return port

    def watch(sight, seen):
        while True:
            packet = sight.recv(65536)
            if packet[14:18] == b"stop": return
            place = destination(packet)
            if place: seen.add(place)

    for mode in ["--routed", "--live"]:
        sight = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.ntohs(3))
        sight.setsockopt(socket.SOL_SOCKET, 33, 32 << 20)  # SO_RCVBUFFORCE
        sight.bind(("lo", 0))
        seen = set()
        dns.asked.clear()
        watcher = threading.Thread(target=watch, args=(sight, seen))
        watcher.start()
        run = subprocess.run([command, mode], capture_output=True, text=True, timeout=600)
        # A packet of a kind that nobody uses, so that everything before it has been seen.
        sight.send(b"\0" * 12 + b"\x88\xb5" + b"stop" + b"\0" * 46)
        watcher.join()
        lost = struct.unpack("II", sight.getsockopt(263, 6, 8))[1]  # SOL_PACKET, PACKET_STATISTICS
        print(json.dumps({"mode": mode, "code": run.returncode, "errors": run.stderr, "lines": run.stdout.splitlines(),
            "seen": sorted(seen), "names": sorted(dns.asked), "lost": lost}), flush=True)
    """#

  private struct Run: Decodable {
    var mode: String
    var code: Int
    var errors: String
    var lines: [String]
    var seen: [String]
    var names: [String]
    var lost: Int

    /// The program's report on each probe: its name, its destination and its result.
    var probes: [[String]] { lines.map { $0.split(separator: " ").map(String.init) } }
  }

  @Test func inASeparateNetwork() async throws {
    let runs: [Run] = try await OwnNetwork.run(Self.script, [try builtProgram("routed-probes")])
    let routed = try #require(runs.first { $0.mode == "--routed" })
    let live = try #require(runs.first { $0.mode == "--live" })
    #expect(routed.code == 0 && live.code == 0, "\(routed.errors)\(live.errors)")
    #expect(routed.lost == 0 && live.lost == 0)

    // Routed: every probe receives a response, no name is looked up, and all connections are to the server's
    // ports.
    #expect(routed.probes.count > 15)
    for probe in routed.probes { #expect(["204", "connected"].contains(probe.last), "\(probe)") }
    #expect(routed.names == [])
    let escaped = routed.seen.filter { destination in
      let parts = destination.split(separator: ":")
      return parts.first != "127.0.0.1" || UInt16(parts.last ?? "").map { $0 < 10_000 } ?? true
    }
    #expect(escaped == [])
    #expect(!routed.seen.isEmpty, "the wire was watched")

    // Live: every one of them would have been seen.
    for probe in live.probes {
      #expect(live.names.contains(probe[1]) || live.seen.contains(probe[1]), "\(probe)")
    }
  }
}
