import ProbeCore
import Testing

@testable import FixtureReplay

/// The effect of a fixture's DNS entries on a routed request.
@Suite struct RoutedLookupTests {
  private static let v4 = IPAddress(v4: 0xC000_0201)

  private static let lookups: [(url: String, family: IPFamily?, answer: DNSAnswer?, RoutedLookup)] = [
    ("http://www.example/", nil, nil, .found(nil)),
    ("http://www.example/", .v6, nil, .found(nil)),
    ("http://www.example/", nil, .address(v4), .found(v4)),
    ("http://www.example/", .v4, .address(v4), .found(v4)),
    (
      "http://www.example/", .v6, .address(v4),
      .fails(.noSuchHost, "www.example has no IPv6 address in DNS")
    ),
    ("http://www.example/", nil, .nxdomain, .fails(.noSuchHost, "www.example does not exist in DNS")),
    (
      "http://www.example/", nil, .servfail,
      .fails(.dnsFailure, "www.example could not be looked up: the DNS server failed")
    ),
    ("http://www.example/", nil, .timeout, .isSilent),
    // An address is never looked up.
    ("http://192.0.2.1/", nil, .nxdomain, .found(v4)),
    ("https://[2001:db8::7]/", nil, nil, .found(IPAddress("2001:db8::7"))),
  ]

  @Test(arguments: lookups.indices)
  func lookup(_ index: Int) throws {
    let (url, family, answer, expected) = Self.lookups[index]
    #expect(try RoutedRequest(try request(url) { $0.family = family }).lookup(answer) == expected)
  }

  @Test func theSourceSetsTheFamilyToo() throws {
    let routed = try RoutedRequest(
      try request("http://www.example/") { $0.source = try ProbeSource("2001:db8::9") })
    #expect(
      routed.lookup(.address(Self.v4)) == .fails(.noSuchHost, "www.example has no IPv6 address in DNS"))
  }

  @Test func theTimeoutOfALookup() throws {
    let long = try RoutedRequest(try request("http://www.example/") { $0.timeout = .seconds(3) })
    #expect(long.timeForLookup == .seconds(3))
    let short = try RoutedRequest(try request("http://www.example/") { $0.connectTimeout = .seconds(1) })
    #expect(short.timeForLookup == .seconds(1))
  }
}
