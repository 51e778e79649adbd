import ProbeCore
import Testing

@Suite struct ProbeProxyTests {
  @Test(arguments: [
    ("http://proxy.test:3128", ProbeProxy.Kind.http, "proxy.test", 3128),
    ("https://proxy.test:443/", .https, "proxy.test", 443),
    ("SOCKS5H://[::1]:1080", .socks5, "::1", 1080),
    ("socks5://proxy.test:1080", .socks5WithLocalNames, "proxy.test", 1080),
  ])
  func isReadFromAURL(_ text: String, _ kind: ProbeProxy.Kind, _ host: String, _ port: Int) throws {
    let proxy = try ProbeProxy(text)
    #expect(proxy.kind == kind && proxy.host == host && Int(proxy.port) == port)
    #expect(try ProbeProxy(proxy.description) == proxy)
  }

  @Test(arguments: [
    ("proxy.test:3128", "\"proxy.test:3128\" is not the URL of a proxy"),
    ("ftp://proxy.test:1", "\"ftp://proxy.test:1\" is not the URL of a proxy"),
    ("socks4://proxy.test:1", "socks4:// is SOCKS version 4, which is not supported: use socks5h://"),
    (
      "SOCKS4A://me:canary@proxy.test:1",
      "socks4a:// is SOCKS version 4, which is not supported: use socks5h://"
    ),
    ("socks://proxy.test:1", "socks:// names no version of SOCKS: use socks5h://"),
    ("socks5://me:canary@proxy.test:1", "the proxy's URL contains credentials"),
    ("http://me:canary@proxy.test:1", "the proxy's URL contains credentials"),
    ("me:canary@proxy.test:1", "\"<redacted>@proxy.test:1\" is not the URL of a proxy"),
    ("http://proxy.test", "the proxy \"http://proxy.test\" has no port"),
    ("http://proxy.test:1/path", "a proxy's URL has no path or query"),
    ("http://proxy.test:0", "port \"0\" cannot be used"),
    ("", "\"\" is not the URL of a proxy"),
  ])
  func invalidProxiesAreRefused(_ text: String, _ words: String) {
    let error = #expect(throws: InvalidInput.self) { try ProbeProxy(text) }
    #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("canary") == false)
  }

  @Test func aLoginIsChecked() throws {
    func check(_ kind: String, _ user: String?, _ password: String?) throws {
      try ProbeProxy("\(kind)://h.test:1", user: user, password: password.map { Secret($0) }).check()
    }
    try check("http", nil, nil)
    try check("http", "me", "pass:word")
    try check("socks5h", "me", String(repeating: "x", count: 255))
    #expect(throws: InvalidInput.self) { try check("http", nil, "canary") }
    #expect(throws: InvalidInput.self) { try check("http", "a:b", "canary") }
    #expect(throws: InvalidInput.self) { try check("http", "me", "canary\n") }
    for kind in ["socks5h", "socks5"] {
      #expect(throws: InvalidInput.self) { try check(kind, "me", String(repeating: "x", count: 256)) }
    }
  }
}

@Suite struct RetryBackoffTests {
  @Test func theWaitDoublesUpToItsLimit() {
    let backoff = RetryBackoff(initial: .seconds(1), maximum: .seconds(5))
    #expect((1...5).map { backoff.delay(before: $0, chance: 1) } == [1, 2, 4, 5, 5].map { .seconds($0) })
    #expect(backoff.delay(before: 2, chance: 0) == .seconds(1))
    #expect(backoff.delay(before: 2, chance: 0.5) == .milliseconds(1500))
    #expect(backoff.delay(before: .max, chance: 7) == .seconds(5))
    #expect(backoff.delay(before: 1, chance: -7) == .milliseconds(500))
  }

  @Test func oddLimitsStayWithinBounds() {
    #expect(RetryBackoff(initial: .zero, maximum: .seconds(5)).delay(before: 90, chance: 1) == .zero)
    #expect(
      RetryBackoff(initial: .seconds(9), maximum: .seconds(5)).delay(before: 1, chance: 1) == .seconds(5))
    #expect(throws: InvalidInput.self) { try RetryBackoff(initial: .seconds(-1)).check() }
    #expect(throws: InvalidInput.self) { try RetryBackoff(maximum: .seconds(3601)).check() }
  }
}
