import FoundationEssentials
import ProbeCore
import TestSupport
import TestRequirements
import Testing

@testable import PortalSurvey

/// The time of the tests, 2030-06-15 12:00:00 UTC.
private let now = Date(timeIntervalSince1970: 1_907_755_200)

private func file(
  _ bytes: [UInt8], interface: String? = nil, addresses: Set<IPAddress>? = nil, written: Date? = nil
) -> LeaseFile {
  var file = LeaseFile(bytes, origin: "/leases", now: now)
  file.interface = interface
  file.addresses = addresses
  file.written = written
  return file
}

private func file(
  _ text: String, interface: String? = nil, addresses: Set<IPAddress>? = nil
) -> LeaseFile {
  file(Array(text.utf8), interface: interface, addresses: addresses)
}

private func reason(_ announcements: [Announcement]) -> String? {
  announcements.count == 1 ? announcements.first?.unknownReason : nil
}

private let portal = "https://portal.example/api"

@Suite struct AnnouncementTests {
  @Test func anAnnouncementCanBeGivenAsText() {
    let given = Announcement.given(portal, by: "--capport\n")
    #expect(given == Announcement(.given, .announced(portal), origin: #"--capport\n"#))
    #expect(given.text == portal && given.unknownReason == nil)
    let reason = "the announced text has more than 4096 bytes"
    #expect(Announcement.given(String(repeating: "é", count: 2049), by: "").unknownReason == reason)
    #expect(Announcement(.dhcpv4, .absent, origin: "").text == nil)
    #expect(Set(Announcement.Method.allCases.map(\.words)).count == Announcement.Method.allCases.count)
  }
}

@Suite struct NetworkdFileTests {
  /// A link file in the format of systemd-networkd 254 and later.
  private func link(_ lines: String = "", state: String = "configured") -> LeaseFile {
    file(
      """
      # This is private data. Do not parse.
      ADMIN_STATE=\(state)
      OPER_STATE=routable
      REQUIRED_FOR_ONLINE=yes
      NETWORK_FILE=/etc/systemd/network/10-wlan.network
      NETWORK_FILE_DROPINS="/etc/systemd/network/10-wlan.network.d/a.conf:/run/b.conf"
      DNS=192.0.2.1
      NTP=
      \(lines)
      DOMAINS=example.net
      DHCP_LEASE=/run/systemd/netif/leases/3

      """)
  }

  @Test func theAnnouncedTextIsRead() {
    let expected = Announcement(.combined, .announced("\(portal)?a=b"), origin: "/leases")
    #expect(link("CAPTIVE_PORTAL=\(portal)?a=b").networkd(version: 256) == [expected])
    // A value in the file is used regardless of the version and the configuration.
    #expect(link("CAPTIVE_PORTAL=\(portal)?a=b").networkd(version: nil, isTurnedOff: true) == [expected])
    #expect(
      file("CAPTIVE_PORTAL=x\u{1}\nCAPTIVE_PORTAL=\(portal)").networkd(version: 1).first?.text == portal)
  }

  @Test func absenceIsKnownOnlyIfTheOptionWasRequested() {
    #expect(link().networkd(version: 254).first?.finding == .absent)
    #expect(
      reason(link().networkd(version: 253))
        == "systemd-networkd 253 does not request it; 254 and later do")
    #expect(reason(link().networkd(version: nil)) == "the version of systemd-networkd is unknown")
    #expect(
      reason(link().networkd(version: 256, isTurnedOff: true)) == "UseCaptivePortal= is off for the interface"
    )
    #expect(
      reason(link(state: "configuring").networkd(version: 256))
        == "systemd-networkd has not finished configuring the interface")
  }

  @Test func unmanagedOrEmptyLinkFilesYieldNoAnnouncement() {
    #expect(file("ADMIN_STATE=unmanaged\nOPER_STATE=routable\n").networkd(version: 256) == [])
    #expect(file("").networkd(version: 256) == [])
  }

  @Test func aLinksConfigurationFilesAreListedAndRead() {
    #expect(
      link().networkdConfigurationPaths == [
        "/etc/systemd/network/10-wlan.network", "/etc/systemd/network/10-wlan.network.d/a.conf",
        "/run/b.conf",
      ])
    #expect(file("NETWORK_FILE=\n").networkdConfigurationPaths == [])
    #expect(LeaseFile.turnsOffCaptivePortal(Array("[DHCPv4]\nUseCaptivePortal = No\n".utf8)))
    #expect(
      !LeaseFile.turnsOffCaptivePortal(Array("[DHCPv4]\nUseCaptivePortal=yes\n#UseCaptivePortal=no".utf8)))
  }

  @Test func networkManagerDoesNotRequestTheOption() {
    let device = "[device]\nmanaged=true\nconnection-uuid=5b0e\nroot-path=/x\n"
    #expect(reason(file(device).networkManager()) == "NetworkManager does not request it")
    #expect(file("[device]\nmanaged=unmanaged\n").networkManager() == [])
  }
}

