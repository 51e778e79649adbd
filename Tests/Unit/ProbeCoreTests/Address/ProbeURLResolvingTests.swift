import ProbeCore
import Testing

@Suite struct ProbeURLResolvingTests {
  /// RFC 3986 §5.4.1 and §5.4.2, with base `http://a/b/c/d;p?q`; nil for unusable targets.
  static let rfc3986: [(reference: String, result: String?)] = [
    ("g:h", nil), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
    (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
    ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
    ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    ("http:g", "http://a/b/c/g"),
  ]

  @Test(arguments: rfc3986)
  func resolvesAsInRFC3986(_ reference: String, result: String?) throws {
    #expect(try ProbeURL("http://a/b/c/d;p?q").resolve(reference)?.string == result)
  }

  /// The results in browsers (WHATWG URL §4.4), with base `https://probe.example:8443/dir/page?q`.
  static let lenient: [(reference: String, result: String?)] = [
    ("  http://portal.example/ \r\n", "http://portal.example/"),
    ("http://por\ttal.exa\nmple/\rx", "http://portal.example/x"),
    ("http:\\\\portal.example\\login?a\\b", "http://portal.example/login?a\\b"),
    ("/a{b}?{'b'}^`|#`{b}'", "https://probe.example:8443/a%7Bb%7D?{%27b%27}^`|#%60{b}'"),
    ("\\login", "https://probe.example:8443/login"),
    ("\\\\evil.example/x", "https://evil.example/x"),
    ("http://portal.example/a b\"<>", "http://portal.example/a%20b%22%3C%3E"),
    ("http://portal.example/ü?ü#ü", "http://portal.example/%C3%BC?%C3%BC#%C3%BC"),
    ("HTTP://PORTAL.EXAMPLE/Path", "http://portal.example/Path"),
    ("http://portal.example:/x", "http://portal.example/x"),
    ("http://portal.example", "http://portal.example"),
    ("https:///evil.example/x", "https://evil.example/x"),
    ("///evil.example/x", "https://evil.example/x"),
    ("https:/same", "https://probe.example:8443/same"),
    ("https:same", "https://probe.example:8443/dir/same"),
    ("http:/other.example/x", "http://other.example/x"),
    ("http:other.example", "http://other.example"),
    ("/a/%2e%2E/b/%2e/c", "https://probe.example:8443/b/c"),
    ("%2E%2e/x", "https://probe.example:8443/x"),
    ("/100%", "https://probe.example:8443/100%"),
    ("/a%2Fb%2e", "https://probe.example:8443/a%2Fb%2e"),
    ("http://[2001:DB8::1]/", "http://[2001:db8::1]/"),
    ("tcp://host:25", "tcp://host:25"),
    ("gopher://host/", "gopher://host/"),
    ("file://host/etc/passwd", "file://host/etc/passwd"),
  ]

  @Test(arguments: lenient)
  func isAsLenientAsBrowsers(_ reference: String, result: String?) throws {
    let resolved = try ProbeURL("https://probe.example:8443/dir/page?q").resolve(reference)
    #expect(resolved?.string == result)
    if let resolved { #expect(try ProbeURL(resolved.string) == resolved, "what comes out can be read") }
  }

  static let userInformation: [(reference: String, result: String?)] = [
    ("http://user:pass@portal.example/", "http://portal.example/"),
    ("http://bank.example@evil.example/", "http://evil.example/"),
    ("http://bank.example:443@evil.example:81/", "http://evil.example:81/"),
    ("http://a@b@evil.example/", "http://evil.example/"),
    ("//bank.example@evil.example/", "https://evil.example/"),
    ("http://bank.example\\@evil.example/", "http://bank.example/@evil.example/"),
    ("http://bank.example?@evil.example/", "http://bank.example?@evil.example/"),
    ("http://bank.example#@evil.example/", "http://bank.example#@evil.example/"),
    ("http://bank.example/@evil.example/", "http://bank.example/@evil.example/"),
    ("http://[::1]@evil.example/", "http://evil.example/"),
  ]

  @Test(arguments: userInformation)
  func leavesCredentialsOut(_ reference: String, result: String?) throws {
    #expect(try ProbeURL("https://probe.example/").resolve(reference)?.string == result)
  }

  static let nowhere = [
    "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "mailto:a@example.com", "about:blank",
    "//", "http://", "http:///", "http://user@/", "http://@/", "http://h:abc/", "http://h:70000/",
    "http://h:1:2/", "http://[::1/", "http://💩.example/", "http://a%2F/", "http://a b/",
    "http://1.2.3.4.5/",
    "http://\u{0}/", "ftp:relative",
  ]

  @Test(arguments: nowhere)
  func isNilWithoutAHost(_ reference: String) throws {
    #expect(try ProbeURL("https://probe.example/").resolve(reference) == nil)
  }

  @Test func resultIsNeverTooLong() throws {
    let half = String(repeating: "a", count: 40_000)
    let base = try ProbeURL("https://h/\(half)/x")
    #expect(base.resolve(half) == nil)
    #expect(base.resolve("/" + half) != nil)
    #expect(base.resolve("/" + String(repeating: "ü", count: 20_000)) == nil)
    #expect(base.resolve("/" + half + half) == nil)
  }

  @Test func baseWithoutPath() throws {
    let base = try ProbeURL("https://h?q")
    #expect(base.resolve("g")?.string == "https://h/g")
    #expect(base.resolve("../g")?.string == "https://h/g")
    #expect(base.resolve("#s")?.string == "https://h?q#s")
  }

  static let hosts: [(from: String, to: String, isOff: Bool)] = [
    ("example.com", "example.com", false), ("example.com", "www.example.com", false),
    ("www.example.com", "example.com", false), ("example.com", "login.example.com", false),
    ("example.com", "a.b.example.com", false), ("www.example.com", "x.www.example.com", false),
    ("example.com.", "example.com", false), ("example.com", "www.example.com.", false),
    ("EXAMPLE.com", "Login.example.COM", false),
    ("www.example.com", "login.example.com", true), ("login.example.com", "example.com", true),
    ("example.com", "badexample.com", true), ("example.com", "example.com.evil.example", true),
    ("example.com", "example.org", true), ("www.com", "evil.com", true), ("www.com", "com", false),
    ("192.0.2.1", "192.0.2.1", false), ("192.0.2.1", "192.0.2.2", true), ("example.com", "192.0.2.1", true),
    ("192.0.2.1", "example.com", true), ("[::1]", "[::1]", false), ("[::1]", "[::2]", true),
  ]

  @Test(arguments: hosts)
  func offHost(_ from: String, to: String, isOff: Bool) throws {
    let (start, end) = (try ProbeURL("http://\(from)/"), try ProbeURL("https://\(to):8080/x"))
    #expect(start.isOffHost(end) == isOff)
  }
}
