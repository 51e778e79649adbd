import Testing

@testable import ProbeCore

/// The addresses that are limited to this machine or its link.
@Suite struct AddressReachTests {
  @Test(arguments: [
    "127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "[::1]", "[::]", "[0:0::0:1]", "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "localhost", "LOCALHOST", "localhost.",
    "a.localhost", "a.b.LocalHost.", "localhost.localdomain", "localhost6", "ip6-loopback",
    "127%2e0%2e0%2e1", "127\u{3002}0\u{3002}0\u{3002}1", "\u{2460}27.0.0.1", "%6cocalhost", "ｌocalhost",
  ])
  func reachThisMachine(_ host: String) throws {
    #expect(try ProbeURL("http://\(host)/").reach == .machine)
  }

  @Test(arguments: [
    "169.254.0.1", "169.254.169.254", "[fe80::1]", "[febf::1]", "[::ffff:169.254.169.254]",
    // The metadata of cloud providers.
    "[fd00:ec2::254]", "[fd00:ec2::23]", "100.100.100.200", "[fd00:100::100:200]", "[fd20:ce::254]",
    "[fd00:c1::a9fe:a9fe]", "168.63.129.16", "192.0.0.192", "[fd00:42::42]", "[fd00:a9fe:a9fe::1]",
    // The same in addresses that contain IPv4 addresses.
    "[::169.254.169.254]", "[::ffff:0:169.254.169.254]", "[64:ff9b:1::a9fe:a9fe]",
    "[64:ff9b:1:a9fe:a9:fe00::]",
    "[2001:0:a9fe:a9fe::]", "[2001::5601:5601]", "[2001:db8::5efe:a9fe:a9fe]",
    "[2001:db8::200:5efe:a9fe:a9fe]",
    "[2002:a83f:8110::1]", "[64:ff9b::168.63.129.16]",
    // A link-local address that is no metadata is recognized in known prefixes only.
    "[64:ff9b:1::a9fe:1]", "[::169.254.0.1]",
  ])
  func reachOnlyTheLink(_ host: String) throws {
    #expect(try ProbeURL("http://\(host)/").reach == .link)
  }

  @Test(arguments: [
    // Portals have private addresses.
    "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "[fd00::1]", "192.0.2.1", "1.0.0.127", "128.0.0.1",
    "169.253.255.255", "[fec0::1]", "[2001:db8::1]", "[::ffff:10.0.0.1]", "[64:ff9b:1::808:808]",
    "[64:ff9b:1:808:8:800::]", "[2001:db8:64::a9fe:1]", "[2001:db8::a9fe:a9fe:0]", "168.63.129.17",
    "[fd20:ce::253]",
    "portal.example",
    "localhost.example",
    "notlocalhost", "portal", "gateway.local",
  ])
  func reachTheNetwork(_ host: String) throws {
    #expect(try ProbeURL("http://\(host)/").reach == .network)
  }

  @Test(arguments: [
    "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7F.1", "0177.0.0.1", "017700000001", "127.0.0.1.", "0",
    "0x0",
    "127.0.0.1%2e", "127%2e1", "\u{2460}27.1", "[fe80::1%25eth0]", "[::ffff:127.1]",
  ])
  func otherSpellingsAreNotHosts(_ host: String) throws {
    #expect(throws: InvalidInput.self) { try ProbeURL("http://\(host)/") }
    #expect(try ProbeURL("http://probe.example/").resolve("http://\(host)/") == nil)
  }

  @Test func onlyTheSameOriginRedirectsToLocalAddresses() throws {
    func mayLead(_ asked: String, _ target: String) throws -> Bool {
      try ProbeURL(asked).mayRedirect(to: ProbeURL(target))
    }
    #expect(try mayLead("http://probe.example/", "http://192.168.0.1/login"))
    #expect(try !mayLead("http://probe.example/", "http://127.0.0.1/login"))
    #expect(try !mayLead("http://192.168.0.1/", "http://169.254.169.254/latest/meta-data"))
    #expect(try mayLead("http://127.0.0.1:8080/", "http://127.0.0.1:8080/login"))
    #expect(try !mayLead("http://127.0.0.1:8080/", "http://127.0.0.1:631/"))
    #expect(try !mayLead("http://localhost:8080/", "http://127.0.0.1:8080/"))
    #expect(try mayLead("http://127.0.0.1:8080/", "http://portal.example/"))
  }
}
