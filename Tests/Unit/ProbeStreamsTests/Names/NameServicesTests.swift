@testable import ProbeStreams
import Testing

@Suite struct NameServicesTests {
  private static let filesFirst = NameRoute.own([.hostsFile, .dns])

  private func route(
    _ line: String?, _ host: String = "a.example",
    _ change: (inout NameServices.MachineFacts) -> Void = { _ in }
  ) -> NameRoute {
    var machine = NameServices.MachineFacts()
    machine.hostName = "Machine"
    change(&machine)
    return NameServices(line.map { "passwd: files nis\nhosts: \($0)\n" }, machine).route(of: host)
  }

  @Test(
    arguments: [
      ("files dns", filesFirst), ("dns files", .own([.dns, .hostsFile])), ("files", .own([.hostsFile])),
      ("dns", .own([.dns])), ("\tfiles   dns # resolve", filesFirst), ("files dns files", filesFirst),
      ("files mdns4_minimal [NOTFOUND=return] dns", filesFirst), ("files myhostname dns", filesFirst),
      ("files mdns4_minimal [NOTFOUND=return] dns mdns4 myhostname", filesFirst),
      ("files mdns [!UNAVAIL=return] dns", filesFirst), ("files mdns [UNAVAIL=return] dns", .system),
      ("myhostname [NOTFOUND=return] files dns", .system),
      ("files myhostname [SUCCESS=return] dns", filesFirst),
      ("files resolve [!UNAVAIL=return] dns", .system), ("resolve", .system),
      ("files mymachines dns", .system),
      ("files nis dns", .system), ("files ldap", .system), ("files wins dns", .system),
      ("files libvirt dns", .system),
      ("compat", .system), ("Files dns", .system), ("", .system), ("myhostname", .system),
    ] as [(String, NameRoute)])
  func theServicesDetermineTheRoute(_ line: String, _ expected: NameRoute) {
    #expect(route(line) == expected)
  }

  @Test(
    arguments: [
      ("files [SUCCESS=return NOTFOUND=continue] dns", filesFirst), ("files[success=RETURN]dns", filesFirst),
      ("files [NOTFOUND=return] dns", .system), ("files [!SUCCESS=continue] dns", filesFirst),
      ("files [SUCCESS=continue] dns", .system), ("files [SUCCESS=merge] dns", .system),
      ("dns [!UNAVAIL=return] files", .system), ("files dns [!UNAVAIL=return]", filesFirst),
      ("files dns [NOTFOUND=return] myhostname", filesFirst),
      ("files [UNAVAIL=return] [UNAVAIL=continue] dns", filesFirst),
      ("files [!NOTFOUND=continue] dns", .system), ("files [NOTFOUND dns", .system),
      ("files [NOTFOUND] dns", .system),
      ("files [MAYBE=return] dns", .system), ("[NOTFOUND=return] files dns", .system),
    ] as [(String, NameRoute)])
  func theActionsDetermineTheRoute(_ line: String, _ expected: NameRoute) {
    #expect(route(line) == expected)
  }

  @Test func withoutAHostsLineADefaultApplies() {
    #expect(route(nil) == Self.filesFirst)
    #expect(NameServices("passwd: files\n#hosts: nis\n", named("m")).route(of: "a") == Self.filesFirst)
    #expect(NameServices("hosts: files\nhosts: dns\n", named("m")).route(of: "a") == .system)
    #expect(NameServices(" hosts :dns", named("m")).route(of: "a") == .own([.dns]))
    #expect(NameServices("hosts dns", named("m")).route(of: "a") == .own([.dns]))
  }

  private func named(_ name: String) -> NameServices.MachineFacts {
    var machine = NameServices.MachineFacts()
    machine.hostName = name
    return machine
  }

  @Test(arguments: ["local", "printer.local", "printer.LOCAL.", "a.b.local"])
  func localNamesAreLeftToMDNS(_ host: String) {
    #expect(route("files mdns4_minimal [NOTFOUND=return] dns", host) == .system)
    #expect(route("files dns", host) == Self.filesFirst)
  }

  @Test func otherNamesMayBeLeftToMDNS() {
    #expect(route("files mdns4 dns") { $0.allowsOtherNamesByMDNS = true } == .system)
    #expect(route("files dns") { $0.allowsOtherNamesByMDNS = true } == Self.filesFirst)
  }

  @Test(arguments: [
    "localhost", "LocalHost.", "a.localhost", "localhost.localdomain", "a.localhost.localdomain", "_gateway",
    "gateway", "_outbound", "machine", "MACHINE.",
  ])
  func namesOfThisMachineAreLeftToMyHostName(_ host: String) {
    #expect(route("files myhostname dns", host) == .system)
    #expect(route("files dns", host) == Self.filesFirst)
  }

  @Test func withoutAMachineNameEveryNameMayBeItsOwn() {
    #expect(route("files myhostname dns") { $0.hostName = "" } == .system)
  }

  @Test(arguments: ["", "a b", "a\\.b", "fe80::1%eth0", "bücher.example", "a/b", "a\0"])
  func unusualNamesAreLeftToTheSystem(_ host: String) {
    #expect(route("files dns", host) == .system)
  }

  @Test func unsupportedServicesAreLeftToTheSystem() {
    #expect(route("files dns") { $0.hasVariables = true } == .system)
    #expect(route("files dns") { $0.isConfigurationUnderstood = false } == .system)
  }

  @Test(arguments: [
    ("localhost", true), ("LOCALHOST.", true), ("a.b.localhost", true), ("notlocalhost", false),
    ("localhost.example", false), ("", false),
  ])
  func localhostNamesAreRecognized(_ host: String, _ expected: Bool) {
    #expect(NameServices.isLocalhost(host) == expected)
  }

  @Test func theMachinesConfigurationIsRead() throws {
    let services = try NameServices.ofMachine(try .ofMachine())
    #expect(services.route(of: "a b") == .system)
  }
}
