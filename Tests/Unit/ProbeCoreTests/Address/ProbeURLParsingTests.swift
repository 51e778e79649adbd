import ProbeCore
import Testing

@Suite struct ProbeURLParsingTests {
  static let accepted: [(text: String, string: String)] = [
    ("https://example.com", "https://example.com"),
    ("https://example.com/", "https://example.com/"),
    ("HTTPS://EXAMPLE.com/A", "https://example.com/A"),
    ("http://example.com:8080/x?y#z", "http://example.com:8080/x?y#z"),
    ("http://example.com:80/", "http://example.com:80/"),
    ("http://example.com:00080/", "http://example.com:80/"),
    ("http://example.com.:80/", "http://example.com.:80/"),
    ("http://a_b.example/", "http://a_b.example/"),
    ("http://localhost", "http://localhost"),
    ("http://192.0.2.1/", "http://192.0.2.1/"),
    ("http://[::1]/", "http://[::1]/"),
    ("http://[2001:DB8:0:0::1]:8080/", "http://[2001:db8::1]:8080/"),
    ("http://[::ffff:192.0.2.1]", "http://[::ffff:192.0.2.1]"),
    ("tcp://mail.example:25", "tcp://mail.example:25"),
    ("x-own+1.0://host/path", "x-own+1.0://host/path"),
    ("http://h/ü", "http://h/%C3%BC"),
    ("http://h/%c3%bc", "http://h/%c3%bc"),
    ("http://h/100%", "http://h/100%"),
    // In each part, the same characters are left unencoded as in browsers.
    ("http://h/!\"$&'()*+,-.:;<=>@[]^_`{|}~", "http://h/!%22$&'()*+,-.:;%3C=%3E@[]%5E_%60%7B|%7D~"),
    ("http://h/?!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~", "http://h/?!%22$&%27()*+,-./:;%3C=%3E?@[\\]^_`{|}~"),
    ("tcp://h:1/?'", "tcp://h:1/?'"),
    ("http://h/#!\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~", "http://h/#!%22#$&'()*+,-./:;%3C=%3E?@[\\]^_%60{|}~"),
    ("http://h/?q=ü", "http://h/?q=%C3%BC"), ("http://h/#fräg", "http://h/#fr%C3%A4g"),
    ("http://h?q", "http://h?q"),
    ("http://h/@user:pass", "http://h/@user:pass"),
    ("http://0xyz/", "http://0xyz/"),
    ("http://1.example/", "http://1.example/"),
  ]

  @Test(arguments: accepted)
  func accepts(_ text: String, string: String) throws {
    let url = try ProbeURL(text)
    #expect(url.string == string)
    #expect(try ProbeURL(url.string) == url, "what was read can be read again")
  }

