import BundledPlugins
import ProbeCore
import ProbePipeline
import Testing

@testable import PortalReport

/// The evidence beside a verdict, from given results.
struct ConditionFindingsTests {
  /// The examples of RFC 6052 §2.4, for the addresses of ipv4only.arpa.
  @Test(arguments: [
    ("2001:db8:c000:aa::", "2001:db8::/32"), ("2001:db8:1c0:0:aa::", "2001:db8:100::/40"),
    ("2001:db8:122:c000:0:aa00::", "2001:db8:122::/48"), ("2001:db8:122:3c0:0:ab::", "2001:db8:122:300::/56"),
    ("2001:db8:122:344:c0:0:aa00::", "2001:db8:122:344::/64"), ("2001:db8:122:344::c000:ab", "2001:db8:122:344::/96"),
    ("64:ff9b::c000:aa", "64:ff9b::/96"), ("64:ff9b::c000:ac", nil), ("2001:db8::1", nil), ("192.0.0.170", nil),
  ])
  func thePrefixOfNAT64IsFound(_ text: String, _ prefix: String?) throws {
    let address = try #require(IPAddress(text))
    #expect(address.translationPrefix?.description == prefix)
  }

  private func evidence(
    _ probes: [String: [ProbeResult]], encrypted: Bool = true, hasRoute: Bool = true
  ) -> [String] {
    var own = RunResult.empty
    if encrypted {
      var probe = ProbeResult(url: "https://www.example.com/", outcome: .accepted)
      probe.encryption = .encrypted
      own.sets = [SetResult(name: "https", threshold: .all, probes: [probe])]
    }
    return ConditionFindings(.init(probes: probes), beside: own, hasRoute: { _ in hasRoute }).evidence.map {
      "\($0.kind): \($0.summary)"
    }
  }
}
