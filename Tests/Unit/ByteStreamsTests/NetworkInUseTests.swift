import ProbeCore
import ProbeSystem
import Testing
import ByteStreams

/// Private addresses are allowed only in the subnets of the interface in use.
@Suite struct NetworkInUseTests {
  @Test func theSubnetsAreThoseOfTheInterfaceInUse() throws {
    let own = try #require(IPAddress("127.0.0.1"))
    let subnets = InterfaceSubnets.towards(own)
    #expect(subnets.contains { $0.contains(own) })
    #expect(!subnets.contains { $0.contains(IPAddress(v4: 0x0A62_4C36)) })
    #expect(InterfaceSubnets.towards(nil).isEmpty)
  }

  /// Addresses of interfaces need a network of their own: see `OwnMachineNetworkTests`.
  @Test func addressesOfThisMachineAreRecognized() {
    for text in ["127.0.0.1", "127.9.9.9", "0.0.0.0", "::", "::1", "::ffff:127.0.0.1"] {
      #expect(IPAddress(text)?.isAddressOfThisMachine == true, "\(text)")
    }
    for text in ["192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1"] {
      #expect(IPAddress(text)?.isAddressOfThisMachine == false, "\(text)")
    }
  }

  @Test func addressesOfTheInterfaceInUseAreAllowed() {
    // An address of documentation: the route to it is the default one, if there is one. Nothing is sent.
    let peer = IPAddress("192.0.2.1")
    let rule = AddressRule.networkInUse(peer: peer)
    for subnet in InterfaceSubnets.towards(peer) {
      let isRefused = rule.refusal(of: subnet.address) != nil
      #expect(isRefused == (subnet.address.reach != .network), "\(subnet)")
    }
    #expect(rule.refusal(of: IPAddress(v4: 0xC000_0202)) == nil, "a public address")
    for text in ["127.0.0.1", "169.254.169.254", "::1", "fe80::1", "0.0.0.0", "::ffff:127.0.0.1"] {
      #expect(IPAddress(text).map { rule.refusal(of: $0) } == .ownAddress, "\(text)")
    }
  }
}
