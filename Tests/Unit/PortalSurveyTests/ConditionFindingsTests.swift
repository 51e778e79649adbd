import BundledPlugins
import ProbeCore
import ProbePipeline
import Testing

@testable import PortalSurvey

/// The evidence beside a verdict, from given results.
struct ConditionFindingsTests {
  /// The examples of RFC 6052 §2.4, for the addresses of ipv4only.arpa.
  @Test(arguments: [
    ("2001:db8:c000:aa::", "2001:db8::/32"), ("2001:db8:1c0:0:aa::", "2001:db8:100::/40"),
    ("2001:db8:122:c000:0:aa00::", "2001:db8:122::/48"), ("2001:db8:122:3c0:0:ab::", "2001:db8:122:300::/56"),
    ("2001:db8:122:344:c0:0:aa00::", "2001:db8:122:344::/64"),
    ("2001:db8:122:344::c000:ab", "2001:db8:122:344::/96"),
    ("64:ff9b::c000:aa", "64:ff9b::/96"), ("64:ff9b::c000:ac", nil), ("2001:db8::1", nil),
    ("192.0.0.170", nil), ("::ffff:192.0.0.170", nil), ("::192.0.0.170", nil),
  ])
  func thePrefixOfNAT64IsFound(_ text: String, _ prefix: String?) throws {
    let address = try #require(IPAddress(text))
    #expect(address.translationPrefix?.description == prefix)
  }

  private static let own = {
    let probe = ProbeResult(url: "https://www.example.com/", outcome: .accepted, encryption: .encrypted)
    return RunResult(
      pipeline: "default", verdict: .online, portal: nil, evidence: [],
      sets: [SetResult(name: "https", threshold: .all, probes: [probe])], duration: .zero)
  }()

  private static func evidence(_ probes: [String: [ProbeResult]], hasRoute: Bool = true) -> [String] {
    ConditionFindings(.init(probes: probes), beside: own, hasRoute: { _ in hasRoute }).evidence.map(\.summary)
  }

  private static func lookup(_ name: String, _ type: String, _ data: [String]) throws -> ProbeResult {
    var response = ProbeResponse(url: try ProbeURL("dns:///\(name)?type=\(type)"))
    var facts = DNSFacts(name: name + ".", type: type)
    facts.answer = data.map { DNSRecord(name: name + ".", timeToLive: .seconds(60), type: type, data: $0) }
    response.dns = facts
    return ProbeResult(
      url: response.url.string, outcome: data.isEmpty ? .failed : .accepted,
      reason: data.isEmpty ? .noSuchHost : nil, response: response)
  }

  @Test func theEncryptedServersOfTheNetworkAreNamed() throws {
    let designated = try Self.lookup(
      "_dns.resolver.arpa", "SVCB",
      ["1 dns.example. alpn=\"dot\"", "0 alias.example.", "1 .", "2 bad\u{1B}[2J."])
    let exists = try Self.lookup("ipv4only.arpa", "AAAA", [])
    #expect(
      Self.evidence(["dnsPolicy": [designated], "nat64": [exists]]) == [
        "the DNS server of the network offers encrypted DNS (RFC 9462): dns.example, bad\\x1b[2J"
      ])
  }

  /// A name with one family of addresses exists, and a server that fails blocks nothing.
  @Test func onlyAMissingNameIsAPolicy() throws {
    let exists = try Self.lookup("ipv4only.arpa", "AAAA", [])
    let (noA, aaaa) = (
      try Self.lookup("mask.icloud.com", "A", []), try Self.lookup("mask.icloud.com", "AAAA", ["2001:db8::1"])
    )
    #expect(Self.evidence(["dnsPolicy": [noA, aaaa], "nat64": [exists]]).isEmpty)
    #expect(Self.evidence(["dnsPolicy": [noA], "nat64": [exists]]).count == 1)
    var fails = noA
    fails.response?.dns?.code = DNSResponseCode(rawValue: 2)
    #expect(Self.evidence(["dnsPolicy": [fails], "nat64": [exists]]).isEmpty)
  }

  /// What is not QUIC comes from something else.
  @Test func anotherResponseIsNotSilence() throws {
    let url = try ProbeURL("udp://www.google.com:443")
    var response = ProbeResponse(url: url)
    response.body = [1, 2, 3]
    let probe = ProbeResult(url: url.string, outcome: .failed, reason: .responseTimeout, response: response)
    #expect(
      Self.evidence(["udp443": [probe]]) == [
        "UDP port 443 does not reach www.google.com: something else responds, and not by QUIC"
      ])
  }

  /// Without a route, the machine has no IPv6; where a name has no address, nothing was tried.
  @Test func onlyAttemptsByIPv6AreEvidence() throws {
    func attempt(_ reason: ReasonCode) throws -> ProbeResult {
      let url = try ProbeURL("tcp://www.google.com:443")
      var response = ProbeResponse(url: url)
      response.remoteAddress = SocketAddress(try #require(IPAddress("2001:db8::1")), port: 443)
      return ProbeResult(url: url.string, outcome: .failed, reason: reason, response: response)
    }
    #expect(Self.evidence(["ipv6": [try attempt(.connectTimeout)]]).count == 1)
    #expect(Self.evidence(["ipv6": [try attempt(.connectUnreachable)]]).count == 1)
    #expect(Self.evidence(["ipv6": [try attempt(.connectTimeout)]], hasRoute: false).isEmpty)
    #expect(Self.evidence(["ipv6": [try attempt(.noSuchHost)]]).isEmpty)
    #expect(Self.evidence(["ipv6": [try attempt(.connectRefused)]]).isEmpty)
    #expect(Self.evidence(["ipv6": [try attempt(.noSource), try attempt(.connectTimeout)]]).isEmpty)
    #expect(Self.evidence(["udp443": [try attempt(.noDescriptors)]]).isEmpty)
    #expect(Self.evidence([:]).isEmpty)
  }

  /// The pipeline is one that the bundled plugins support, with new connection IDs each time.
  @Test func thePipelineIsValid() throws {
    let plan = try NetworkConditions(.bundled, hasRoute: { _ in true }).plan
    #expect(plan.sets.map(\.name) == ["udp443", "ipv6", "nat64", "dnsPolicy"])
    let (first, second) = (QUICGreeting(), QUICGreeting())
    #expect(first.packet.count == 1200 && first.packet != second.packet && first.response != second.response)
    // RFC 8999 §5.1: a long header, the version, and both connection IDs, which the response exchanges.
    #expect(first.packet[0] & 0x80 != 0 && Array(first.packet[1..<5]) == [0x1A, 0x2A, 0x3A, 0x4A])
    #expect(first.response == [0, 0, 0, 0] + first.packet[14..<23] + first.packet[5..<14])
  }
}
