import ProbeCore
import Testing

@testable import PortalSurvey

@Suite struct MachineFactsTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func addresses(_ texts: String...) throws -> [IPAddress] {
    try texts.map { try #require(IPAddress($0)) }
  }

  @Test func nothingIsKnownAtFirst() {
    let facts = MachineFacts()
    #expect(facts.tunnel == nil && facts.encryptedDNS == nil)
    #expect(facts.foreignResolvers.isEmpty && facts.httpsOnly.isEmpty && facts.proxies.isEmpty)
  }

  @Test func proxiesAreNamedWithoutTheirValues() {
    let environment = [
      "http_proxy": "http://user:secret@192.0.2.1:3128", "HTTPS_PROXY": "http://192.0.2.1", "all_proxy": "",
      "no_proxy": "example.net", "PATH": "/bin",
    ]
    #expect(MachineFacts.proxies(in: environment) == ["HTTPS_PROXY", "http_proxy"])
    #expect(MachineFacts.proxies(in: [:]) == [])
  }

  @Test(arguments: [
    ("wireguard", 65534, false, "wireguard"), ("tun", 65534, false, "tun"), ("tun", 1, true, "tap"),
    ("xfrm", 65534, false, "xfrm"), ("gre", 778, false, "gre"), ("sit", 776, false, "sit"),
    ("ppp", 512, false, "ppp"), (nil, 512, false, "ppp"), (nil, 768, false, "ipip"), (nil, 1, false, nil),
    ("bridge", 1, false, nil), ("veth", 1, false, nil), ("vlan", 1, false, nil), (nil, 772, false, nil),
  ])
  func tunnelsAreDistinguishedFromOtherInterfaces(
    _ driver: String?, _ type: Int, _ isTap: Bool, _ kind: String?
  ) {
    #expect(
      MachineFacts.tunnelKind(driver: driver, hardwareType: UInt16(type), isTap: isTap) == kind)
  }

  @Test func nameServersAreRead() throws {
    let text = """
      # nameserver 192.0.2.7
      search example.net
      nameserver 192.0.2.1
       nameserver 192.0.2.2
      nameserver\tfe80::1%eth0 \r
      nameserver nonsense
      nameserver
      nameserver 9.9.9.9
      nameserver 192.0.2.3
      options edns0
      """
    let servers = try addresses("192.0.2.1", "fe80::1", "9.9.9.9", "192.0.2.3")
    #expect(MachineFacts.resolvers(in: bytes(text)) == Array(servers.prefix(3)))
    #expect(MachineFacts.resolvers(in: bytes(text), limit: 16) == servers)
    #expect(MachineFacts.resolvers(in: [0xFF, 0, 0x0A] + [UInt8](repeating: 0x0A, count: 1 << 20)) == [])
  }

  /// Public servers that are neither on a local subnet nor a gateway.
  @Test func foreignNameServersAreFound() throws {
    let servers = try addresses(
      "127.0.0.53", "::1", "10.9.9.9", "198.51.100.1", "203.0.113.1", "9.9.9.9", "9.9.9.9", "2620:fe::fe",
      "fe80::1")
    let foreign = MachineFacts.foreign(
      servers, subnets: [try AddressBlock("198.51.100.0/24")], gateways: try addresses("203.0.113.1"))
    #expect(foreign == (try addresses("9.9.9.9", "2620:fe::fe")))
    #expect(MachineFacts.foreign([], subnets: [], gateways: []) == [])
  }

  @Test func theUseOfSystemdResolvedIsRecognized() throws {
    #expect(try addresses("127.0.0.53", "127.0.0.54").allSatisfy(MachineFacts.isResolved))
    #expect(try !addresses("127.0.0.1", "::35").contains(where: MachineFacts.isResolved))
    #expect(
      MachineFacts.usesResolved(nameServices: bytes("passwd: files\nhosts:\tfiles resolve [!X=return] dns\n"))
    )
    #expect(!MachineFacts.usesResolved(nameServices: bytes("hosts: files dns # resolve\nresolve: x\n")))
  }

  @Test(
    arguments: [
      (["[Resolve]\nDNSOverTLS=yes\n"], [], "yes"), (["[Resolve]\n#DNSOverTLS=yes\n"], [], nil),
      (["DNSOverTLS = Opportunistic"], [], "opportunistic"), (["DNSOverTLS=yes", "DNSOverTLS=no"], [], nil),
      (["DNSOverTLS=yes", "DNSOverTLS="], [], nil), (["DNSOverTLS=yes", "DNSOverTLS=what"], [], "yes"),
      (["DNSOverTLS=yes", "Cache=no"], [], "yes"), ([], [], nil),
      (["DNSOverTLS=yes"], ["DNS_OVER_TLS=no"], nil),
      ([], ["LLMNR=yes", "DNSOVERTLS=opportunistic"], "opportunistic"),
      (["DNSOverTLS=no"], ["DNS_OVER_TLS=yes", "DNSOVERTLS=no"], "yes"), (["DNSOverTLS=1"], ["DNS=x"], "yes"),
    ] as [([String], [String], String?)])
  func theEffectiveDNSEncryptionIsFound(_ configuration: [String], _ links: [String], _ mode: String?) {
    #expect(
      MachineFacts.encryption(configuration: configuration.map(bytes), links: links.map(bytes)) == mode)
  }

  private func firefox(_ text: String) -> MachineFacts {
    var facts = MachineFacts()
    facts.addFirefoxPolicies(bytes(text), path: "/p.json")
    return facts
  }

  @Test func firefoxPoliciesAreRead() {
    let facts = firefox(
      #"{"policies": {"HttpsOnlyMode": "force_enabled", "DNSOverHTTPS": {"Enabled": true, "Locked": true}}}"#)
    #expect(facts.httpsOnly == ["Firefox: HttpsOnlyMode is force_enabled in /p.json"])
    #expect(facts.browserDNS == ["Firefox: DNSOverHTTPS is enabled in /p.json"])
    let name = "dom.security.https_only_mode"
    for value in ["true", #"{"Value": true, "Status": "locked"}"#] {
      #expect(
        firefox(#"{"policies": {"Preferences": {"\#(name)": \#(value)}}}"#).httpsOnly
          == ["Firefox: \(name) is true in /p.json"])
    }
  }

  @Test(arguments: [
    "", "{", "[]", "7", #"{"policies": []}"#, #"{"HttpsOnlyMode": "enabled"}"#,
    #"{"policies": {"HttpsOnlyMode": "allowed"}}"#, #"{"policies": {"HttpsOnlyMode": true}}"#,
    #"{"policies": {"DNSOverHTTPS": {"Enabled": "true"}}}"#, #"{"policies": {"DNSOverHTTPS": true}}"#,
    "{\"policies\": {\"HttpsOnlyMode\": \"enabled\"}, \"x\": \"\u{0}\"}",
    String(repeating: "[", count: 100_000), String(repeating: " ", count: 1 << 21),
  ])
  func irrelevantOrInvalidFirefoxPoliciesAreIgnored(_ text: String) {
    #expect(firefox(text) == MachineFacts())
  }

  @Test(
    arguments: [
      (#"{"HttpsOnlyMode": "force_enabled"}"#, ["Chrome: HttpsOnlyMode is force_enabled in /p\\n.json"], []),
      (#"{"DnsOverHttpsMode": "secure"}"#, [], ["Chrome: DnsOverHttpsMode is secure in /p\\n.json"]),
      (#"{"DnsOverHttpsMode": "automatic"}"#, [], ["Chrome: DnsOverHttpsMode is automatic in /p\\n.json"]),
      (#"{"DnsOverHttpsMode": "off", "HttpsOnlyMode": "allowed"}"#, [], []), ("nonsense", [], []),
    ] as [(String, [String], [String])])
  func chromiumPoliciesAreRead(_ text: String, _ httpsOnly: [String], _ dns: [String]) {
    var facts = MachineFacts()
    facts.addChromiumPolicies(bytes(text), path: "/p\n.json", browser: "Chrome")
    #expect(facts.httpsOnly == httpsOnly)
    #expect(facts.browserDNS == dns)
  }
}
