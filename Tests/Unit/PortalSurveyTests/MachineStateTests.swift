import FoundationEssentials
@testable import PortalSurvey
import ProbeCore
import TestSupport
import Testing

/// The state of a machine whose files are in a folder.
@Suite struct MachineStateTests {
  /// 2030-06-15 12:00:00 UTC.
  private let time = Date(timeIntervalSince1970: 1_907_755_200)
  private let portal = "https://portal.example/api"

  /// A machine with Wi-Fi as interface 3, and optionally a tunnel over it as interface 7.
  private func network(tunnel: String? = nil) throws -> NetworkState {
    let gateway = try #require(IPAddress("192.0.2.1"))
    let own = AddressBlock(try #require(IPAddress("192.0.2.9")), prefixLength: 24)
    var network = NetworkState(
      links: [
        .init(index: 1, name: "lo", isLoopback: true), .init(index: 3, name: "wlan0", addresses: [own]),
        .init(index: 4, name: "eth0.100"),
      ],
      ways: [.v4: .init(interface: 3, gateway: gateway)], defaults: [.init(interface: 3, gateway: gateway)])
    if let tunnel {
      network.links.append(.init(index: 7, name: "vpn0", tunnelKind: tunnel))
      network.ways[.v4] = .init(interface: 7)
    }
    return network
  }

  private func state(
    _ files: [String: String], _ network: NetworkState? = nil, environment: [String: String] = [:]
  ) throws -> (facts: MachineFacts, announcements: [Announcement]) {
    let folder = try TemporaryFolder(files)
    return MachineState(root: folder.path, network: try network ?? self.network(), time: time).read(
      environment)
  }

  private func lease(
    _ text: String, interface: String = "wlan0", address: String = "192.0.2.9", year: Int = 2031
  ) -> String {
    """
    lease {
      interface "\(interface)";
      fixed-address \(address);
      option default-url "\(text)";
      expire 0 \(year)/01/01 00:00:00;
    }

    """
  }

  private let link = "ADMIN_STATE=configured\nNETWORK_FILE=/etc/systemd/network/w.network\n"
  private let library = "usr/lib/x86_64-linux-gnu/systemd/libsystemd-shared-257.7-1.so"

  @Test func anEmptyMachineHasNoFindings() throws {
    let (facts, announcements) = try state([:])
    var expected = MachineFacts()
    expected.interface = "wlan0"
    #expect(facts == expected)
    #expect(announcements == [])
    #expect(try state([:], NetworkState()).facts == MachineFacts())
  }

  @Test func systemdNetworkdIsRead() throws {
    let path = "run/systemd/netif/links/3"
    func finding(_ files: [String: String]) throws -> Announcement.Finding? {
      let announcements = try state(files).announcements
      #expect(announcements.allSatisfy { $0.method == .combined && $0.origin == "/\(path)" })
      return announcements.count == 1 ? announcements.first?.finding : nil
    }
    #expect(try finding([path: link + "CAPTIVE_PORTAL=\(portal)\n"]) == .announced(portal))
    #expect(try finding([path: link, library: ""]) == .absent)
    #expect(try finding([path: link]) == .unknown("the version of systemd-networkd is unknown"))
    #expect(
      try finding([path: link, "usr/lib/systemd/libsystemd-shared-252.so": ""])
        == .unknown("systemd-networkd 252 does not request it; 254 and later do"))
    #expect(
      try finding([
        path: link, library: "", "etc/systemd/network/w.network": "[DHCPv4]\nUseCaptivePortal=false\n",
      ]) == .unknown("UseCaptivePortal= is off for the interface"))
    // Another interface.
    #expect(try state(["run/systemd/netif/links/4": link + "CAPTIVE_PORTAL=x\n"]).announcements == [])
  }

  @Test func theInterfaceUnderneathATunnelIsUsed() throws {
    let (facts, announcements) = try state(
      ["run/systemd/netif/links/3": link + "CAPTIVE_PORTAL=\(portal)\n"], network(tunnel: "wireguard"))
    #expect(facts.interface == "vpn0")
    #expect(facts.tunnel == "vpn0")
    #expect(facts.tunnelKind == "wireguard")
    #expect(announcements.map(\.text) == [portal])
  }

  @Test func networkManagerAndItsLeaseAreRead() throws {
    let device = ["run/NetworkManager/devices/3": "[device]\nmanaged=true\nconnection-uuid=5b0e\n"]
    #expect(try state(device).announcements.map(\.unknownReason) == ["NetworkManager does not request it"])
    let own = "var/lib/NetworkManager/dhclient-5b0e-wlan0.lease"
    var files = device.merging([own: lease(portal)]) { $1 }
    #expect(try state(files).announcements.map(\.text) == [portal])
    // An expired lease is ignored.
    files[own] = lease(portal, year: 2029)
    #expect(try state(files).announcements.map(\.unknownReason) == ["NetworkManager does not request it"])
  }

  @Test func dhclientLeasesAreRead() throws {
    let all = lease("a", interface: "eth0.100", address: "192.0.2.8") + lease(portal)
    let found = Announcement(.dhcpv4, .announced(portal), origin: "/var/lib/dhcp/dhclient.leases")
    #expect(try state(["var/lib/dhcp/dhclient.leases": all]).announcements == [found])
    #expect(
      try state([
        "var/lib/dhcp/dhclient.wlan0.leases": lease(portal),
        "var/lib/dhcp/dhclient.eth0.100.leases": lease("x"),
        "var/lib/dhcp/other.leases": lease("x"), "var/lib/dhcp/dhclient.wlan0.leases.bak": lease("x"),
      ]).announcements.map(\.text) == [portal])
    #expect(
      try state(["var/lib/dhcp/dhclient.leases": lease("x", address: "192.0.2.10")]).announcements.map(
        \.unknownReason) == ["the interface does not have the address of the lease"])
    // Where the interfaces are unknown, all leases count.
    #expect(
      try state(["var/lib/dhcp/dhclient.eth9.leases": lease("x", interface: "eth9")], NetworkState())
        .announcements.map(\.text) == ["x"])
  }

  @Test func theOptionsRequestedByDhclientAreRead() throws {
    let files = ["var/lib/dhcp/dhclient.leases": lease("").replacing("option default-url \"\";", with: "")]
    #expect(try state(files).announcements.map(\.unknownReason) == ["dhclient does not request it"])
    let asking = files.merging(["etc/dhcp/dhclient.conf": "also request default-url;"]) { $1 }
    #expect(try state(asking).announcements.map(\.finding) == [.absent])
  }

  /// The interface also has a lease from an earlier network.
  @Test func theNewestDhcpcdLeaseIsUsed() throws {
    let folder = try TemporaryFolder()
    func write(_ name: String, _ text: String, age: Double) throws {
      var packet = [UInt8](repeating: 0, count: 240)
      packet[0] = 2
      packet.replaceSubrange(16..<20, with: [192, 0, 2, 9])
      packet.replaceSubrange(236..<240, with: [99, 130, 83, 99])
      packet += [51, 4, 0, 0, 14, 16, 114, UInt8(text.utf8.count)] + Array(text.utf8) + [255]
      let path = try folder.write("var/lib/dhcpcd/\(name)", "")
      try Data(packet).write(to: URL(filePath: path))
      try FileManager.default.setAttributes(
        [.modificationDate: time.addingTimeInterval(-age)], ofItemAtPath: path)
    }
    try write("wlan0-Home.lease", "home", age: 100)
    try write("wlan0-Caf\\303\\251.lease", "cafe", age: 10)
    try write("wlan1.lease", "other", age: 5)
    let state = MachineState(root: folder.path, network: try network(), time: time)
    #expect(state.read([:]).announcements.map(\.text) == ["cafe"])
    try write("wlan0-Home.lease", "home", age: 4000)
    try write("wlan0-Caf\\303\\251.lease", "cafe", age: 4000)
    #expect(state.read([:]).announcements.map(\.unknownReason) == ["the lease has expired"])
  }

  @Test func theNewestFileIsFirst() throws {
    let folder = try TemporaryFolder([
      "run/systemd/netif/links/3": link + "CAPTIVE_PORTAL=\(portal)\n",
      "var/lib/dhcp/dhclient.leases": lease("old"),
    ])
    try FileManager.default.setAttributes(
      [.modificationDate: time], ofItemAtPath: folder.path(of: "var/lib/dhcp/dhclient.leases"))
    try FileManager.default.setAttributes(
      [.modificationDate: time.addingTimeInterval(1)],
      ofItemAtPath: folder.path(of: "run/systemd/netif/links/3"))
    let state = MachineState(root: folder.path, network: try network(), time: time)
    #expect(state.read([:]).announcements.map(\.text) == [portal, "old"])
  }

  @Test func nameServersAreRead() throws {
    let quad9 = try #require(IPAddress("9.9.9.9"))
    let near = try state(["etc/resolv.conf": "nameserver 192.0.2.53\nnameserver 192.0.2.1\n"]).facts
    #expect(near.resolvers.count == 2)
    #expect(near.foreignResolvers == [])
    #expect(try state(["etc/resolv.conf": "nameserver 9.9.9.9\n"]).facts.foreignResolvers == [quad9])
    let stub = try state([
      "etc/resolv.conf": "nameserver 127.0.0.53\n",
      "run/systemd/resolve/resolv.conf": "nameserver 192.0.2.1\nnameserver 9.9.9.9\n",
    ]).facts
    #expect(stub.upstreamResolvers.count == 2)
    #expect(stub.foreignResolvers == [quad9])
    #expect(stub.encryptedDNS == nil)
    let manager = try state([
      "etc/resolv.conf": "nameserver 127.0.0.1\n",
      "run/NetworkManager/no-stub-resolv.conf": "nameserver 9.9.9.9",
    ]).facts
    #expect(manager.foreignResolvers == [quad9])
  }

  @Test func encryptedDNSIsDetected() throws {
    let stub = [
      "etc/resolv.conf": "nameserver 127.0.0.53\n",
      "run/systemd/resolve/resolv.conf": "nameserver 192.0.2.1\n",
    ]
    func encryption(_ files: [String: String], of base: [String: String]) throws -> String? {
      try state(base.merging(files) { $1 }).facts.encryptedDNS
    }
    let on = "[Resolve]\nDNSOverTLS=yes\n"
    #expect(try encryption([:], of: stub) == nil)
    #expect(try encryption(["etc/systemd/resolved.conf": on], of: stub) == "systemd-resolved: DNSOverTLS=yes")
    #expect(
      try encryption(
        [
          "usr/lib/systemd/resolved.conf": "DNSOverTLS=no\n", "usr/lib/systemd/resolved.conf.d/a.conf": on,
          "usr/lib/systemd/resolved.conf.d/b.conf": "DNSOverTLS=no\n",
          "etc/systemd/resolved.conf.d/b.conf": "DNSOverTLS=opportunistic\n",
          "etc/systemd/resolved.conf.d/c.txt": "DNSOverTLS=no\n",
        ], of: stub) == "systemd-resolved: DNSOverTLS=opportunistic")
    #expect(
      try encryption(["run/systemd/resolve/netif/3": "DNSOVERTLS=yes\n"], of: stub)
        == "systemd-resolved: DNSOverTLS=yes")
    #expect(
      try encryption(
        ["etc/systemd/resolved.conf": on, "run/systemd/netif/links/3": "DNS_OVER_TLS=no\n"], of: stub) == nil)
    // systemd-resolved must be running and in use.
    #expect(try encryption(["etc/systemd/resolved.conf": on], of: [:]) == nil)
    let other = stub.merging(["etc/resolv.conf": "nameserver 192.0.2.1\n"]) { $1 }
    #expect(try encryption(["etc/systemd/resolved.conf": on], of: other) == nil)
    #expect(
      try encryption(
        ["etc/systemd/resolved.conf": on, "etc/nsswitch.conf": "hosts: resolve dns\n"], of: other)
        != nil)
  }

  @Test func policiesAndProxiesAreFound() throws {
    let facts = try state(
      [
        "etc/firefox/policies/policies.json": #"{"policies": {"HttpsOnlyMode": "enabled"}}"#,
        "etc/opt/chrome/policies/managed/b.json": #"{"DnsOverHttpsMode": "secure"}"#,
        "etc/opt/chrome/policies/managed/a.json": #"{"HttpsOnlyMode": "force_enabled"}"#,
        "etc/opt/chrome/policies/managed/c.txt": #"{"HttpsOnlyMode": "force_enabled"}"#,
      ], environment: ["https_proxy": "http://user:secret@192.0.2.1"]
    ).facts
    #expect(
      facts.httpsOnly == [
        "Firefox: HttpsOnlyMode is enabled in /etc/firefox/policies/policies.json",
        "Chrome: HttpsOnlyMode is force_enabled in /etc/opt/chrome/policies/managed/a.json",
      ])
    #expect(
      facts.browserDNS == ["Chrome: DnsOverHttpsMode is secure in /etc/opt/chrome/policies/managed/b.json"])
    #expect(facts.proxies == ["https_proxy"])
  }

  /// Files that are far too large, and folders instead of files.
  @Test func unusableFilesAreLeftOut() throws {
    let folder = try TemporaryFolder([
      "etc/resolv.conf": String(repeating: "nameserver 9.9.9.9\n", count: 100_000),
      "var/lib/dhcp/dhclient.leases": String(repeating: " ", count: LeaseFile.maximumLength + 1),
      "run/systemd/netif/links/3/a": "", "etc/firefox/policies/policies.json/a": "",
    ])
    let state = MachineState(root: folder.path, network: try network(), time: time).read([:])
    #expect(state.facts.resolvers == [])
    #expect(state.announcements.map(\.unknownReason) == ["the file has more than 8 MiB"])
  }

  /// The machine that runs the test, whatever its state.
  @Test func theTestMachineIsRead() throws {
    let state = MachineState().read([:])
    #expect(state.facts.proxies == [])
    let network = try NetworkState.ofKernel()
    #expect(network.links.contains { $0.isLoopback })
    #expect(network.links.allSatisfy { !$0.isLoopback || $0.tunnelKind == nil })
  }
}
