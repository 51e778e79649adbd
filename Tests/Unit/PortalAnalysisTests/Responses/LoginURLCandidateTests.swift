import PortalAnalysis
import ProbeCore
import Testing

@Suite struct LoginURLCandidateTests {
  @Test func allCandidatesAreKept() throws {
    let page = """
      <meta http-equiv=refresh content="0; url=http://login.example/start">
      <form action=http://pay.example/in><input name=user><input type=password></form>
      <a href=http://portal.example/login>Log in</a>
      """
    let portal = try #require(try TestResponse(page).analysis().portal)
    #expect(
      portal.candidates.map(\.url.string) == [
        "http://pay.example/in", "http://login.example/start", "http://portal.example/login",
      ])
    #expect(portal.candidates.map(\.score) == [63, 46, 16])
    #expect(portal.loginURL == portal.candidates[0].url)
    #expect(portal.candidates[0].reason == "a form, fields for a login, another host than the probed one")
  }

  /// A URL that must not be offered to a user is not a candidate, however prominent it is.
  @Test(arguments: [
    "http://login.example/logout", "http://login.example/user/signout",
    "https://www.google.com/",
    "http://google.co.jp", "http://www.google.com.au", "http://captive.apple.com/", "javascript:go()",
    "http://www.google.example./", "http://fonts.gstatic.com./",
    "ftp://login.example/", "http://127.0.0.1/login",
  ])
  func unsuitableURLsAreNotCandidates(_ url: String) throws {
    let form =
      "<p>Wi-Fi</p><form action=http://right.example/login><input type=password><input name=user></form>"
    for page in [
      "<meta http-equiv=refresh content=\"0; url=\(url)\">\(form)", "<a href=\"\(url)\">Log in</a>\(form)",
      "<script>location.href = '\(url)'</script>\(form)",
    ] {
      let portal = try #require(try TestResponse(page).analysis().portal)
      #expect(portal.candidates.map(\.url.string) == ["http://right.example/login"], "\(page)")
    }
  }

  /// A domain of anybody below a suffix that is not a registry's, or with the name at another position.
  @Test(arguments: [
    "google.github.io", "google.login.example", "apple.co.login.example", "about.google", "google",
    "mygoogle.com",
    "google.city.kawasaki.jp",
  ])
  func aNameLikeThatOfAPublicSiteIsACandidate(_ host: String) throws {
    let page = "<title>Guest Wi-Fi</title><p>Log in to our hotspot.</p><a href=\"http://\(host)/\">Log in</a>"
    let portal = try #require(try TestResponse(page).analysis().portal)
    #expect(portal.candidates.first?.url.host == host)
  }

  @Test func theGatewaysAdministrationPageIsNotACandidate() throws {
    let page = """
      <title>Guest Wi-Fi</title><p>I accept the terms of use of the guest network.</p>
      <form action=http://right.example/login><input name=room><button>Log in</button></form>
      <a href=http://gate.example/webfig/login>Log in</a>
      """
    let portal = try #require(try TestResponse(page).analysis().portal)
    #expect(portal.candidates.map(\.url.string) == ["http://right.example/login"])
  }

  @Test(arguments: ["https://www.google.com/", "http://www.bing.com", "http://www.msn.com/"])
  func aRedirectToAPublicSiteIsNotAPortal(_ url: String) throws {
    let analysis = try TestResponse(status: 302, fields: [("Location", url)]).analysis()
    #expect(analysis.portal == nil)
    #expect(analysis.kind == .unknown)
  }

  /// A gateway may respond to requests for the probed site itself.
  @Test func aPathOnTheProbedPublicSiteIsACandidate() throws {
    let page = "<meta http-equiv=refresh content='0; url=/hotspot-detect.html?login=1'>"
    let response = TestResponse(page, path: ["http://captive.apple.com/hotspot-detect.html"])
    let portal = try #require(try response.analysis().portal)
    #expect(portal.loginURL.string == "http://captive.apple.com/hotspot-detect.html?login=1")
  }
}
