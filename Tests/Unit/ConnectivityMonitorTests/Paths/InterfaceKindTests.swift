import Testing

@testable import ConnectivityMonitor

@Suite
struct InterfaceKindTests {
  private static func facts(
    _ hardware: UInt16 = 1, driver: String? = nil, type: String? = nil, isWireless: Bool = false,
    isVirtual: Bool? = nil, isPointToPoint: Bool = false, isLoopback: Bool = false, isTap: Bool = false,
    lower: InterfaceKind? = nil
  ) -> LinkFacts {
    var facts = LinkFacts(hardwareType: hardware)
    facts.driverKind = driver
    facts.device = DeviceFacts(type: type, isWireless: isWireless, isVirtual: isVirtual)
    facts.isPointToPoint = isPointToPoint
    facts.isLoopback = isLoopback
    facts.isTap = isTap
    facts.lowerKind = lower
    return facts
  }

  @Test(arguments: [
    (facts(), InterfaceKind.ethernet),
    (facts(isVirtual: false), .ethernet),
    // VMware's networks between guest and host have neither a type nor a driver nor hardware.
    (facts(isVirtual: true), .virtual),
    (facts(type: "gadget"), .ethernet),
    (facts(driver: "dsa", isVirtual: false), .ethernet),
    (facts(isWireless: true), .wifi),
    (facts(type: "wlan"), .wifi),
    (facts(801), .wifi),
    (facts(803, isWireless: true), .wifi),
    (facts(driver: "virt_wifi", isWireless: true), .wifi),
    (facts(type: "bluetooth"), .bluetooth),
    (facts(type: "wwan"), .cellular),
    (facts(65534, type: "wwan", isPointToPoint: true), .cellular),
    (facts(519), .cellular),
    (facts(820), .cellular),
    (facts(65534, driver: "wwan"), .cellular),
    (facts(519, driver: "rmnet"), .cellular),
    (facts(772), .loopback),
    (facts(772, isLoopback: true), .loopback),
    (facts(32), .other),
    (facts(24), .other),
    (facts(280, driver: "can"), .other),
  ])
  func hardwareDecidesTheKind(_ facts: LinkFacts, kind: InterfaceKind) {
    #expect(InterfaceKind(facts) == kind)
  }

  @Test(arguments: [
    facts(65534, driver: "tun", isPointToPoint: true),
    facts(65534, driver: "wireguard", isPointToPoint: true),
    facts(65534, driver: "ovpn"), facts(65534, driver: "xfrm"), facts(778, driver: "gre"),
    facts(driver: "gretap"), facts(driver: "erspan"), facts(823, driver: "ip6gre"),
    facts(768, driver: "ipip"),
    facts(769, driver: "ip6tnl"), facts(776, driver: "sit"), facts(768, driver: "vti"),
    facts(769, driver: "vti6"),
    facts(driver: "vxlan"), facts(driver: "geneve"), facts(768), facts(769), facts(776), facts(778),
    facts(823),
    facts(65534, isPointToPoint: true),
  ])
  func tunnelsAreVPNs(_ facts: LinkFacts) {
    #expect(InterfaceKind(facts) == .vpn)
  }

  @Test(arguments: [
    "bridge", "veth", "dummy", "ifb", "vrf", "nlmon", "netkit", "openvswitch", "something-new",
  ])
  func interfacesWithoutHardwareAreVirtual(_ driver: String) {
    #expect(InterfaceKind(Self.facts(driver: driver, isVirtual: true)) == .virtual)
  }

  @Test func aTapDeviceIsVirtual() {
    #expect(InterfaceKind(Self.facts(driver: "tun", isVirtual: true, isTap: true)) == .virtual)
  }

  @Test func aPPPLinkHasTheKindOther() {
    #expect(InterfaceKind(Self.facts(512, driver: "ppp", type: "ppp", isPointToPoint: true)) == .other)
    #expect(InterfaceKind(Self.facts(512, isPointToPoint: true)) == .other)
  }

  @Test(arguments: ["vlan", "macvlan", "ipvlan", "bond", "team", "macsec"])
  func aStackedInterfaceHasTheKindOfTheOneBelow(_ driver: String) {
    #expect(InterfaceKind(Self.facts(driver: driver, type: driver, lower: .wifi)) == .wifi)
    #expect(InterfaceKind(Self.facts(driver: driver, type: driver, lower: .ethernet)) == .ethernet)
    #expect(InterfaceKind(Self.facts(driver: driver, type: driver)) == .virtual)
  }

  @Test(arguments: [
    (InterfaceKind.cellular, [], true as Bool?), (.bluetooth, [], true), (.loopback, [], false),
    (.ethernet, [], nil),
    (.wifi, ["ADDRESS=192.168.43.7", "VENDOR_SPECIFIC=414e44524f49445f4d455445524544"], true),
    (.ethernet, ["VENDOR_SPECIFIC=00414E44524F49445F4D455445524544ff"], true),
    // The text does not start at a byte boundary.
    (.wifi, ["VENDOR_SPECIFIC=0414e44524f49445f4d4554455245440"], nil),
    (.wifi, ["VENDOR_SPECIFIC="], nil), (.wifi, ["VENDOR_SPECIFIC=4"], nil),
    (.wifi, ["HOSTNAME=414e44524f49445f4d455445524544"], nil),
  ])
  func phonesAndMobileNetworksAreMetered(_ kind: InterfaceKind, lease: [String], isMetered: Bool?) {
    #expect(Metering.isMetered(kind, lease: { lease }) == isMetered)
  }
}
