import FoundationEssentials
import Testing

@testable import ProbeCore

/// Cookies as in RFC 6265.
@Suite struct CookieJarTests {
  private static let start = Date(timeIntervalSince1970: 1_700_000_000)

  private static func jar(_ field: String, from url: String = "https://www.shop.example/a/login") throws
    -> CookieJar
  {
    var jar = CookieJar()
    jar.keep(["Set-Cookie": field], from: try ProbeURL(url), now: start)
    return jar
  }

  static let cases: [(field: String, url: String, sent: String?)] = [
    ("id=1", "https://www.shop.example/a/b", "id=1"),
    ("id=1", "https://www.shop.example/", nil),
    ("id=1; Path=/", "https://www.shop.example/", "id=1"),
    ("id=1; Path=/a", "https://www.shop.example/ab", nil),
    ("id=1; Path=/a", "https://www.shop.example/a/", "id=1"),
    ("id=1; Path=/", "https://shop.example/", nil),
    ("id=1; Path=/", "https://x.www.shop.example/", nil),
    ("id=1; Path=/; Domain=shop.example", "https://api.shop.example/", "id=1"),
    ("id=1; Path=/; Domain=.shop.example", "https://shop.example/", "id=1"),
    ("id=1; Path=/; Domain=example", "https://other.example/", nil),
    ("id=1; Path=/; Domain=evil.example", "https://evil.example/", nil),
    ("id=1; Path=/; Domain=hop.example", "https://hop.example/", nil),
    ("id=1; Path=/; Secure", "http://www.shop.example/", nil),
    ("id=1; Path=/", "http://www.shop.example/", "id=1"),
    ("id=1; Path=/; Max-Age=0", "https://www.shop.example/", nil),
    ("id=1; Path=/; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "https://www.shop.example/", "id=1"),
    ("id=1; Path=/; Expires=Wed, 09-Jun-2021 10:18:14 GMT", "https://www.shop.example/", nil),
    ("id=1; Path=/; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "https://www.shop.example/", "id=1"),
    (" id = a b ; PATH = / ", "https://www.shop.example/", "id=a b"),
    ("=1; Path=/", "https://www.shop.example/", nil),
  ]

  @Test(arguments: cases)
  func isSent(_ field: String, to url: String, _ sent: String?) throws {
    #expect(try Self.jar(field).field(for: try ProbeURL(url), now: Self.start) == sent)
  }

  @Test func laterOnesReplaceEarlierOnes() throws {
    var jar = try Self.jar("id=1; Path=/")
    let url = try ProbeURL("https://www.shop.example/a/login")
    jar.keep(["Set-Cookie": "id=2; Path=/"], from: url, now: Self.start)
    jar.keep(["Set-Cookie": "other=3"], from: url, now: Self.start)
    #expect(jar.field(for: url, now: Self.start) == "other=3; id=2")
    jar.keep(["Set-Cookie": "id=; Path=/; Max-Age=-1"], from: url, now: Self.start)
    #expect(jar.field(for: url, now: Self.start) == "other=3")
  }

  @Test func theyExpire() throws {
    let jar = try Self.jar("id=1; Path=/; Max-Age=60")
    let url = try ProbeURL("https://www.shop.example/")
    #expect(jar.field(for: url, now: Self.start.addingTimeInterval(59)) == "id=1")
    #expect(jar.field(for: url, now: Self.start.addingTimeInterval(61)) == nil)
  }

  @Test func theirNumberAndSizeAreBounded() throws {
    let url = try ProbeURL("https://www.shop.example/")
    var jar = CookieJar()
    for index in 0..<1000 { jar.keep(["Set-Cookie": "c\(index)=v"], from: url, now: Self.start) }
    #expect(jar.values.count == CookieJar.capacity)
    jar.keep(["Set-Cookie": "big=" + String(repeating: "x", count: 5000)], from: url, now: Self.start)
    #expect(jar.field(for: url, now: Self.start)?.contains("big=") == false)
    #expect(jar.field(for: url, now: Self.start)?.contains("c999=v") == true)
  }
}
