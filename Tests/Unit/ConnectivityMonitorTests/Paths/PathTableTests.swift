import ProbeCore
import TestSupport
import Testing

@testable import ConnectivityMonitor
@testable import ProbeSystem

@Suite
struct PathTableTests {
  private func table(_ messages: KernelMessage...) -> PathTable {
    var table = PathTable()
    table.read(messages.flatMap(\.bytes))
    return table
  }

  private func routes(_ messages: KernelMessage...) -> [RouteMessage] {
    NetlinkMessage.messages(in: messages.flatMap(\.bytes)[...]).compactMap { RouteMessage($0) }
  }

  @Test func theLastMessageOnAnInterfaceCounts() throws {
    var table = table(.link(2, "eth0"), .link(1, "lo", [.up, .running, .loopback], hardware: 772))
    #expect(table.path.interfaces.map(\.name) == ["lo", "eth0"])
    #expect(table.path.interfaces.map(\.kind) == [.loopback, .ethernet])
    table.read(KernelMessage.link(2, "wan0", [.up]).bytes)
    let interface = try #require(table.path.interface(2))
    #expect(interface.name == "wan0" && interface.isUp && !interface.hasCarrier && !interface.isRunning)
    table.read(KernelMessage.link(2, "wan0", isRemoval: true).bytes)
    #expect(table.path.interfaces.map(\.name) == ["lo"])
  }

  @Test func aPortThatLeavesABridgeRemains() {
    var table = table(.link(2, "eth0"))
    table.read(KernelMessage.link(2, "eth0", family: 7, isRemoval: true).bytes)
    #expect(table.path.interfaces.map(\.name) == ["eth0"])
  }

