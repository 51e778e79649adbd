import ProbeCore
import TestSupport
import Testing

@testable import ProbeStreams

@Suite struct ResolverConfigurationTests {
  @Test func hasDefaults() {
    let configuration = ResolverConfiguration("", hostName: "machine")
    #expect(configuration == ResolverConfiguration())
    #expect(configuration.servers.map(\.description) == ["127.0.0.1:53"])
    #expect(configuration.timeout == .seconds(2) && configuration.attempts == 3 && configuration.dots == 1)
  }

  @Test func readsAllSettings() {
    let configuration = ResolverConfiguration(
      """
      # a comment
      ; another one
      nameserver 192.0.2.1
      nameserver\t2001:db8::1   # the second
      search one.example two.example
      options ndots:2 timeout:3 attempts:4 rotate
      options use-vc edns0 trust-ad no-reload
      """, hostName: "machine.example")
    #expect(configuration.servers.map(\.description) == ["192.0.2.1:53", "[2001:db8::1]:53"])
    #expect(configuration.search == ["one.example", "two.example"])
    #expect(configuration.dots == 2 && configuration.timeout == .seconds(3) && configuration.attempts == 4)
    #expect(configuration.rotates && configuration.usesTCP && configuration.isUnderstood)
  }

  @Test func appliesTheLimitsOfGlibc() {
    let many = (1...5).map { "nameserver 192.0.2.\($0)\n" }.joined()
    let configuration = ResolverConfiguration(
      many + "options ndots:99 timeout:99 attempts:99999999999999999999\n", hostName: "")
    #expect(configuration.servers.count == 3)
    #expect(configuration.dots == 15 && configuration.timeout == .seconds(30) && configuration.attempts == 5)
    let least = ResolverConfiguration("options ndots:x timeout:0 attempts:0\n", hostName: "")
    #expect(least.dots == 0 && least.timeout == .seconds(1) && least.attempts == 1)
  }

  @Test(arguments: [
    ("", "machine", []), ("", "machine.example.org", ["example.org"]), ("search .\n", "machine.example", []),
    ("search", "machine.example", []), ("domain a.example b.example", "m", ["a.example"]),
    ("domain a.example\nsearch b.example c.example", "m", ["b.example", "c.example"]),
    ("search b.example c.example\ndomain a.example", "m", ["a.example"]),
    ("#search a.example\n search b.example", "m", []),
  ])
  func findsTheDomainsToSearch(_ text: String, _ hostName: String, _ expected: [String]) {
    #expect(ResolverConfiguration(text, hostName: hostName).search == expected)
  }

  @Test(arguments: [
    "options no-aaaa", "options single-request", "options single-request-reopen", "options no-tld-query",
    "options inet6", "options ndots", "options rotate:1", "options unheard-of", "sortlist 192.0.2.0",
    "lookup file bind", "nameserver fe80::1%eth0", "nameserver", "nameserver example", "family inet6",
  ])
  func recognizesUnsupportedLines(_ line: String) {
    #expect(!ResolverConfiguration(line, hostName: "").isUnderstood)
  }

  @Test func readsTheConfigurationOfTheMachine() throws {
    let file = try TemporaryFile("nameserver 192.0.2.7\n")
    #expect(try ResolverConfiguration.ofMachine(file.path).servers.map(\.description) == ["192.0.2.7:53"])
    #expect(try ResolverConfiguration.ofMachine(file.path + "-nowhere").isUnderstood)
    #expect(try ResolverConfiguration.ofMachine(file.path + "/nowhere").isUnderstood)
    #expect(try !ResolverConfiguration.ofMachine("/dev/null").isUnderstood)
    #expect(try ResolverConfiguration.ofMachine(file.path + "-nowhere").servers.count == 1)
  }
}