  static let refused: [(text: String, error: String, offset: Int?)] = [
    ("", "the URL is empty: give one such as https://example.com/", nil),
    ("example.com", "the URL has no scheme: start it with one, as in https://example.com/", nil),
    ("/path", "the URL has no scheme: start it with one, as in https://example.com/", nil),
    ("//example.com/", "the URL has no scheme: start it with one, as in https://example.com/", nil),
    ("1http://h/", "the URL has no scheme: start it with one, as in https://example.com/", nil),
    ("ht_tp://h/", "the URL has no scheme: start it with one, as in https://example.com/", nil),
    (
      "example.com:8080/x", "the URL has no scheme: start it with one, as in https://example.com:8080/", nil
    ),
    ("http:/example.com", "the URL has no // after its scheme: write it as scheme://host/path", nil),
    ("mailto:someone", "the URL has no // after its scheme: write it as scheme://host/path", nil),
    ("http:", "the URL has no // after its scheme: write it as scheme://host/path", nil),
    ("http://h/a b", "the URL contains a space: write it as %20", 10),
    (" http://h/", "the URL contains a space: write it as %20", 0),
    (
      "http://h/a\tb", "the URL contains a control character: remove it, or write it percent-encoded", 10
    ),
    ("http://h/\u{0}", "the URL contains a control character: remove it, or write it percent-encoded", 9),
    ("http://h/\u{7F}", "the URL contains a control character: remove it, or write it percent-encoded", 9),
    ("http://h\\x", "the URL contains a backslash: use / or write it as %5C", 8),
    ("http://", "the URL has an empty host: write it as scheme://host/path", 7),
    ("http:///path", "the URL has an empty host: write it as scheme://host/path", 7),
    ("http://:80/", "the URL has an empty host: write it as scheme://host/path", 7),
    ("http://h:0/", "port \"0\" cannot be used: a port is a number from 1 to 65535", 9),
    ("http://h:70000/", "port \"70000\" cannot be used: a port is a number from 1 to 65535", 9),
    (
      "http://h:99999999999999999999/",
      "port \"999999999999…\" cannot be used: a port is a number from 1 to 65535", 9
    ),
    ("http://h:abc/", "\"abc\" is not a port: a port is a number from 1 to 65535", 9),
    ("http://h:+80/", "\"+80\" is not a port: a port is a number from 1 to 65535", 9),
    (
      "http://h::/",
      "the URL's host has more than one colon: put an IPv6 address in brackets, as in http://[::1]/", 8
    ),
    ("http://:/", "the URL has an empty host: write it as scheme://host/path", 7),
    (
      "http://::1/",
      "the URL's host has more than one colon: put an IPv6 address in brackets, as in http://[::1]/",
      7
    ),
    ("http://[::1/", "the URL's IPv6 address has no closing ]", 7),
    ("http://[::1]x/", "the URL has text between ] and its port", 12),
    ("http://[::1]:x/", "\"x\" is not a port: a port is a number from 1 to 65535", 13),
    ("http://[192.0.2.1]/", "[192.0.2.1] is not an IPv6 address", 7),
    (
      "http://[fe80::1%25eth0]/",
      "[fe80::1%25eth0] is not an IPv6 address: write [fe80::1], and name the interface with the option interface",
      7
    ),
    (
      "http://[fe80::1%eth0]/",
      "[fe80::1%eth0] is not an IPv6 address: write [fe80::1], and name the interface with the option interface",
      7
    ),
    ("http://[%25eth0]/", "[%25eth0] is not an IPv6 address", 7),
    ("http://[]/", "[] is not an IPv6 address", 7),
    ("http://a\"b/", "the URL's host contains \"\\\"\", which no host name does", 8),
    ("http://a%4/", "the URL's host contains \"%\", which no host name does", 8),
    ("http://a%2Fb/", "the URL's host contains \"/\", which no host name does", 7),
    ("http://u%40b/", "the URL's host contains \"@\", which no host name does", 7),
    ("http://a%00b/", "the URL's host contains \"\\x00\", which no host name does", 7),
    ("http://b%FCcher/", "the URL's host is not valid UTF-8", 7),
    ("http://a..b/", "\"a..b\" is not a host name: each part between dots has 1 to 63 characters", 7),
    ("http://./", "\".\" is not a host name: each part between dots has 1 to 63 characters", 7),
    ("http://1.2.3.4.5/", "\"1.2.3.4.5\" is not an IPv4 address: write four numbers from 0 to 255", 7),
    ("http://1.2.3/", "\"1.2.3\" is not an IPv4 address: write four numbers from 0 to 255", 7),
    ("http://256.1.1.1/", "\"256.1.1.1\" is not an IPv4 address: write four numbers from 0 to 255", 7),
    ("http://0x7f.0x1/", "\"0x7f.0x1\" is not an IPv4 address: write four numbers from 0 to 255", 7),
    ("http://2130706433/", "\"2130706433\" is not an IPv4 address: write four numbers from 0 to 255", 7),
  ]

  @Test(arguments: refused)
  func refuses(_ text: String, error: String, offset: Int?) {
    let thrown = #expect(throws: InvalidInput.self) { try ProbeURL(text) }
    #expect(thrown?.description == error)
    #expect(thrown?.offset == offset)
  }

