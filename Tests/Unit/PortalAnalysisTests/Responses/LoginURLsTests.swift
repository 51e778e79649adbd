import ProbeCore
import Testing

@testable import PortalAnalysis

@Suite struct LoginURLsTests {
  @Test(arguments: [
    ("/login", "http://probe.example/login" as String?), ("login?a=1", "http://probe.example/dir/login?a=1"),
    ("//portal.example/x", "http://portal.example/x"), ("https://portal.example", "https://portal.example"),
    (" \n/lo\ngin\t", "http://probe.example/login"), ("?a", "http://probe.example/dir/check?a"),
    ("http://portal.example:8080/", "http://portal.example:8080/"),
    ("http://[2001:db8::1]/", "http://[2001:db8::1]/"),
    // Backslashes, and missing or extra slashes, as browsers read them.
    ("/\\portal.example/x", "http://portal.example/x"), ("\\\\portal.example\\x", "http://portal.example/x"),
    ("http:\\\\portal.example/", "http://portal.example/"),
    ("https:portal.example/x", "https://portal.example/x"),
    // Credentials are removed, and a host in them is ignored.
    ("http://user:secret@portal.example/", "http://portal.example/"),
    ("http://bank.example@evil.example/", "http://evil.example/"),
    ("http://a@b@evil.example/", "http://evil.example/"),
    ("http://evil.example\\@bank.example/", "http://evil.example/@bank.example/"),
    ("http://bank.example%2F@evil.example/", "http://evil.example/"),
    ("//bank.example:80@evil.example/", "http://evil.example/"),
    // A look-alike letter makes a different host and is shown as such.
    ("http://\u{430}.example/", "http://xn--80a.example/"), ("http://%6Aavascript/", "http://javascript/"),
    // Bidirectional formatting and control characters are encoded.
    ("/\u{202E}gol\0\u{7F}", "http://probe.example/%E2%80%AEgol%00%7F"),
    ("/\u{2066}x\u{200F}", "http://probe.example/%E2%81%A6x%E2%80%8F"),
    ("/a b\"<>", "http://probe.example/a%20b%22%3C%3E"),
  ])
  func referencesAreResolvedAsInBrowsers(_ reference: String, _ expected: String?) throws {
    #expect(try url(reference) == expected)
  }

  @Test(arguments: [
    "", " ", "\0", "#", "#top", " \t#top", "javascript:alert(1)", "JaVaScRiPt:x", " javascript:x",
    "\u{1}javascript:x",
    "java\nscript:x", "javascript\t:x", "javascript://portal.example/%0Ax", "data:text/html,x",
    "DATA://portal.example/",
    "data:text/html;base64,PHA+", "file:///etc/passwd", "file://portal.example/x", "vbscript:x",
    "blob:http://a/b",
    "filesystem:http://a/b", "view-source:http://a/", "about:blank", "mailto:a@b.example", "tel:123",
    "ftp://a.example/",
    "ws://a.example/", "intent://a.example/", "chrome://settings", "jar:http://a/!/b", "x://a.example/",
    // Without a host, or with an invalid one.
    "http://", "https://", "//", "http:///login", "http:////login", "http://:80/", "http://?a", "http://@/",
    "http://a.example:0/", "http://a.example:99999/", "http://[::1/", "http://[x]/", "http://1.2.3/",
    "http://a b/",
    "http://\u{202E}a.example/", "http://\u{1F4A9}.example/", "http://a%00b/", "http://a\0b/",
    "http://%2Favascript/",
    // Back to the requested URL.
    "/dir/check", "check", "http://probe.example/dir/check", "http://probe.example:80/dir/check#x", "./check",
    "//probe.example/dir/check",
  ])
  func unusableReferencesAreNotLoginURLs(_ reference: String) throws {
    #expect(try url(reference) == nil)
  }

