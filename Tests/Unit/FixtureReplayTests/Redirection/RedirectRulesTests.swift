import ProbeCore
import TestSupport
import Testing

@testable import FixtureReplay

@Suite struct RedirectRulesTests {
  private static let targets = RedirectTargets(dns: 1053, http: 1080, https: 1443, tcp: 1025, other: 1999)

  @Test func theRulesAreReadable() throws {
    var targets = Self.targets
    targets.plainPorts = [25, 993]
    targets.repliesToPings = false
    var rules = try #require(RedirectRules(interface: "wlan0.5", targets: targets))
    rules.openPorts = [67]
    #expect(
      try Snapshot("redirect-rules", is: rules.ruleset, extension: "nft").text == rules.ruleset)
    // While the network is set up or taken down, a table that admits nothing replaces them.
    let table = try #require(InterfaceTable("wlan0.5"))
    #expect(
      table.removal == "table inet probekit-replay-wlan0-5\ndelete table inet probekit-replay-wlan0-5\n")
    #expect(table.closingRuleset.hasPrefix(table.removal + "table inet probekit-replay-wlan0-5 {\n"))
    #expect(table.closingRuleset.contains("    iifname \"wlan0.5\" drop\n"))
  }

  /// A server with an IPv4 address receives nothing over IPv6, so that nothing else may either.
  @Test func withoutIPv6TheClientsAreRefusedIt() throws {
    var rules = try #require(RedirectRules(interface: "eth1", targets: Self.targets))
    #expect(!rules.ruleset.contains("nfproto"))
    rules.address = IPAddress("10.97.0.1")
    let lines = rules.ruleset.split(separator: "\n").map { $0.drop { $0 == " " } }
    let admission = lines.firstIndex(of: "meta l4proto tcp accept") ?? 0
    for refusal in [
      "meta nfproto ipv6 meta l4proto tcp reject with tcp reset",
      "meta nfproto ipv6 meta l4proto udp reject with icmpx port-unreachable",
      "icmpv6 type echo-request drop",
    ] {
      #expect(lines[..<admission].contains { $0 == refusal }, "\(refusal)")
    }
  }

  @Test func optionalPartsAreOmitted() throws {
    let text = try #require(RedirectRules(interface: "eth1", targets: Self.targets)).ruleset
    #expect(text.contains("    tcp dport 443 redirect to :1443\n    meta l4proto tcp redirect to :1999\n"))
    #expect(text.contains("icmp type echo-request accept") && !text.contains("echo-request drop"))
    #expect(text.contains("udp dport { 53 } accept"))
  }

  @Test(arguments: ["", "a\"b", "a*", "a b", "a\n", "ä"])
  func invalidInterfaceNamesHaveNoRules(name: String) {
    #expect(RedirectRules(interface: name, targets: Self.targets) == nil)
  }

  @Test func refusedPlainTCPPortsAreListed() throws {
    let routes = [
      ReplayRoute("a", when: RouteCondition(listener: .tcp, port: "993")),
      ReplayRoute("b", when: RouteCondition(port: "25", receive: "HELO *")),
      ReplayRoute("c", when: RouteCondition(listener: .tcp, port: "99*")),
      ReplayRoute("d", when: RouteCondition(listener: .http, port: "8080")),
    ]
    for (mode, ports) in [(ListenerMode.refused, [25, 993]), (.open, []), (.rst, [])]
      as [(ListenerMode, [UInt16])]
    {
      var options = ReplayOptions()
      options.authority = try TestAuthority.shared
      options.isTransparent = true
      let server = try ReplayServer(
        [Fixture(name: "mail", listeners: [.tcp: mode], routes: routes)], options: options)
      defer { server.stop() }
      #expect(server.redirectTargets?.plainPorts == ports)
      #expect(server.redirectTargets?.repliesToPings == true)
    }
  }

  @Test func othersAreTreatedAlikeIfAllListenersAre() {
    func mode(_ listeners: [ReplayListener: ListenerMode]) -> ListenerMode {
      [Fixture(name: "modes", listeners: listeners, routes: [])].modes.ofOthers
    }
    #expect(mode([:]) == .open)
    #expect(mode([.http: .refused, .https: .refused, .tcp: .refused]) == .refused)
    #expect(mode([.http: .blackhole, .https: .blackhole, .tcp: .blackhole]) == .blackhole)
    #expect(mode([.https: .refused]) == .open)
  }
}
