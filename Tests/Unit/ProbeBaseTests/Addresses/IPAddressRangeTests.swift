import ProbeBase
import Testing

@Suite struct IPAddressRangeTests {
  /// The first and the last address of each block of IANA's registries of special-purpose addresses that is not globally
  /// reachable, and of multicast (RFC 5771, RFC 4291 §2.7).
  @Test(arguments: [
    "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
    "127.255.255.255", "169.254.0.0", "169.254.255.255", "172.16.0.0", "172.31.255.255", "192.0.0.0",
    "192.0.0.255",
    "192.168.0.0", "192.168.255.255", "192.88.99.0", "192.88.99.255", "198.18.0.0", "198.19.255.255",
    "224.0.0.0", "224.0.0.251", "239.255.255.255",
    "240.0.0.0", "255.255.255.255",
    "::", "::1", "100::", "100::ffff:ffff:ffff:ffff", "100:0:0:1::", "100::1:ffff:ffff:ffff:ffff", "2001::",
    "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", "2001:1::", "2001:1::4", "2001:2::",
    "2001:2:0:ffff:ffff:ffff:ffff:ffff",
    "2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "5f00::",
    "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "ff02::fb",
    "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "fe80::",
    "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    // IPv4 within IPv6.
    "::ffff:10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::192.168.1.1", "64:ff9b::a00:1", "::ffff:224.0.0.1",
    "2002:a00:1::1", "2002:e000:1::", "64:ff9b:1::a00:1", "::10.0.0.1", "::ffff:0:10.0.0.1",
    "2001:db8::5efe:10.0.0.1",
    // Of Microsoft's public addresses, this one is every virtual machine's own host.
    "168.63.129.16",
  ])
  func specialPurposeAddressesAreRecognized(_ text: String) throws {
    #expect(try #require(IPAddress(text)).isSpecialPurpose)
  }

  /// The neighbors of each block, global addresses, globally reachable ones in blocks that are not, and the
  /// documentation blocks (RFC 5737, RFC 3849, RFC 9637).
  @Test(arguments: [
    "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
    "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0", "198.17.255.255", "198.20.0.0", "8.8.8.8", "192.0.2.1", "198.51.100.1", "203.0.113.1",
    "223.255.255.255",
    "192.0.0.9", "192.0.0.10", "192.31.196.1", "192.52.193.1", "192.175.48.1", "192.88.98.255",
    "192.88.100.0",
    "2001:1::1", "2001:1::2", "2001:1::3", "2001:3::", "2001:4:112::", "2001:20::", "2001:3f:ffff::",
    "2001:200::",
    "2620:4f:8000::1", "3fff::1", "5eff:ffff::", "5f01::", "2002:808:808::1",
    "::2", "100:0:0:2::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db8::1", "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
    "64:ff9b:1::808:808", "::8.8.8.8", "2001:db8::5efe:8.8.8.8",
    "::fffe:10.0.0.1", "2001:db8::5eff:10.0.0.1", "168.63.129.17",
  ])
  func publicAddressesAreNotSpecialPurpose(_ text: String) throws {
    #expect(try !#require(IPAddress(text)).isSpecialPurpose)
  }
}