  @Test func lengthIsLimited() throws {
    let start = "http://h/"
    let longest = start + String(repeating: "a", count: ProbeURL.maximumLength - start.utf8.count)
    #expect(try ProbeURL(longest).string == longest)
    let tooLong = #expect(throws: InvalidInput.self) { try ProbeURL(longest + "a") }
    #expect(tooLong?.message == "the URL is 65537 bytes long, more than 65536")
    let encoded = #expect(throws: InvalidInput.self) {
      try ProbeURL(start + String(repeating: "ü", count: 20_000))
    }
    #expect(encoded?.message == "the URL is 120009 bytes long when percent-encoded, more than 65536")
  }

  /// RFC 3986 §3.2.3 and WHATWG URL §4.4: the same as no port.
  @Test(arguments: [
    ("http://h:/", "http://h/"), ("http://h:", "http://h"), ("https://[::1]:/a", "https://[::1]/a"),
    ("http://192.0.2.1:/?q#f", "http://192.0.2.1/?q#f"), ("tcp://h:", "tcp://h"),
    ("dns://resolver.example:/name", "dns://resolver.example/name"),
  ])
  func anEmptyPortIsTheDefaultOne(_ text: String, _ whole: String) throws {
    let url = try ProbeURL(text)
    #expect(url.string == whole)
    #expect(url.explicitPort == nil)
    #expect(url.port == url.scheme.defaultPort)
  }

  @Test func hostLengthIsLimited() throws {
    let label = String(repeating: "a", count: 63)
    let longest = [label, label, label, String(repeating: "a", count: 61)].joined(separator: ".")
    #expect(try ProbeURL("http://\(longest)/").host == longest)
    #expect(try ProbeURL("http://\(longest)./").host == longest + ".")
    #expect(throws: InvalidInput.self) { try ProbeURL("http://\(longest)a/") }
    #expect(throws: InvalidInput.self) { try ProbeURL("http://\(label)a.example/") }
  }

  static let withCredentials = [
    "https://user:s3cret@example.com/", "https://s3cret@example.com/", "https://user:s3cret@/",
    "https://user:s3cret@example.com:99999/", "https://user:s3cret/word@example.com/",
    "https://user:s3cret?word@example.com/", "https://user:123456789s3cret/@example.com/",
    "https://user:s3cret#word@example.com/", "https://s3cret..user:word/x@example.com/",
    "https://us er:s3cret@example.com/", "https://user:s3cret\u{1}@example.com/",
    "https:user:s3cret@example.com",
    "user:s3cret@example.com", "user:1s3cret@example.com", "https://[s3cret@example.com/",
    "https://[s3cret]/x@example.com/", "https://user:s3crét@example.com/",
    "https://[::1]s3cret:x@example.com/",
  ]

  @Test(arguments: withCredentials)
  func errorsNeverHoldCredentials(_ text: String) {
    let thrown = #expect(throws: InvalidInput.self) { try ProbeURL(text) }
    #expect(thrown?.description.contains("s3cr") == false)
  }

  @Test func theErrorNamesCredentials() {
    let thrown = #expect(throws: InvalidInput.self) { try ProbeURL("https://user:pass@example.com/") }
    #expect(
      thrown?.description
        == "the URL contains credentials, which are not allowed because URLs appear in logs and reports: "
        + "send them as a request header instead")
  }

  @Test func parts() throws {
    let url = try ProbeURL("HTTP://[2001:db8::1]/a/b?c=d#e")
    #expect(url.scheme == .http)
    #expect(url.host == "2001:db8::1")
    #expect(url.explicitPort == nil)
    #expect(url.port == 80)
    #expect(url.address == IPAddress("2001:db8::1"))
    #expect(url.path == "/a/b")
    #expect(url.query == "c=d")
    #expect(url.fragment == "e")
    #expect(url.requestTarget == "/a/b?c=d")
    #expect(try ProbeURL("https://h?q").requestTarget == "/?q")
    #expect(try ProbeURL("https://h").port == 443)
    #expect(try ProbeURL("tcp://h").port == nil)
  }
}

@Suite struct DNSURLTests {
  @Test(arguments: [
    ("dns:///example.com?type=A", "", "/example.com", "dns:///example.com?type=A"),
    ("dns:example.com?type=A", "", "/example.com", "dns:///example.com?type=A"),
    ("dns://192.0.2.53/example.com", "192.0.2.53", "/example.com", "dns://192.0.2.53/example.com"),
    (
      "DNS://[2001:db8::53]:5353/example.com", "2001:db8::53", "/example.com",
      "dns://[2001:db8::53]:5353/example.com"
    ),
  ])
  func theServerMayBeMissing(_ text: String, _ host: String, _ path: String, _ whole: String) throws {
    let url = try ProbeURL(text)
    #expect(url.host == host && url.path == path && url.string == whole)
    #expect(try ProbeURL(whole) == url)
    #expect(url.port == (text.contains("5353") ? 5353 : 53))
  }

  @Test(arguments: ["icmp:///", "tcp:///", "https:///a", "dns://:53/a", "dns://a b/c"])
  func otherURLsNeedAHost(_ text: String) {
    #expect(throws: InvalidInput.self) { try ProbeURL(text) }
  }

  @Test func anAddressWithoutAPortHasNone() {
    #expect(SocketAddress(IPAddress(v6: 1), port: 0).description == "::1")
    #expect(SocketAddress(IPAddress(v4: 1), port: 1).description == "0.0.0.1:1")
  }
}
