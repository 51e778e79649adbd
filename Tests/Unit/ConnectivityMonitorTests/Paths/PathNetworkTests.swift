import Testing
import TestRequirements
import TestSupport

/// The monitor's reports on a real network that changes.
@Suite
struct PathNetworkTests {
  private typealias Way = NetworkScript.Way

  @Test func changesOfLinksAndAddressesAreReported() async throws {
    let seen = try await NetworkScript.run(
      #"""
      cable("eth0", "router", "10.0.0.2/24")
      ip("route add default via 10.0.0.1")
      watcher = Watcher()
      watcher.expect("start", lambda path: way(path))
      ip("link set eth0 down")
      watcher.expect("down", lambda path: not link(path, "eth0")["isUp"])
      ip("link set eth0 up")
      watcher.expect("up", lambda path: link(path, "eth0")["isRunning"])
      # The kernel has not put it back.
      ip("route add default via 10.0.0.1")
      watcher.expect("route again", lambda path: way(path))
      ip("link set router down")
      watcher.expect("no carrier", lambda path: not link(path, "eth0")["hasCarrier"])
      ip("link set router up")
      watcher.expect("carrier", lambda path: link(path, "eth0")["hasCarrier"] and way(path))
      ip("address delete 10.0.0.2/24 dev eth0")
      watcher.expect("no address", lambda path: not link(path, "eth0")["addresses"] and not path["defaultRoutes"])
      ip("address add 10.0.0.3/24 dev eth0")
      ip("route add default via 10.0.0.1")
      watcher.expect("address", lambda path: way(path))
      ip("link set eth0 down")
      ip("link set eth0 name wan0")
      watcher.expect("name", lambda path: link(path, "wan0"))
      ip("link delete wan0")
      watcher.expect("gone", lambda path: len(path["interfaces"]) == 1)
      watcher.stop()
      """#)
    #expect(seen.values.allSatisfy { $0.came == true })
    let start = try #require(seen["start"]?.path)
    #expect(start["lo"]?.kind == "loopback" && start["eth0"]?.kind == "virtual")
    #expect(start["lo"]?.isMetered == false && start["eth0"]?.isMetered == nil)
    #expect(start["eth0"]?.addresses == ["10.0.0.2/24"])
    #expect(start.defaultRoutes == [Way(interface: "eth0", gateway: "10.0.0.1", metric: 0)])
    #expect(start.internet == ["v4": Way(interface: "eth0", gateway: "10.0.0.1", source: "10.0.0.2")])
    #expect(start.current == "eth0")

    let down = try #require(seen["down"]?.path)
    // The kernel removes IPv4 routes without a message.
    #expect(down.defaultRoutes.isEmpty && down.internet.isEmpty && down.current == nil)
    #expect(seen["up"]?.path?.internet.isEmpty == true)
    #expect(seen["route again"]?.path?.current == "eth0")

    let noCarrier = try #require(seen["no carrier"]?.path)
    #expect(noCarrier["eth0"]?.isUp == true && noCarrier["eth0"]?.isRunning == false)
    // The kernel keeps the route, which cannot be used.
    #expect(noCarrier.defaultRoutes.count == 1 && noCarrier.internet.isEmpty && noCarrier.current == nil)
    #expect(seen["carrier"]?.path?.current == "eth0")
    #expect(seen["no address"]?.path?.internet.isEmpty == true)
    #expect(seen["address"]?.path?.internet["v4"]?.source == "10.0.0.3")
    #expect(seen["name"]?.path?["eth0"] == nil)
  }

  @Test func changesOfRoutesAreReported() async throws {
    let seen = try await NetworkScript.run(
      #"""
      cable("eth0", "router", "10.0.0.2/24")
      cable("wlan0", "point", "10.1.0.2/24")
      watcher = Watcher()
      watcher.expect("none", lambda path: not way(path))
      ip("route add default via 10.0.0.1 metric 100")
      ip("route add default via 10.1.0.1 metric 600")
      watcher.expect("two", lambda path: len(path["defaultRoutes"]) == 2)
      watcher.route("to a neighbour", "10.1.0.77")
      watcher.route("to this machine", "10.0.0.2")
      watcher.route("by IPv6", "2001:db8::1")
      ip("route delete default via 10.0.0.1")
      watcher.expect("one", lambda path: len(path["defaultRoutes"]) == 1)
      ip("route replace default via 10.1.0.9 metric 600")
      watcher.expect("replaced", lambda path: way(path).get("gateway") == "10.1.0.9")
      ip("route replace default metric 600 nexthop via 10.0.0.1 nexthop via 10.1.0.1")
      watcher.expect("spread", lambda path: len(path["defaultRoutes"]) == 2)
      ip("route flush exact default")
      watcher.expect("flushed", lambda path: not path["defaultRoutes"])
      for kind in ["blackhole", "unreachable", "prohibit"]:
          ip("route add default via 10.0.0.1 metric 600")
          watcher.expect("before " + kind, lambda path: way(path))
          ip("route add %s default metric 1" % kind)
          watcher.expect(kind, lambda path: not way(path))
          watcher.route("by " + kind, "192.0.2.1")
          ip("route flush exact default")
          watcher.expect("flushed after " + kind, lambda path: not path["defaultRoutes"])
      # As a VPN does that leaves the default route alone.
      ip("route add default via 10.0.0.1")
      watcher.expect("before halves", lambda path: way(path).get("interface") == "eth0")
      ip("route add 0.0.0.0/1 via 10.1.0.1")
      ip("route add 128.0.0.0/1 via 10.1.0.1")
      watcher.expect("halves", lambda path: way(path).get("interface") == "wlan0")
      ip("route delete 0.0.0.0/1")
      ip("route delete 128.0.0.0/1")
      watcher.expect("no halves", lambda path: way(path).get("interface") == "eth0")
      # As a VPN does that has a table of its own.
      ip("route add default via 10.1.0.1 table 51")
      ip("rule add from all lookup 51 priority 50")
      watcher.expect("rule", lambda path: way(path).get("interface") == "wlan0")
      ip("rule delete priority 50")
      watcher.expect("no rule", lambda path: way(path).get("interface") == "eth0")
      ip("rule add unreachable priority 40")
      watcher.expect("forbidding rule", lambda path: not way(path))
      watcher.stop()
      """#)
    #expect(seen.values.allSatisfy { $0.came == true })
    #expect(seen["none"]?.path?.defaultRoutes.isEmpty == true)
    let two = try #require(seen["two"]?.path)
    #expect(two.defaultRoutes.map(\.interface) == ["eth0", "wlan0"])
    #expect(two.defaultRoutes.map(\.metric) == [100, 600])
    #expect(two.current == "eth0")
    #expect(seen["to a neighbour"]?.route == Way(interface: "wlan0", source: "10.1.0.2"))
    #expect(seen["to this machine"]?.route?.interface == "lo")
    #expect(seen["by IPv6"]?.came == true && seen["by IPv6"]?.route == nil)
    #expect(seen["one"]?.path?.current == "wlan0")
    #expect(seen["replaced"]?.path?.defaultRoutes.map(\.gateway) == ["10.1.0.9"])
    #expect(Set(seen["spread"]?.path?.defaultRoutes.map(\.interface) ?? []) == ["eth0", "wlan0"])
    for kind in ["blackhole", "unreachable", "prohibit"] {
      // A route that cannot be used is not a default route; the other one still is.
      #expect(seen[kind]?.path?.defaultRoutes.count == 1)
      #expect(seen["by \(kind)"]?.route == nil)
    }
    #expect(seen["halves"]?.path?.defaultRoutes.map(\.interface) == ["eth0"])
    #expect(seen["rule"]?.path?.defaultRoutes.map(\.interface) == ["eth0"])
  }

  @Test func aNetworkWithIPv6AloneHasARoute() async throws {
    let seen = try await NetworkScript.run(
      #"""
      cable("eth0", "router", "2001:db8::2/64")
      watcher = Watcher()
      ip("-6 route add default via 2001:db8::1")
      watcher.expect("way", lambda path: way(path, "v6"))
      ip("link set router down")
      watcher.expect("no carrier", lambda path: not way(path, "v6"))
      ip("link set router up")
      watcher.expect("carrier", lambda path: way(path, "v6"))
      ip("-6 route add blackhole default metric 1")
      watcher.expect("blackhole", lambda path: not way(path, "v6"))
      watcher.stop()
      """#)
    #expect(seen.values.allSatisfy { $0.came == true })
    let way = try #require(seen["way"]?.path)
    #expect(way.internet == ["v6": Way(interface: "eth0", gateway: "2001:db8::1", source: "2001:db8::2")])
    #expect(way.defaultRoutes == [Way(interface: "eth0", gateway: "2001:db8::1", metric: 1024)])
    #expect(way.current == "eth0")
  }

  @Test func aTunnelIsAVPNAndVirtualInterfacesAreNotEthernet() async throws {
    let seen = try await NetworkScript.run(
      #"""
      cable("eth0", "router", "10.0.0.2/24")
      ip("route add default via 10.0.0.1")
      ip("link add bridge0 type bridge")
      watcher = Watcher()
      watcher.expect("before", lambda path: way(path))
      if can("tuntap add dev tun0 mode tun"):
          ip("tuntap add dev tap0 mode tap")
          watcher.expect("devices", lambda path: link(path, "tun0") and link(path, "tap0"))
          # A tun device has a carrier while a program serves it.
          import fcntl, struct
          tun = os.open("/dev/net/tun", os.O_RDWR)
          fcntl.ioctl(tun, 0x400454CA, struct.pack("16sH22x", b"tun0", 0x1001))
          ip("link set tun0 up")
          ip("address add 10.8.0.2/32 dev tun0")
          ip("route add 0.0.0.0/1 dev tun0")
          ip("route add 128.0.0.0/1 dev tun0")
          watcher.expect("vpn", lambda path: way(path).get("interface") == "tun0")
          watcher.observe("address 192.0.2.7")
          watcher.reach("by vpn", "address 192.0.2.7", lambda text: "tun0" in text)
          os.close(tun)
          watcher.expect("no vpn", lambda path: way(path).get("interface") != "tun0")
      else:
          say("without tun")
      watcher.stop()
      """#)
    #expect(seen["before"]?.path?["bridge0"]?.kind == "virtual")
    guard seen["without tun"] == nil else { try skipTest("there are no tun devices here") }
    #expect(seen.values.allSatisfy { $0.came == true })
    #expect(seen["devices"]?.path?["tun0"]?.kind == "vpn")
    #expect(seen["devices"]?.path?["tap0"]?.kind == "virtual")
    let vpn = try #require(seen["vpn"]?.path)
    #expect(vpn.current == "tun0")
    #expect(vpn.internet["v4"] == Way(interface: "tun0", source: "10.8.0.2"))
    #expect(
      seen["by vpn"]?.reachability == "reachable isDefault transient via tun0 from 10.8.0.2")
  }
}