  @Test func addressesAreSortedAndUpdated() throws {
    let six: [UInt8] = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
    var table = table(
      .link(2, "eth0"), .address(six, prefix: 64, of: 2, flags: 0x40),
      .address([10, 0, 0, 2], prefix: 24, of: 2),
      .address([10, 0, 0, 1], prefix: 24, of: 2))
    #expect(
      try #require(table.path.interface(2)).addresses.map(\.address.description) == [
        "10.0.0.1", "10.0.0.2", "fe80::1",
      ])
    #expect(try #require(table.path.interface(2)).addresses.map(\.isUsable) == [true, true, false])
    // After duplicate address detection it can be used; it is still one address.
    table.read(KernelMessage.address(six, prefix: 64, of: 2).bytes)
    table.read(KernelMessage.address([10, 0, 0, 1], prefix: 24, of: 2, isRemoval: true).bytes)
    #expect(
      try #require(table.path.interface(2)).addresses.map(\.address.description) == ["10.0.0.2", "fe80::1"])
    #expect(try #require(table.path.interface(2)).addresses.map(\.isUsable) == [true, true])
  }

  @Test
  func defaultRoutesAreSortedByFamilyAndMetric() {
    var table = table(.link(2, "eth0"), .link(3, "wlan0"))
    table.replaceRoutes(
      routes(
        .route(via: [10, 0, 0, 9], by: 3, metric: 600), .route(via: [10, 0, 0, 8], by: 2, metric: 100),
        .route(via: [10, 0, 0, 7], by: 3, metric: 100), .route([10, 1, 0, 0], prefix: 16, by: 2),
        .route(by: 2, table: 100), .route(by: 2, type: 7), .route(by: 2, flags: 0x200)),
      of: .v4)
    #expect(table.path.defaultRoutes.map(\.gateway?.description) == ["10.0.0.8", "10.0.0.7", "10.0.0.9"])
    #expect(table.path.defaultRoutes.map(\.metric) == [100, 100, 600])
  }

  @Test(arguments: [
    // When a link goes down, its routes disappear without a message.
    (KernelMessage.link(2, "eth0", [.up]), true), (.link(2, "eth0", isRemoval: true), true),
    (.address([10, 0, 0, 1], prefix: 24, of: 2, isRemoval: true), true),
    (.route(by: 2), true), (.route(by: 2, isRemoval: true), true),
    (.route([10, 1, 0, 0], prefix: 16, by: 2), false), (.route(by: 2, table: 100), false),
    (.link(2, "eth0"), false), (.address([10, 0, 0, 1], prefix: 24, of: 2), false),
  ])
  func someMessagesRequireNewDefaultRoutes(_ message: KernelMessage, needsThem: Bool) {
    var table = table(.link(2, "eth0"))
    #expect(table.needsRoutes)
    table.hasRoutes()
    table.read(message.bytes)
    #expect(table.needsRoutes == needsThem)
  }

  @Test func aRouteWithoutCarrierDoesNotCount() throws {
    var table = table(.link(2, "eth0"))
    let way = [IPFamily.v4: Route(to: IPAddress(v4: 1), interface: 2)]
    #expect(table.path(internet: way).currentInterface?.name == "eth0")
    table.read(KernelMessage.link(2, "eth0", [.up]).bytes)
    #expect(table.path(internet: way).internet.isEmpty)
  }

  @Test func aVLANOrBondHasTheKindOfTheInterfacesBelow() {
    var table = table(
      .link(2, "wlan0"), .link(3, "vlan", driver: "vlan", lower: 2), .link(4, "bond0", driver: "bond"),
      .link(5, "eth0", master: 4), .link(6, "eth1", master: 4), .link(7, "lost", driver: "vlan", lower: 99),
      .link(8, "a", driver: "vlan", lower: 9), .link(9, "b", driver: "vlan", lower: 8))
    table.setDevice(DeviceFacts(isWireless: true), of: 2)
    #expect(
      table.path.interfaces.map(\.kind) == [
        .wifi, .wifi, .ethernet, .ethernet, .ethernet, .virtual, .virtual, .virtual,
      ])
    // Wi-Fi and Ethernet in one bond: it is unknown which of them carries traffic.
    table.read(KernelMessage.link(2, "wlan0", master: 4).bytes)
    #expect(table.path.interface(4)?.kind == .virtual)
  }

  @Test
  func deviceFilesAreReadAgainAfterARename() {
    var table = table(.link(2, "wlan0"))
    #expect(table.unknownDevices.map(\.name) == ["wlan0"])
    table.setDevice(DeviceFacts(isWireless: true), of: 2)
    let links = NetlinkMessage.messages(in: KernelMessage.link(2, "wlan0").bytes[...]).compactMap {
      LinkMessage($0)
    }
    table.replace(links: links, addresses: [])
    #expect(table.unknownDevices.isEmpty && table.path.interfaces.map(\.kind) == [.wifi])
    table.read(KernelMessage.link(2, "wifi", [.up]).bytes)
    #expect(table.unknownDevices.map(\.name) == ["wifi"])
  }

  @Test func manyChangesLeaveNothingBehind() {
    var table = table(.link(1, "lo", [.up, .running, .loopback], hardware: 772))
    let before = table.path
    for round in 0..<2500 {
      let index = Int32(2 + round % 1000)
      let low = UInt8(round % 250)
      table.read(KernelMessage.link(index, "eth\(round)").bytes)
      table.read(KernelMessage.address([10, 0, 0, low], prefix: 24, of: UInt32(index)).bytes)
      table.replaceRoutes(routes(.route(via: [10, 0, 0, 1], by: index)), of: .v4)
      // The address is removed before the interface or with it.
      if round % 2 == 0 {
        table.read(
          KernelMessage.address([10, 0, 0, low], prefix: 24, of: UInt32(index), isRemoval: true).bytes)
      }
      table.read(KernelMessage.link(index, "eth\(round)", isRemoval: true).bytes)
    }
    table.replaceRoutes([], of: .v4)
    #expect(table.path == before)
    #expect(Mirror(reflecting: table).children.allSatisfy { count($0.value) <= 1 || $0.label == "routes" })
  }

  private func count(_ value: Any) -> Int {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .dictionary ? mirror.children.count : 0
  }
}
