import ProbeCore
import Testing

@Suite struct IPAddressRangeTests {
  /// The first and the last address of each block (RFC 6890, RFC 6598, RFC 1918, RFC 3927, RFC 2544, RFC 1112 §4).
  @Test(arguments: [
    "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
    "127.255.255.255", "169.254.0.0", "169.254.255.255", "172.16.0.0", "172.31.255.255", "192.0.0.0",
    "192.0.0.255",
    "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255", "240.0.0.0", "255.255.255.255",
    "::", "::1", "100::", "100::ffff:ffff:ffff:ffff", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "fe80::",
    "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    // IPv4 within IPv6.
    "::ffff:10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::192.168.1.1", "64:ff9b::a00:1",
  ])
  func noPublicHostHasThis(_ text: String) throws {
    #expect(try #require(IPAddress(text)).isSpecialPurpose)
  }

  /// The neighbours of each block, what is public, and what documentation stands for (RFC 5737, RFC 3849).
  @Test(arguments: [
    "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
    "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0", "198.17.255.255", "198.20.0.0", "8.8.8.8", "192.0.2.1", "198.51.100.1", "203.0.113.1",
    "223.255.255.255",
    "::2", "100:0:0:1::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db8::1", "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
    "64:ff9b:1::a00:1",
    "::fffe:10.0.0.1",
  ])
  func aPublicHostMayHaveThis(_ text: String) throws {
    #expect(try !#require(IPAddress(text)).isSpecialPurpose)
  }
}
