import TestSupport
import Testing

/// The observers' reports on a real network that changes.
@Suite
struct ReachabilityNetworkTests {
  @Test func changesOfAddressesInternetAndHostsAreReported() async throws {
    let seen = try await NetworkScript.run(
      #"""
      def name(address): replace("/etc/hosts", "127.0.0.1 localhost\n%s server.test\n" % address)
      name("10.0.0.9")
      cable("eth0", "router", "10.0.0.2/24")
      watcher = Watcher()
      watcher.expect("start", lambda path: link(path, "eth0"))

      watcher.observe("address 10.0.0.77")
      watcher.reach("neighbour", "address 10.0.0.77", lambda text: True)
      watcher.observe("address 10.0.0.2")
      watcher.reach("own", "address 10.0.0.2", lambda text: True)
      watcher.observe("host 127.0.0.5")
      watcher.reach("written", "host 127.0.0.5", lambda text: True)
      watcher.observe("wifi")
      watcher.reach("wifi", "wifi", lambda text: True)

      watcher.observe("internet")
      watcher.reach("no internet", "internet", lambda text: True)
      ip("route add default via 10.0.0.1")
      watcher.reach("internet", "internet", lambda text: text.startswith("reachable"))
      ip("link set router down")
      watcher.reach("no carrier", "internet", lambda text: text.startswith("unreachable"))
      ip("link set router up")
      watcher.reach("carrier", "internet", lambda text: text.startswith("reachable"))

      watcher.observe("host server.test")
      watcher.reach("host", "host server.test", lambda text: text.startswith("reachable"))
      # The name means another address from now on; the path tells when to look.
      name("192.0.2.9")
      ip("address add 10.9.0.2/24 dev eth0")
      watcher.reach("moved", "host server.test", lambda text: "isDefault" in text)
      ip("route delete default")
      watcher.reach("no route", "host server.test", lambda text: text.startswith("unreachable"))
      watcher.stop()
      """#)
    #expect(seen.values.allSatisfy { $0.came == true })
    #expect(seen["neighbour"]?.reachability == "reachable direct via eth0 from 10.0.0.2")
    #expect(seen["own"]?.reachability == "reachable local via lo from 10.0.0.2")
    #expect(seen["written"]?.reachability == "reachable local via lo from 127.0.0.1")
    // Ethernet and similar interfaces are not Wi-Fi.
    #expect(seen["wifi"]?.status == "notReachable" && seen["wifi"]?.reachability == "unreachable")
    #expect(seen["no internet"]?.status == "notReachable")
    #expect(seen["internet"]?.reachability == "reachable isDefault via eth0 by 10.0.0.1 from 10.0.0.2")
    #expect(seen["host"]?.reachability == "reachable direct via eth0 from 10.0.0.2")
    #expect(seen["moved"]?.reachability == "reachable isDefault via eth0 by 10.0.0.1 from 10.0.0.2")
  }

  /// There is no radio here, so the files that identify one are simulated.
  @Test func localWiFiFollowsTheLinkAndLeasesSayWhatIsMetered()
    async throws
  {
    let seen = try await NetworkScript.run(
      #"""
      import socket
      def files(name, number, type):
          folder = "/sys/class/net/" + name
          os.makedirs(folder)
          for file, text in [("ifindex", number), ("uevent", "INTERFACE=%s\nDEVTYPE=%s" % (name, type)), ("address", addresses[name])]:
              with open(os.path.join(folder, file), "w") as out: out.write("%s\n" % text)
      cable("wlan0", "point", "192.168.1.7/24")
      cable("wlan1", "other", "192.168.2.7/24")
      numbers = {name: socket.if_nametoindex(name) for name in ["wlan0", "wlan1"]}
      addresses = {entry["ifname"]: entry["address"] for entry in json.loads(subprocess.check_output(["ip", "-json", "link"]))}
      subprocess.run(["mount", "-t", "tmpfs", "none", "/sys"], check=True)
      subprocess.run(["mount", "-t", "tmpfs", "none", "/run"], check=True)
      files("wlan0", numbers["wlan0"], "wlan")
      # Of another namespace, by its number.
      files("wlan1", numbers["wlan1"] + 100, "wlan")
      os.makedirs("/run/systemd/netif/leases")
      with open("/run/systemd/netif/leases/%d" % numbers["wlan0"], "w") as lease:
          lease.write("ADDRESS=192.168.1.7\nVENDOR_SPECIFIC=%s\n" % b"ANDROID_METERED".hex())
      watcher = Watcher()
      watcher.expect("start", lambda path: True)
      watcher.observe("wifi")
      watcher.reach("associated", "wifi", lambda text: True)
      ip("link set point down")
      watcher.reach("lost", "wifi", lambda text: text.startswith("unreachable"))
      ip("link set wlan0 down")
      watcher.reach("off", "wifi", lambda text: "intervention" in text)
      ip("link set wlan0 up")
      ip("link set point up")
      watcher.reach("back", "wifi", lambda text: text.startswith("reachable"))
      watcher.stop()
      """#)
    #expect(seen.values.allSatisfy { $0.came == true })
    let start = try #require(seen["start"]?.path)
    #expect(start["wlan0"]?.kind == "wifi" && start["wlan0"]?.isMetered == true)
    #expect(start["wlan1"]?.kind == "virtual" && start["wlan1"]?.isMetered == nil)
    #expect(seen["associated"]?.status == "reachableViaWiFi")
    #expect(seen["associated"]?.reachability == "reachable direct viaWiFi via wlan0 from 192.168.1.7")
    #expect(seen["lost"]?.reachability == "unreachable connectionRequired")
    #expect(seen["off"]?.reachability == "unreachable connectionRequired interventionRequired")
    #expect(seen["back"]?.status == "reachableViaWiFi")
  }
}