@Suite struct DhclientFileTests {
  private let asking = DHCPClientConfiguration(dhclient: Array("also request default-url;".utf8))

  private func lease(
    _ option: String = "", interface: String = "eth0", address: String = "192.0.2.9",
    end: String = "expire 6 2030/06/15 12:00:01;"
  ) -> String {
    """
    lease {
      interface "\(interface)";
      fixed-address \(address);
      option subnet-mask 255.255.255.0;
      option domain-name-servers 192.0.2.1,192.0.2.2;
      option domain-name "a \\"quoted\\" { name } # no comment";
      \(option)
      renew 6 2030/06/15 11:00:00;
      \(end)
    }

    """
  }

  @Test(arguments: [
    (#"option default-url "https://portal.example/api";"#, portal),
    (#"option captive-portal "https://portal.example/api";"#, portal),
    (#"option unknown-114 "https://portal.example/api";"#, portal),
    (#"option option-114 "https://portal.example/api";"#, portal),
    (#"option default-url "https://a.example/?a=1\&b=\"\\\047\303\251";"#, #"https://a.example/?a=1&b="\'é"#),
    (#"option default-url "a\x41\t\n\q\7";"#, "aA\t\nq\u{7}"),
    ("option unknown-114 68:74:74:70:3a:2f:2f:e9:ff;", "http://\u{FFFD}\u{FFFD}"),
    ("option unknown-114 68:74:74:70:0;", "http"),
    ("option unknown-114 a;", "\n"),
    ("option default-url nonsense;", "nonsense"),
    (#"option default-url "";"#, ""),
    ("option default-url \"https://a.example/\u{1B}[31m\r\n\";", "https://a.example/\u{1B}[31m\r\n"),
  ])
  func theTextIsRead(_ option: String, _ text: String) {
    #expect(
      file(lease(option)).dhclient(nil)
        == [Announcement(.dhcpv4, .announced(text), origin: "/leases")])
  }

  @Test func withoutTheOptionTheConfigurationDecides() {
    #expect(file(lease()).dhclient(asking).first?.finding == .absent)
    #expect(
      reason(file(lease()).dhclient(DHCPClientConfiguration(dhclient: []))) == "dhclient does not request it")
    #expect(reason(file(lease()).dhclient(nil)) == "whether dhclient requests it is unknown")
    #expect(file("").dhclient(asking) == [])
    #expect(file("default-duid \"\\000\\001\";\n").dhclient(asking) == [])
  }

  /// The last lease is the current one, even if an earlier one has the option.
  @Test func theLastLeaseOfTheInterfaceIsUsed() {
    let text =
      lease(#"option default-url "old";"#) + lease(#"option default-url "new";"#)
      + lease(#"option default-url "other";"#, interface: "wlan0")
    #expect(file(text, interface: "eth0").dhclient(asking).map(\.text) == ["new"])
    #expect(file(text, interface: "wlan0").dhclient(asking).map(\.text) == ["other"])
    #expect(file(text).dhclient(asking).map(\.text) == ["other"])
    #expect(file(text, interface: "eth1").dhclient(asking) == [])
    #expect(file(text + lease(), interface: "eth0").dhclient(asking).first?.finding == .absent)
    let unnamed = "lease { option default-url \"x\"; expire never; }"
    #expect(file(unnamed, interface: "eth0").dhclient(asking).map(\.text) == ["x"])
  }

  @Test(arguments: [
    ("expire 6 2030/06/15 11:59:59;", "the lease has expired"),
    ("expire 6 2029/02/28 23:59:60;", "the lease has expired"),
    ("expire epoch 1907755199; # Sat Jun 15 11:59:59 2030", "the lease has expired"),
    ("expire 6 2030/13/15 12:00:00;", "the lease has no valid end time"),
    ("expire 6 2030/06/15;", "the lease has no valid end time"),
    ("expire epoch 99999999999999999999;", "the lease has no valid end time"),
    ("expire soon;", "the lease has no valid end time"),
    ("", "the lease has no valid end time"),
  ])
  func aLeaseWithAnExpiredOrInvalidEndIsNotUsed(_ end: String, _ why: String) {
    let announcements = file(lease(#"option default-url "x";"#, end: end)).dhclient(asking)
    #expect(reason(announcements) == why)
    #expect(announcements.first?.isFromOldLease == (why == "the lease has expired"))
  }

  @Test(arguments: [
    "expire never;", "expire epoch 1907755200;", "expire 6 2030/06/15 12:00:00;",
    "expire 5 2032/02/29 00:00:00;",
    "expire 0 9999/12/31 23:59:59;",
  ])
  func aValidLeaseIsUsed(_ end: String) {
    #expect(file(lease(#"option default-url "x";"#, end: end)).dhclient(nil).first?.text == "x")
  }

  @Test func aLeaseForAnotherAddressIsNotInUse() throws {
    let text = lease(#"option default-url "x";"#)
    let (own, other) = (try #require(IPAddress("192.0.2.9")), try #require(IPAddress("192.0.2.10")))
    #expect(file(text, addresses: [own, other]).dhclient(nil).first?.text == "x")
    let announcements = file(text, addresses: [other]).dhclient(nil)
    #expect(reason(announcements) == "the interface does not have the address of the lease")
    #expect(announcements.first?.isFromOldLease == true)
  }

  private func lease6(_ rest: String, life: String = "7200") -> String {
    """
    default-duid "\\000\\001";
    lease6 {
      interface "eth0";
      ia-na 9c:52:22:49 {
        starts 1907752000;
        renew 1800;
        rebind 2880;
        iaaddr 2001:db8::9 {
          starts 1907752000;
          preferred-life 3600;
          max-life \(life);
        }
        option dhcp6.status-code success;
      }
      option dhcp6.client-id 0:1:0:1;
      \(rest)
    }

    """
  }

  @Test func theDHCPv6OptionInALeaseIsRead() {
    let text = lease6(#"option dhcp6.v6-captive-portal "https://portal.example/api";"#)
    #expect(
      file(text).dhclient(nil) == [Announcement(.dhcpv6, .announced(portal), origin: "/leases")])
    #expect(file(lease6("option dhcp6.unknown-103 68:69;")).dhclient(nil).first?.text == "hi")
    let asking = DHCPClientConfiguration(dhclient: Array("request routers, dhcp6.v6-captive-portal;".utf8))
    #expect(file(lease6("")).dhclient(asking).first?.finding == .absent)
    #expect(reason(file(lease6("")).dhclient(self.asking)) == "dhclient does not request it")
    #expect(reason(file(lease6("", life: "60")).dhclient(asking)) == "the lease has expired")
    #expect(file(lease6("", life: "4294967295")).dhclient(asking).first?.finding == .absent)
    #expect(reason(file(lease6("released;")).dhclient(asking)) == "the lease was released")
    // Both versions in one file.
    #expect(file(text + lease()).dhclient(self.asking).map(\.method) == [.dhcpv4, .dhcpv6])
    // A lease without an address has only options.
    #expect(file("lease6 { option dhcp6.v6-captive-portal \"x\"; }").dhclient(nil).first?.text == "x")
  }

  @Test func anIncompleteLeaseIsIgnored() {
    let text = lease(#"option default-url "x";"#)
    let half = String(text.dropLast(text.count / 3))
    #expect(file(text + half).dhclient(nil).map(\.text) == ["x"])
    #expect(file(half).dhclient(nil) == [])
    // A lease after an incomplete one is read.
    #expect(file(half + text).dhclient(nil).map(\.text) == ["x"])
    #expect(file("} } ; }\n" + text).dhclient(nil).map(\.text) == ["x"])
    #expect(file(text + "lease { option default-url \"never closed").dhclient(nil).map(\.text) == ["x"])
  }

  @Test func aTextOver4096BytesIsNotUsed() {
    let longest = String(repeating: "a", count: 4096)
    #expect(file(lease("option default-url \"\(longest)\";")).dhclient(nil).first?.text == longest)
    let why = "the announced text has more than 4096 bytes"
    #expect(reason(file(lease("option default-url \"\(longest)a\";")).dhclient(nil)) == why)
    // Each byte that is invalid in UTF-8 becomes a replacement character of three bytes.
    func foreign(_ count: Int) -> LeaseFile {
      file(lease("option default-url \"\(String(repeating: "\\351", count: count))\";"))
    }
    #expect(foreign(1365).dhclient(nil).first?.text?.utf8.count == 4095)
    #expect(reason(foreign(1366).dhclient(nil)) == why)
  }

  @Test func tenThousandLeasesAreRead() {
    let text = String(repeating: lease(#"option default-url "old";"#), count: 10_000)
    #expect(file(text + lease(#"option default-url "new";"#)).dhclient(nil).map(\.text) == ["new"])
  }

  @Test(arguments: [
    ("", false, false), ("request subnet-mask, routers;", false, false),
    ("request default-url;", true, false),
    ("also request default-url;\nrequest routers;", false, false),
    ("request routers;\ninterface \"eth0\" { also request default-url, dhcp6.captive-portal; }", true, true),
    ("require Default-URL;", true, false), ("# request default-url;\n", false, false),
    ("option portal code 114 = text;\nrequest portal;", true, false),
    ("option portal code 113 = text;\nrequest portal;", false, false),
    ("option dhcp6.portal code 103 = text; request dhcp6.portal;", false, true),
    ("request default-url", false, false), ("also", false, false), ("also;", false, false),
  ])
  func theConfigurationIsRead(_ text: String, v4: Bool, v6: Bool) {
    let configuration = DHCPClientConfiguration(dhclient: Array(text.utf8))
    #expect(configuration.requestsV4 == v4)
    #expect(configuration.requestsV6 == v6)
  }

  @Test func aDeclaredOptionNameIsRecognizedInLeases() {
    let configuration = DHCPClientConfiguration(dhclient: Array("option portal code 114 = text;".utf8))
    #expect(file(lease(#"option portal "x";"#)).dhclient(configuration).first?.text == "x")
  }
}

@Suite struct DhcpcdFileTests {
  private let asking = DHCPClientConfiguration(dhcpcd: Array("option captive_portal_uri, dhcp6_103\n".utf8))

  /// A DHCPv4 packet from a server.
  private func packet(
    _ options: [(UInt8, [UInt8])], file: [(UInt8, [UInt8])] = [], server: [(UInt8, [UInt8])] = []
  ) -> [UInt8] {
    func encoded(_ options: [(UInt8, [UInt8])]) -> [UInt8] {
      options.flatMap { [$0.0, UInt8($0.1.count)] + $0.1 } + [255]
    }
    func padded(_ field: [UInt8], _ size: Int) -> [UInt8] {
      field + [UInt8](repeating: 0, count: size - field.count)
    }
    var bytes = padded([2, 1, 6, 0], 16) + [192, 0, 2, 9]
    bytes = padded(bytes, 44) + padded(server.isEmpty ? [] : encoded(server), 64)
    bytes += padded(file.isEmpty ? [] : encoded(file), 128)
    return bytes + [99, 130, 83, 99, 53, 1, 5] + encoded(options)
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func lease(_ time: UInt32) -> (UInt8, [UInt8]) {
    (51, [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: time >> $0) })
  }

  @Test func theTextIsRead() {
    #expect(
      file(packet([(0, []), (114, bytes(portal))].filter { $0.0 != 0 })).dhcpcdV4(nil)
        == [Announcement(.dhcpv4, .announced(portal), origin: "/leases")])
    // RFC 2132 §2: a NUL at the end is not part of the text.
    #expect(file(packet([(114, bytes(portal) + [0])])).dhcpcdV4(nil).first?.text == portal)
    #expect(file(packet([(114, [])])).dhcpcdV4(nil).first?.text == "")
    #expect(file(packet([(114, [0xFF, 0, 0x41])])).dhcpcdV4(nil).first?.text == "\u{FFFD}\0A")
  }

  /// RFC 3396 §7: the parts of an option are concatenated in the order options, file, server name.
  @Test func thePartsOfASplitOptionAreConcatenated() {
    let parts = [bytes("https://"), bytes("portal.example"), bytes("/a"), bytes("pi")]
    let overload: (UInt8, [UInt8]) = (52, [3])
    #expect(
      file(
        packet(
          [(114, parts[0]), overload, (3, [192, 0, 2, 1]), (114, parts[1])], file: [(114, parts[2])],
          server: [(114, parts[3])])
      ).dhcpcdV4(nil).first?.text == portal)
    // Without the overload option, these fields contain names.
    #expect(
      file(packet([(114, parts[0])], file: [(114, parts[2])])).dhcpcdV4(nil).first?.text == "https://")
    #expect(
      file(packet([(52, [2])], file: [(114, parts[2])], server: [(114, parts[3])])).dhcpcdV4(nil).first?.text
        == "pi")
    // An overload option inside an overloaded field has no effect.
    let nested = packet([(52, [1])], file: [(52, [3]), (114, [0x41])], server: [(114, [0x42])])
    #expect(file(nested).dhcpcdV4(nil).first?.text == "A")
    let piece = [UInt8](repeating: 0x61, count: 255)
    let long = [(UInt8, [UInt8])](repeating: (114, piece), count: 17)
    #expect(
      reason(file(packet(long)).dhcpcdV4(nil)) == "the announced text has more than 4096 bytes")
  }

  @Test func withoutTheOptionTheConfigurationDecides() {
    let none = packet([(3, [192, 0, 2, 1])])
    #expect(file(none).dhcpcdV4(asking).first?.finding == .absent)
    #expect(reason(file(none).dhcpcdV4(DHCPClientConfiguration(dhcpcd: []))) == "dhcpcd does not request it")
    #expect(reason(file(none).dhcpcdV4(nil)) == "whether dhcpcd requests it is unknown")
  }

  @Test func theAgeOfALeaseIsThatOfItsFile() throws {
    let option: (UInt8, [UInt8]) = (114, bytes("x"))
    func text(_ time: UInt32, age: TimeInterval?) -> Announcement? {
      let written = age.map { now.addingTimeInterval(-$0) }
      return file(packet([lease(time), option]), written: written).dhcpcdV4(nil).first
    }
    #expect(text(3600, age: 3600)?.text == "x")
    #expect(text(3600, age: 3601)?.unknownReason == "the lease has expired")
    #expect(text(.max, age: 1e9)?.text == "x")
    #expect(text(3600, age: nil)?.text == "x")
    #expect(text(3600, age: -.infinity)?.text == "x")
    let other = try #require(IPAddress("192.0.2.10"))
    #expect(
      reason(file(packet([option]), addresses: [other]).dhcpcdV4(nil))
        == "the interface does not have the address of the lease")
  }

  /// The packet is truncated at every position.
  @Test func aTruncatedPacketIsNeverMisread() {
    let whole = packet([lease(3600), (3, [192, 0, 2, 1]), (114, bytes(portal)), (6, [192, 0, 2, 1])])
    let texts = (0...whole.count).map { file(Array(whole.prefix($0))).dhcpcdV4(asking) }
    #expect(texts.allSatisfy { $0.count == 1 && $0[0].text ?? portal == portal })
    #expect(reason(texts[239]) == "the file is not a DHCPv4 lease")
    #expect(reason(texts[whole.count - 8]) == "the lease is incomplete")
    #expect(reason(file(whole.map { ~$0 }).dhcpcdV4(asking)) == "the file is not a DHCPv4 lease")
    // A length beyond the end of the packet.
    #expect(
      reason(file(packet([]).dropLast() + [114, 200, 0x41]).dhcpcdV4(asking)) == "the lease is incomplete")
    #expect(reason(file(packet([]).dropLast() + [114]).dhcpcdV4(asking)) == "the lease is incomplete")
  }

  private func option6(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
    [code, UInt16(value.count)].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } + value
  }

  private func address(life: UInt8) -> [UInt8] {
    option6(5, [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [9, 0, 0, 0, 1, 0, 0, 0, life])
  }

  private func message(_ options: [UInt8], life: UInt8 = 200) -> [UInt8] {
    [7, 1, 2, 3] + option6(1, [0, 1]) + option6(3, [UInt8](repeating: 0, count: 12) + address(life: life))
      + options
  }

  @Test func theDHCPv6OptionInAMessageIsRead() throws {
    #expect(
      file(message(option6(103, bytes(portal)))).dhcpcdV6(nil)
        == [Announcement(.dhcpv6, .announced(portal), origin: "/leases")])
    #expect(file(message([])).dhcpcdV6(asking).first?.finding == .absent)
    #expect(
      reason(file(message([])).dhcpcdV6(DHCPClientConfiguration(dhcpcd: []))) == "dhcpcd does not request it")
    // Only an option of the message itself counts.
    let inner = option6(4, [0, 0, 0, 1] + option6(103, bytes("x")))
    #expect(file(message(inner)).dhcpcdV6(asking).first?.finding == .absent)
    let late = now.addingTimeInterval(-150)
    #expect(file(message([]), written: late).dhcpcdV6(asking).first?.finding == .absent)
    #expect(reason(file(message([], life: 100), written: late).dhcpcdV6(asking)) == "the lease has expired")
    let (own, other) = (try #require(IPAddress("2001:db8::9")), try #require(IPAddress("2001:db8::a")))
    #expect(file(message([]), addresses: [own]).dhcpcdV6(asking).first?.finding == .absent)
    #expect(file(message([]), addresses: [other]).dhcpcdV6(asking).first?.isFromOldLease == true)
  }

  @Test func aTruncatedMessageYieldsAnAnnouncementWithoutText() {
    let prefix = option6(25, [UInt8](repeating: 0, count: 12) + option6(26, [UInt8](repeating: 9, count: 25)))
    let whole = message(prefix + option6(103, bytes(portal)))
    #expect(file(whole).dhcpcdV6(asking).first?.text == portal)
    for count in 0..<whole.count {
      let announcements = file(Array(whole.prefix(count))).dhcpcdV6(asking)
      #expect(announcements.count == 1 && announcements[0].text == nil)
    }
    #expect(reason(file([7, 0, 0]).dhcpcdV6(asking)) == "the file is not a DHCPv6 lease")
    #expect(reason(file([1, 0, 0, 0]).dhcpcdV6(asking)) == "the file is not a DHCPv6 lease")
    #expect(
      reason(file([7, 0, 0, 0, 0, 103, 0xFF, 0xFF, 0x41]).dhcpcdV6(asking)) == "the lease is incomplete")
    #expect(
      reason(file([7, 0, 0, 0, 0, 3, 0, 5, 1, 2, 3, 4, 5]).dhcpcdV6(nil))
        == "whether dhcpcd requests it is unknown")
  }

  @Test(arguments: [
    ("", false, false), ("option routers captive_portal_uri # all\n", true, false),
    ("option 114", true, false),
    ("#option captive_portal_uri", false, false), ("require dhcp6_captive_portal_uri", false, true),
    ("option captive_portal_uri\nnooption captive_portal_uri", false, false),
    ("define 114 string portal\noption portal, dhcp6_portal", true, false),
    ("define6 103 uri portal\noption dhcp6_portal", false, true), ("define 114\noption 113", false, false),
  ])
  func theConfigurationIsRead(_ text: String, v4: Bool, v6: Bool) {
    let configuration = DHCPClientConfiguration(dhcpcd: Array(text.utf8))
    #expect(configuration.requestsV4 == v4)
    #expect(configuration.requestsV6 == v6)
  }
}

/// Files that are not leases.
@Suite(.heavy) struct HostileLeaseFileTests {
  private static let readers: [@Sendable (LeaseFile) -> [Announcement]] = [
    { $0.networkd(version: 256) }, { $0.networkManager() }, { $0.dhclient(nil) }, { $0.dhcpcdV4(nil) },
    { $0.dhcpcdV6(nil) },
  ]

  private static let garbage: [[UInt8]] = {
    var numbers = SeededNumbers(seed: 7)
    // One sample has a megabyte; the smaller ones are large enough to reveal disproportionate work.
    let (large, size) = (1 << 20, 1 << 17)
    func repeated(_ text: String) -> [UInt8] {
      Array(String(repeating: text, count: size / text.utf8.count).utf8)
    }
    return [
      (0..<large).map { _ in UInt8.random(in: 0...255, using: &numbers) }, [UInt8](repeating: 0, count: size),
      [UInt8](repeating: 0xFF, count: size), repeated("{"), repeated("}"), repeated(";"), repeated("\""),
      repeated("\\"), repeated("\n"), repeated("="), repeated("a=\n"), repeated("a "), repeated("lease {"),
      repeated("lease6 { iaaddr ::1 { starts 1; max-life 9"), repeated("option default-url 0:"),
      [UInt8](repeating: 2, count: 236) + [99, 130, 83, 99] + [UInt8](repeating: 114, count: size),
      [7, 0, 0, 0] + repeated("\0\u{3}\0\u{1}x"), [7, 0, 0, 0, 0, 3, 0xFF, 0xFF] + repeated("\0\u{5}"),
    ]
  }()

  @Test func nothingIsReadFromGarbage() {
    for bytes in Self.garbage {
      for reader in Self.readers {
        let announcements = reader(file(bytes, written: now))
        #expect(announcements.allSatisfy { $0.text == nil })
      }
    }
  }

  @Test func anOversizedFileIsNotRead() {
    let bytes = [UInt8](repeating: 0x20, count: LeaseFile.maximumLength + 1)
    for reader in Self.readers { #expect(reason(reader(file(bytes))) == "the file has more than 8 MiB") }
  }

  @Test func theOriginIsOneLine() {
    let origin = "/var/lib/dhcpcd/wlan0-\n\u{1B}[2J.lease"
    let announcements = LeaseFile([], origin: origin, now: now).dhcpcdV4(nil)
    #expect(announcements.map(\.origin) == [#"/var/lib/dhcpcd/wlan0-\n\x1b[2J.lease"#])
  }
}
