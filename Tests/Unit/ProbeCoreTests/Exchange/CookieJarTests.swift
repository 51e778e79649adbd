import FoundationEssentials
import Testing

@testable import ProbeCore

/// Cookies as in RFC 6265 and its revision.
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
    ("id=1; Path=/; Domain=EXAMPLE.", "https://other.example/", nil),
    ("id=1; Path=/; Secure", "http://www.shop.example/", nil),
    ("id=1; Path=/", "http://www.shop.example/", "id=1"),
    ("id=1; Path=/; Max-Age=0", "https://www.shop.example/", nil),
    ("id=1; Path=/; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "https://www.shop.example/", "id=1"),
    ("id=1; Path=/; Expires=Wed, 09-Jun-2021 10:18:14 GMT", "https://www.shop.example/", nil),
    ("id=1; Path=/; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "https://www.shop.example/", "id=1"),
    (" id = a b ; PATH = / ", "https://www.shop.example/", "id=a b"),
    ("=1; Path=/", "https://www.shop.example/", nil), ("id; Path=/", "https://www.shop.example/", nil),
    // Max-Age: any number of seconds, capped; anything else is ignored.
    ("id=1; Path=/; Max-Age=3000000000", "https://www.shop.example/", "id=1"),
    ("id=1; Path=/; Max-Age=99999999999999999999999", "https://www.shop.example/", "id=1"),
    ("id=1; Path=/; Max-Age=-99999999999999999999999", "https://www.shop.example/", nil),
    ("id=1; Path=/; Max-Age=0000000000000000000000", "https://www.shop.example/", nil),
    ("id=1; Path=/; Max-Age=+0", "https://www.shop.example/", "id=1"),
    ("id=1; Path=/; Max-Age=-", "https://www.shop.example/", "id=1"),
    ("id=1; Path=/; Max-Age=0x0", "https://www.shop.example/", "id=1"),
    ("id=1; Path=/; Max-Age=0; Max-Age=60", "https://www.shop.example/", "id=1"),
    ("id=1; Path=/; Max-Age=0; Max-Age=soon", "https://www.shop.example/", nil),
    // Expires, in any order of its parts.
    ("id=1; Path=/; Expires=2021 jun 09 10:18:14", "https://www.shop.example/", nil),
    ("id=1; Path=/; Expires=Wed, 09 June 21 1:2:3 UTC", "https://www.shop.example/", nil),
    ("id=1; Path=/; Expires=Wed, 32 Jun 2021 10:18:14 GMT", "https://www.shop.example/", "id=1"),
    ("id=1; Path=/; Expires=Wed, 31 Jun 2021 10:18:14 GMT", "https://www.shop.example/", "id=1"),
    ("id=1; Path=/; Expires=Wed, 09 Jun 1600 10:18:14 GMT", "https://www.shop.example/", "id=1"),
    ("id=1; Path=/; Expires=Wed, 09 Jun 2021 24:18:14 GMT", "https://www.shop.example/", "id=1"),
    // The last attribute of a name counts, and an empty Domain is none.
    ("id=1; Path=/b; Path=/", "https://www.shop.example/", "id=1"),
    ("id=1; Path=/; Domain=evil.example; Domain=", "https://www.shop.example/", "id=1"),
    ("id=1; Path=/; \(String(repeating: "x", count: 5000))=1", "https://www.shop.example/", "id=1"),
    (
      "id=1; Path=/; Domain=\(String(repeating: "x", count: 2000)).example", "https://www.shop.example/",
      "id=1"
    ),
    // Control characters.
    ("id=1\u{01}; Path=/", "https://www.shop.example/", nil),
    ("id=1; Path=/\u{7F}", "https://www.shop.example/", nil),
    ("id=a\tb; Path=/", "https://www.shop.example/", "id=a\tb"),
    // Prefixes.
    ("__Secure-id=1; Path=/", "https://www.shop.example/", nil),
    ("__Secure-id=1; Path=/; Secure", "https://www.shop.example/", "__Secure-id=1"),
    ("__Host-id=1; Path=/; Secure", "https://www.shop.example/", "__Host-id=1"),
    ("__HOST-id=1; Secure; Path=/a", "https://www.shop.example/a/", nil),
    ("__Host-id=1; Secure", "https://www.shop.example/a/", nil),
    ("__Host-id=1; Path=/; Secure; Domain=www.shop.example", "https://www.shop.example/", nil),
  ]

  /// A Domain attribute that is a public suffix is refused, or without effect if it is the host (RFC 6265 §5.3, step 5).
  @Test(arguments: [
    ("https://shop.co.uk/", "co.uk", "https://other.co.uk/", nil, nil),
    ("https://shop.co.uk/", "shop.co.uk", "https://www.shop.co.uk/", "id=1", "id=1"),
    ("https://user.github.io/", ".github.io", "https://other.github.io/", nil, nil),
    ("https://github.io/", "github.io", "https://other.github.io/", "id=1", nil),
    ("https://x.y.ck/", "y.ck", "https://z.y.ck/", nil, nil),
    ("https://a.www.ck/", "www.ck", "https://b.www.ck/", "id=1", "id=1"),
    ("https://a.xn--55qx5d.cn/", "xn--55qx5d.cn", "https://b.xn--55qx5d.cn/", nil, nil),
    ("https://localhost/", "localhost", "https://a.localhost/", "id=1", nil),
    ("https://192.0.2.1/", "192.0.2.1", "https://192.0.2.2/", "id=1", nil),
    ("https://192.0.2.1/", "2.1", "https://192.0.2.1/", nil, nil),
  ])
  func cookiesOfPublicSuffixes(
    _ host: String, _ domain: String, _ other: String, _ sent: String?, _ sentToOther: String?
  ) throws {
    let jar = try Self.jar("id=1; Path=/; Domain=\(domain)", from: host)
    #expect(jar.field(for: try ProbeURL(host), now: Self.start) == sent)
    #expect(jar.field(for: try ProbeURL(other), now: Self.start) == sentToOther)
  }

  /// A response over http cannot set, replace, remove or displace a Secure cookie, and cannot hide one behind a cookie of
  /// the same name (RFC 6265bis §5.7).
  @Test(arguments: [
    ("id=evil; Path=/", "http://www.shop.example/", false),
    ("id=; Path=/; Max-Age=0", "http://www.shop.example/", false),
    ("id=evil; Path=/; Domain=shop.example", "http://www.shop.example/", false),
    ("id=evil; Path=/; Domain=shop.example", "http://other.shop.example/", false),
    ("id=evil; Path=/account", "http://www.shop.example/", false),
    ("id=evil; Path=/; Secure", "http://www.shop.example/", false),
    ("id=new; Path=/", "https://www.shop.example/", true),
  ])
  func secureCookiesAreLeftAlone(_ field: String, _ url: String, _ isReplaced: Bool) throws {
    var jar = try Self.jar("id=secret; Path=/; Domain=shop.example; Secure")
    jar.keep(["Set-Cookie": field], from: try ProbeURL(url), now: Self.start)
    let sent = jar.field(for: try ProbeURL("https://www.shop.example/account"), now: Self.start)
    #expect((sent != "id=secret") == isReplaced, "\(sent ?? "none")")
    #expect(
      jar.field(for: try ProbeURL("http://www.shop.example/account"), now: Self.start)
        == (isReplaced ? "id=new" : nil))
  }

  /// A cookie of the whole domain cannot hide a Secure one of a host below it.
  @Test func aSecureCookieOfAHostIsNotHidden() throws {
    var jar = try Self.jar("id=secret; Path=/; Secure")
    for url in ["http://www.shop.example/", "http://other.shop.example/", "http://shop.example/"] {
      jar.keep(
        ["Set-Cookie": "id=evil; Path=/; Domain=shop.example"], from: try ProbeURL(url), now: Self.start)
    }
    #expect(jar.field(for: try ProbeURL("https://www.shop.example/"), now: Self.start) == "id=secret")
  }

  @Test func aPlainCookieBesideASecureOneIsKept() throws {
    let url = try ProbeURL("http://www.shop.example/")
    var jar = try Self.jar("id=secret; Path=/account; Secure")
    jar.keep(["Set-Cookie": "id=plain; Path=/accounts"], from: url, now: Self.start)
    jar.keep(["Set-Cookie": "other=1; Path=/account"], from: url, now: Self.start)
    #expect(jar.field(for: try ProbeURL("https://www.shop.example/accounts"), now: Self.start) == "id=plain")
    for index in 0..<200 { jar.keep(["Set-Cookie": "c\(index)=v"], from: url, now: Self.start) }
    #expect(
      jar.field(for: try ProbeURL("https://www.shop.example/account"), now: Self.start)?.contains("id=secret")
        == true)
    #expect(jar.count == CookieJar.capacity)
  }

  @Test func cookiesAreKeptForAtMost400Days() throws {
    for attribute in ["Max-Age=99999999999", "Expires=Wed, 09 Jun 2100 10:18:14 GMT"] {
      let jar = try Self.jar("id=1; Path=/; \(attribute)")
      let url = try ProbeURL("https://www.shop.example/")
      #expect(jar.field(for: url, now: Self.start.addingTimeInterval(399 * 86_400)) == "id=1")
      #expect(jar.field(for: url, now: Self.start.addingTimeInterval(401 * 86_400)) == nil)
    }
  }

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
    #expect(jar.count == CookieJar.capacity)
    jar.keep(["Set-Cookie": "big=" + String(repeating: "x", count: 5000)], from: url, now: Self.start)
    #expect(jar.field(for: url, now: Self.start)?.contains("big=") == false)
    #expect(jar.field(for: url, now: Self.start)?.contains("c999=v") == true)
  }
}
