import ProbeCore
import Testing

@Suite struct TargetRulesTests {
  private let strict = TargetRules(remedy: "use --allow-private to probe it")

  @Test(arguments: [
    ("0.0.0.0", "an address of this machine"), ("127.8.9.10", "an address of this machine"),
    ("::", "an address of this machine"), ("::1", "an address of this machine"),
    ("::ffff:127.0.0.1", "an address of this machine"),
    ("169.254.169.254", "a link-local address, or that of a cloud's metadata"),
    ("fe80::1", "a link-local address, or that of a cloud's metadata"),
    ("fd00:ec2::254", "a link-local address, or that of a cloud's metadata"),
    ("100.100.100.200", "a link-local address, or that of a cloud's metadata"),
    ("::ffff:169.254.169.254", "a link-local address, or that of a cloud's metadata"),
    ("2002:a9fe:a9fe::1", "a link-local address, or that of a cloud's metadata"),
    ("168.63.129.16", "a link-local address, or that of a cloud's metadata"),
    ("64:ff9b:1::a9fe:a9fe", "a link-local address, or that of a cloud's metadata"),
    ("2001:db8:64::a9fe:a9fe", "a link-local address, or that of a cloud's metadata"),
    ("64:ff9b:1::e000:fb", "a multicast address"), ("64:ff9b:1::a00:1", "a private or reserved address"),
    ("224.0.0.251", "a multicast address"), ("ff02::fb", "a multicast address"),
    ("::ffff:224.0.0.251", "a multicast address"),
    ("10.1.2.3", "a private or reserved address"), ("172.16.0.1", "a private or reserved address"),
    ("192.168.1.1", "a private or reserved address"), ("100.64.0.1", "a private or reserved address"),
    ("198.18.0.1", "a private or reserved address"), ("255.255.255.255", "a private or reserved address"),
    ("fc00::1", "a private or reserved address"), ("fec0::1", "a private or reserved address"),
    ("::ffff:10.0.0.1", "a private or reserved address"), ("64:ff9b::a00:1", "a private or reserved address"),
  ])
  func addressesThatAreNotPublicAreRefused(_ text: String, _ words: String) throws {
    let address = try #require(IPAddress(text))
    #expect(strict.refusal(of: address) == AddressRefusal(words, remedy: "use --allow-private to probe it"))
    #expect(TargetRules(allowsPrivate: true).refusal(of: address) == nil)
    // The address in a URL is refused too, before any lookup.
    let url = try ProbeURL(address.family == .v4 ? "http://\(text)/" : "http://[\(text)]/")
    #expect(strict.refusal(ofHostOf: url)?.description == words)
    #expect(TargetRules(allowsPrivate: true).refusal(ofHostOf: url) == nil)
  }

  @Test(arguments: ["192.0.2.1", "8.8.8.8", "2001:db8::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"])
  func publicAddressesAreAllowed(_ text: String) throws {
    #expect(strict.refusal(of: try #require(IPAddress(text))) == nil)
  }

  @Test(arguments: ["localhost", "a.localhost", "localhost.", "ip6-loopback"])
  func namesOfThisMachineAreRefused(_ name: String) throws {
    let url = try ProbeURL("tcp://\(name):80")
    #expect(strict.refusal(ofHostOf: url)?.description == "a name of this machine")
    #expect(TargetRules(allowsPrivate: true).refusal(ofHostOf: url) == nil)
  }

  @Test func exclusionsApplyToPublicAndPrivateTargets() throws {
    let exclusions = try ExclusionList(Array("*.example.com\n192.0.2.0/24\n".utf8))
    for rules in [
      TargetRules(exclusions: exclusions), TargetRules(allowsPrivate: true, exclusions: exclusions),
    ] {
      let words = { (url: String) in rules.refusal(ofHostOf: try ProbeURL(url))?.description }
      #expect(try words("https://www.Example.com./") == "excluded by *.example.com")
      #expect(try words("https://example.com/") == nil)
      #expect(try words("https://192.0.2.9/") == "excluded by 192.0.2.0/24")
      #expect(try words("https://[::ffff:192.0.2.9]/") == "excluded by 192.0.2.0/24")
      #expect(try words("https://192.0.3.9/") == nil)
      #expect(rules.refusal(of: IPAddress(v4: 0xC000_0209))?.description == "excluded by 192.0.2.0/24")
      // A query to the machine's own DNS server.
      #expect(try words("dns:///www.example.com") == nil)
    }
  }

  @Test func theRefusalNamesTheHostAndTheAddress() {
    let refusal = AddressRefusal("a private or reserved address", remedy: "use --allow-private to probe it")
    let address = IPAddress(v4: 0x0A00_0001)
    #expect(
      refusal.words(for: "a.example", at: address)
        == "a.example resolves to 10.0.0.1, which is a private or reserved address: use --allow-private to probe it"
    )
    #expect(
      refusal.words(for: "10.0.0.1", at: address)
        == "10.0.0.1 is a private or reserved address: use --allow-private to probe it")
    #expect(
      AddressRefusal("excluded by *.example.com").words(for: "a.example.com")
        == "a.example.com is excluded by *.example.com: not connected")
  }
}