  @Test func anOverlongReferenceIsRejected() throws {
    #expect(try url("http://a.example/" + String(repeating: "x", count: 65_000)) != nil)
    #expect(try url("http://a.example/" + String(repeating: "x", count: 66_000)) == nil)
    #expect(
      try url("http://a.example/?" + String(repeating: "\u{7F}", count: 30_000)) == nil,
      "three times as long encoded")
    #expect(try url(String(repeating: "/..", count: 400_000)) == nil)
    #expect(try url("http://" + String(repeating: "a.", count: 2000) + "example/") == nil)
  }

  @Test(arguments: [
    ("/x/", "login", "http://probe.example/x/login"),
    ("http://portal.example/a/", "b", "http://portal.example/a/b"),
    ("//portal.example", "/b", "http://portal.example/b"),
    ("https://portal.example/", "//a.example/", "https://a.example/"),
    ("javascript:x", "login", "http://probe.example/dir/login"),
    ("data:text/html,", "login", "http://probe.example/dir/login"),
    ("file:///x/", "login", "http://probe.example/dir/login"),
    ("", "login", "http://probe.example/dir/login"),
    ("http://", "login", "http://probe.example/dir/login"),
    ("ftp://a.example/", "login", "http://probe.example/dir/login"),
  ])
  func aBaseAppliesToRelativeURLs(_ base: String, _ reference: String, _ expected: String) throws {
    var loginURLs = try loginURLs()
    loginURLs.setBase(base)
    loginURLs.add(reference, .link)
    #expect(loginURLs.ranked.candidates.first?.url.string == expected)
  }

  /// References and their sources.
  ///
  /// `/` is on the same host, and `~` marks a source that requires a click.
  @Test(arguments: [
    (["/a link", "/b form"], "/b"), (["/a form", "/b metaRefresh"], "/b"),
    (["/a metaRefresh", "/b wispr"], "/b"),
    (["/a wispr", "/b capport"], "/b"), (["/a location", "/b capport"], "/b"),
    (["//a.example/a location", "/b wispr"], "/b"),
    (["/a metaRefresh", "//b.example/b location"], "//b.example/b"),
    (["/a form", "/b form"], "/a"),
    (["/a location", "//portal.example/b form"], "//portal.example/b"),
    (["//a.example/a location", "//portal.example/b form"], "//a.example/a"),
    (["/a ~javascript", "/b javascript"], "/b"), (["/a form", "/b ~javascript"], "/a"),
    (["/a link", "/b ~javascript"], "/b"),
    (["//a.example/a link", "/b location", "//c.example/c wispr"], "//c.example/c"),
    // Of one source, another host is better, and a subdomain is not another host.
    (["//sub.probe.example/x form", "//portal.example/y form"], "//portal.example/y"),
    // A portal's word in the URL, and the address of this client.
    (["//a.example/x form", "//b.example/login form"], "//b.example/login"),
    (
      ["//a.example/x form", "//b.example/x?mac=00-00-5e-00-53-01 form"],
      "//b.example/x?mac=00-00-5e-00-53-01"
    ),
    // What has another purpose counts less than any other URL.
    (["/terms link", "/a link"], "/a"), (["/help link", "/login link"], "/login"),
  ])
  func theCandidateWithTheStrongestSourceWins(_ added: [String], _ expected: String) throws {
    var loginURLs = try loginURLs()
    for each in added {
      let parts = each.split(separator: " ")
      let source = try #require(LoginURLSource(rawValue: String(parts[1].drop { $0 == "~" })))
      loginURLs.add(String(parts[0]), source, isAutomatic: !parts[1].hasPrefix("~"))
    }
    let url = try ProbeURL("http://probe.example/").resolve(expected)
    #expect(loginURLs.ranked.candidates.first?.url == url)
  }

  /// After a followed redirect, the probe's URL is another page.
  @Test(arguments: [
    ("login", "http://portal.example/hotel/login"), ("/login", "http://portal.example/login"),
    ("?a", "http://portal.example/hotel/start?a"), ("//a.example/", "http://a.example/"),
  ])
  func aReferenceIsRelativeToItsPage(_ reference: String, _ expected: String) throws {
    var loginURLs = LoginURLs(
      requestedURL: try ProbeURL("https://probe.example:8443/dir/check"),
      at: try ProbeURL("http://portal.example/hotel/start"))
    #expect(loginURLs.add(reference, .link)?.string == expected)
    #expect(loginURLs.add("https://probe.example:8443/dir/check", .link) == nil)
    loginURLs.setBase("x/")
    #expect(loginURLs.add("login", .link)?.string == "http://portal.example/hotel/x/login")
  }

  /// A link never outranks a form that takes what a guest has, on the same page or elsewhere.
  @Test(arguments: [
    "//portal.example/login", "/terms.html", "/guest-info", "/voucher.html", "/register.html",
  ])
  func aLinkNeverOutranksAForm(_ link: String) throws {
    var loginURLs = try loginURLs()
    loginURLs.add(link, .link)
    loginURLs.addOwnPage(with: FormFacts(PageForm(fields: [.init(type: "password", words: "pw")]), in: .all))
    #expect(loginURLs.ranked.candidates.first?.url.path == "/dir/check")
    #expect(loginURLs.ranked.candidates.first?.source == .probeURL)
  }

  private func loginURLs() throws -> LoginURLs {
    let url = try ProbeURL("http://probe.example/dir/check")
    return LoginURLs(requestedURL: url, at: url)
  }

  private func url(_ reference: String) throws -> String? {
    var loginURLs = try loginURLs()
    return loginURLs.add(reference, .link)?.string
  }
}
