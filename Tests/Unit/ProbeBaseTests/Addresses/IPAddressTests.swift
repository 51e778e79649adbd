import ProbeBase
import Testing

@Suite struct IPAddressTests {
  /// RFC 5952 §4 and §5, RFC 4291 §2.2.
  static let texts: [(text: String, canonical: String?)] = [
    ("2001:0db8::0001", "2001:db8::1"), ("2001:db8:0:0:0:0:2:1", "2001:db8::2:1"),
    ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
    ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:DB8::AbCd", "2001:db8::abcd"),
    ("::", "::"), ("0:0:0:0:0:0:0:0", "::"), ("::1", "::1"), ("1::", "1::"),
    ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
    ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("::ffff:192.0.2.1", "::ffff:192.0.2.1"),
    ("::ffff:c000:201", "::ffff:192.0.2.1"), ("::192.0.2.1", "::c000:201"),
    ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:c000:201"),
    ("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    (":::", nil), (":", nil), ("", nil), ("1:2:3:4:5:6:7", nil), ("1:2:3:4:5:6:7:8:9", nil), ("1::2::3", nil),
    ("1:2:3:4:5:6:7:8::", nil), ("::1:2:3:4:5:6:7:8", nil), ("12345::", nil), ("g::", nil), ("::1%eth0", nil),
    ("[::1]", nil), ("192.0.2.1::", nil), ("::192.0.2.1:1", nil), ("1.2.3.4:1::2", nil), ("::1.2.3", nil),
    ("::1.2.3.256", nil), (":1:2:3:4:5:6:7", nil), ("1:2:3:4:5:6:7:", nil), ("1:2:3:4:5:6:7:192.0.2.1", nil),
    ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("192.0.2.1", "192.0.2.1"),
    ("256.0.0.0", nil), ("1.2.3", nil), ("1.2.3.4.5", nil), ("01.2.3.4", nil), ("1.2.3.4.", nil),
    ("1..2.3", nil),
    ("0x7f.0.0.1", nil), ("+1.2.3.4", nil), (" 1.2.3.4", nil), ("١.2.3.4", nil), ("127.1", nil),
  ]

  @Test(arguments: texts)
  func parsesAndPrints(_ text: String, canonical: String?) {
    let address = IPAddress(text)
    #expect(address?.description == canonical)
    if let address { #expect(IPAddress(address.description) == address) }
  }

  @Test func numbers() {
    #expect(IPAddress("192.0.2.1") == IPAddress(v4: 0xC000_0201))
    #expect(IPAddress("::1") == IPAddress(v6: 1))
    #expect(IPAddress("0.0.0.1") != IPAddress("::1"), "the family is part of an address")
    #expect(IPAddress("2001:db8::1".dropFirst(0))?.family == .v6)
  }

  @Test func socketAddresses() {
    #expect(SocketAddress(IPAddress(v4: 0xC000_0201), port: 80).description == "192.0.2.1:80")
    #expect(SocketAddress(IPAddress(v6: 1), port: 443).description == "[::1]:443")
  }
}
