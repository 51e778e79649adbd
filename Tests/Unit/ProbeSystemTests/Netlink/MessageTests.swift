import ProbeCore
import TestSupport
import Testing

@testable import ProbeSystem

@Suite
struct MessageTests {
  private func only(_ message: KernelMessage) throws -> NetlinkMessage {
    let messages = NetlinkMessage.messages(in: message.bytes[...])
    #expect(messages.count == 1)
    return try #require(messages.first)
  }

  @Test
  func severalMessagesInADatagramAreRead() {
    let datagram = KernelMessage.link(7, "ab").bytes + KernelMessage.link(8, "abc").bytes
    let links = NetlinkMessage.messages(in: datagram[...]).compactMap { LinkMessage($0) }
    #expect(links.map(\.name) == ["ab", "abc"])
    #expect(links.map(\.index) == [7, 8])
  }

  @Test
  func theFactsOfALinkAreRead() throws {
    let message = KernelMessage.link(
      5, "vlan5", [.up, .running, .pointToPoint], hardware: 65534, driver: "vlan", lower: 2, master: 3)
    let link = try #require(LinkMessage(try only(message)))
    #expect(link.index == 5 && link.name == "vlan5" && link.hardwareType == 65534)
    #expect(link.flags == [.up, .running, .lowerUp, .pointToPoint])
    #expect(link.kind == "vlan" && link.lower == 2 && link.master == 3)
  }

  @Test
  func aBridgeMessageOnItsPortIsIgnored() throws {
    // When a port leaves a bridge, the bridge sends RTM_DELLINK with the port's number.
    #expect(LinkMessage(try only(.link(5, "eth0", family: 7, isRemoval: true))) == nil)
  }

  @Test
  func aWirelessEventIsIgnored() throws {
    var message = KernelMessage.link(5, "wlan0")
    message.body += KernelMessage.attribute(11, [1, 2, 3, 4])
    #expect(LinkMessage(try only(message)) == nil)
  }

  @Test
  func aLowerInterfaceInAnotherNamespaceIsIgnored() throws {
    var message = KernelMessage.link(5, "macvlan0", driver: "macvlan", lower: 2)
    message.body += KernelMessage.attribute(37, KernelMessage.number(Int32(0)))
    #expect(try #require(LinkMessage(try only(message))).lower == nil)
  }

  @Test(arguments: [(UInt8(1), false), (2, true)])
  func tapAndTunDevicesAreDistinguished(mode: UInt8, isTap: Bool) throws {
    var message = KernelMessage.link(5, "tun0")
    let data = KernelMessage.attribute(2, KernelMessage.attribute(3, [mode]))
    message.body += KernelMessage.attribute(18, KernelMessage.attribute(1, Array("tun\0".utf8)) + data)
    #expect(try #require(LinkMessage(try only(message))).isTap == isTap)
  }

  @Test(arguments: [
    (UInt32(0x80), true), (0x40, false), (0x44, true), (0x08, false), (0x20, true), (0x1080, true),
  ])
  func theFlagsSayWhetherAnAddressIsUsable(flags: UInt32, isUsable: Bool) throws {
    let message = KernelMessage.address(
      [0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [1], prefix: 64, of: 3, flags: flags)
    let address = try #require(AddressMessage(try only(message)))
    #expect(address.address == IPAddress("2001:db8::1"))
    #expect(address.prefixLength == 64 && address.index == 3)
    #expect(address.isUsable == isUsable)
  }

  @Test
  func theLocalAddressIsReadRatherThanThePeer() throws {
    var message = KernelMessage.address([10, 0, 0, 2], prefix: 32, of: 3)
    message.body += KernelMessage.attribute(2, [10, 0, 0, 1])
    #expect(try #require(AddressMessage(try only(message))).address == IPAddress("10.0.0.1"))
  }

  @Test
  func theNextHopOfARouteIsRead() throws {
    let message = KernelMessage.route(via: [192, 0, 2, 1], by: 4, metric: 100)
    let route = try #require(RouteMessage(try only(message)))
    #expect(route.prefixLength == 0 && route.table == RouteMessage.mainTable && route.metric == 100)
    #expect(route.nextHops == [.init(interface: 4, gateway: IPAddress("192.0.2.1"))])
    #expect(route.fate == .forwarded && !route.isCloned && !route.isConditional)
  }

  @Test
  func deadNextHopsAreIgnored() throws {
    func hop(_ index: Int32, _ last: UInt8, flags: UInt8 = 0) -> [UInt8] {
      KernelMessage.number(UInt16(16)) + [flags, 0] + KernelMessage.number(index)
        + KernelMessage.attribute(5, [192, 0, 2, last])
    }
    let message = KernelMessage.route(hops: hop(2, 1) + hop(3, 2, flags: 1) + hop(4, 3))
    let route = try #require(RouteMessage(try only(message)))
    #expect(route.nextHops.map(\.interface) == [2, 4])
    #expect(route.nextHops.map { $0.gateway?.description } == ["192.0.2.1", "192.0.2.3"])
  }

  @Test
  func anIPv4RouteCanHaveAnIPv6Gateway() throws {
    var message = KernelMessage.route(by: 2)
    let router = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
    message.body += KernelMessage.attribute(18, KernelMessage.number(UInt16(10)) + router)
    let route = try #require(RouteMessage(try only(message)))
    #expect(route.nextHops.first?.gateway == IPAddress("fe80::1"))
  }

  @Test func aDeadRouteHasNoNextHop() throws {
    #expect(try #require(RouteMessage(try only(.route(by: 2, flags: 1)))).nextHops.isEmpty)
  }

  @Test(arguments: [
    (UInt8(1), RouteMessage.Fate.forwarded), (2, .local), (6, .refused), (7, .refused), (8, .refused),
    (9, .refused),
  ])
  func theTypeOfARouteIsRead(type: UInt8, fate: RouteMessage.Fate) throws {
    #expect(try #require(RouteMessage(try only(.route(by: 2, type: type)))).fate == fate)
  }

  @Test(arguments: [(Int32(-101), Int32(101)), (0, 0), (5, 0), (.min, 0)])
  func errorNumbersAreRead(number: Int32, code: Int32) throws {
    for kind in [KernelMessage.Kind.error, .done] {
      let message = try only(KernelMessage(kind, body: KernelMessage.number(number)))
      #expect(message.systemCode == code)
    }
  }

  @Test
  func damagedMessagesAreReadWithoutACrash() {
    let whole =
      KernelMessage.link(5, "eth0", driver: "tun", lower: 3).bytes
      + KernelMessage.address([10, 0, 0, 2], prefix: 32, of: 3).bytes
      + KernelMessage.route(via: [10, 0, 0, 1], by: 3, hops: KernelMessage.number(UInt64(8) << 48 | 16)).bytes
    var read = 0
    func readAll(_ bytes: [UInt8]) {
      for message in NetlinkMessage.messages(in: bytes[...]) {
        let isKnown =
          LinkMessage(message) != nil || AddressMessage(message) != nil || RouteMessage(message) != nil
        read += isKnown ? 1 : 0
      }
    }
    for count in 0...whole.count { readAll(Array(whole.prefix(count))) }
    let cut = read
    #expect(cut > 0)
    for index in whole.indices {
      for value: UInt8 in [0, 1, 3, 4, 0x7F, 0x80, 0xFF] {
        var bytes = whole
        bytes[index] = value
        readAll(bytes)
      }
    }
    #expect(read > cut)
  }
}
