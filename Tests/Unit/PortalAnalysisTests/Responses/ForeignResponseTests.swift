import PortalAnalysis
import ProbeCore
import Testing

/// Responses that are not from a portal, ambiguous responses, and the similarity of responses.
@Suite struct ForeignResponseTests {
  @Test(arguments: [
    (
      "<h1>Access denied</h1><p>This website has been blocked by court order.</p>", 403,
      ResponseKind.blockPage
    ),
    ("<title>Blocked</title><p>Access to this site is blocked: category gambling.</p>", 200, .blockPage),
    ("<p>Доступ к ресурсу заблокирован по решению суда</p>", 200, .blockPage), ("", 451, .blockPage),
    (
      "<h1>403 Forbidden</h1><form action=/search><input name=q><button>Search</button></form>", 403,
      .blockPage
    ),
    ("<h1>502 Bad Gateway</h1>", 502, .outage), ("<h1>Service Unavailable</h1>", 503, .outage),
    ("", 500, .outage),
    ("It works!", 200, .defaultPage), ("", 200, .unknown), ("GIF89a\u{1}\0\u{1}\0", 200, .unknown),
    ("<title>Example</title><p>Nothing to see.</p><a href=/about>About</a>", 200, .unknown),
    // The login URL is reported even with an error status.
    (ResponseLoginTests.form, 403, .login), (ResponseLoginTests.redirect, 404, .login),
    (ResponseLoginTests.redirect, 503, .login), ("", 511, .login),
  ])
  func responsesAreClassified(_ body: String, _ status: Int, _ expected: ResponseKind) throws {
    let analysis = try TestResponse(body, status: status).analysis()
    #expect(analysis.kind == expected, "\(analysis.signs)")
    #expect((analysis.portal != nil) == (expected.role == .portal))
  }

  @Test(arguments: [404, 500, 503])
  func anErrorPageWithASearchIsNotAPortal(_ status: Int) throws {
    let page =
      "<h1>Page not found</h1><form action=/search><input type=search name=q><input type=submit></form><a href=/>Home</a>"
    #expect(try TestResponse(page, status: status).analysis().kind != .login)
  }

  @Test func aLongTextAboutLoginsIsNotALogin() throws {
    let text = String(
      repeating:
        "<p>To log in to a hotspot, enter the password of the wireless network and accept its terms.</p>",
      count: 40)
    #expect(try TestResponse(text).analysis().kind != .login)
  }

  @Test(arguments: [
    ("http://probe.example/", "http://blocked.example/?url=x"),
    ("http://probe.example/", "http://warning.example/blocked"),
  ])
  func aRedirectToABlockPageIsABlockPage(_ url: String, _ target: String) throws {
    let analysis = try TestResponse("<h1>Access blocked</h1>", path: [url, target]).analysis()
    #expect(analysis.kind == .blockPage)
    #expect(analysis.portal == nil)
  }

  @Test(arguments: [
    "javascript:alert(1)", "data:text/html,x", "file:///x", "ftp://192.0.2.1/", "http://", "\u{202E}", "",
  ])
  func aRedirectToANonPageIsNotAPortal(_ location: String) throws {
    let analysis = try TestResponse(status: 302, fields: [("Location", location)]).analysis()
    #expect(analysis.kind == .unknown)
    #expect(analysis.portal == nil)
  }

  @Test func signsAreOrderedByWeight() throws {
    let analysis = try TestResponse(ResponseLoginTests.form + "<p>hotspot, access denied", status: 403)
      .analysis()
    #expect(analysis.signs.count > 2)
    #expect(analysis.signs.map(\.weight) == analysis.signs.map(\.weight).sorted(by: >))
    #expect(analysis.signs.allSatisfy { $0.weight > 0 && !$0.words.isEmpty })
  }

  @Test(arguments: [
    ("<p>You asked for http://probe.example/check</p>", "<p>You asked for http://other.example/</p>"),
    ("<p class=a id=b>one", "<p>two"),
    (
      "<meta http-equiv=refresh content='0;url=http://a.example/?u=1'>",
      "<meta http-equiv=refresh content='0;url=http://a.example/?u=2'>"
    ),
  ])
  func similarResponsesHaveTheSameLikeness(_ first: String, _ second: String) throws {
    let one = try TestResponse(first, path: ["http://probe.example/check"]).analysis().likeness
    #expect(try TestResponse(second, path: ["http://other.example/"]).analysis().likeness == one)
  }

  @Test(arguments: [
    (TestResponse("<title>a</title>"), TestResponse("<title>b</title>")),
    (TestResponse("<p>"), TestResponse("<p><p>")),
    (TestResponse("<p>"), TestResponse("<p>", status: 404)),
    (
      TestResponse("<meta http-equiv=refresh content='0;url=http://a.example/'>"),
      TestResponse("<meta http-equiv=refresh content='0;url=http://b.example/'>")
    ),
    (
      TestResponse(path: ["http://probe.example/", "http://a.example/"]),
      TestResponse(path: ["http://probe.example/", "http://b.example/"])
    ),
  ])
  func differentResponsesHaveDifferentLikenesses(_ first: TestResponse, _ second: TestResponse) throws {
    #expect(try first.analysis().likeness != second.analysis().likeness)
  }
}
