import PortalAnalysis
import ProbeCore
import Testing

/// The login URL of redirects, followed or not, and of the pages after them.
@Suite struct RedirectLoginTests {
  @Test(arguments: [
    ("http://probe.example/", "http://192.0.2.1:3990/prelogin", "http://192.0.2.1:3990/prelogin"),
    ("http://probe.example/", "https://portal.example/", "https://portal.example/"),
    ("http://probe.example/", "//portal.example/a", "http://portal.example/a"),
    ("http://www.probe.example/", "http://other.probe.example/", "http://other.probe.example/" as String?),
    // On the same host only if the address suggests a login.
    ("http://probe.example/", "/login", "http://probe.example/login"),
    // On the host itself, or to a URL that no browser opens.
    ("http://probe.example/", "/other", nil),
    ("http://probe.example/", "https://www.probe.example/", nil),
    ("http://probe.example/", "http://login.probe.example/", nil),
    ("http://probe.example/", "javascript:alert(1)", nil),
    ("http://probe.example/", "data:text/html,x", nil),
    ("http://probe.example/", "file:///etc/passwd", nil),
    ("http://probe.example/", "ftp://192.0.2.1/", nil),
    ("http://probe.example/", "http://", nil),
    // A redirect of a verified server.
    ("https://probe.example/", "http://192.0.2.1/", nil),
  ])
  func aRedirectToAnotherHostIsTheLoginURL(_ url: String, _ location: String, _ expected: String?) throws {
    let response = TestResponse(status: 302, fields: [("Location", location)], path: [url])
    #expect(try response.login() == expected.map { "location \($0)" })
  }

  @Test func theFirstUnverifiedRedirectToAnotherHostIsUsed() throws {
    let response = TestResponse(path: [
      "http://probe.example/", "https://probe.example/", "https://elsewhere.example/",
      "http://elsewhere.example/", "http://192.0.2.1/first", "http://192.0.2.1/second",
    ])
    #expect(try response.login() == "location http://192.0.2.1/first")
  }

  @Test(arguments: [
    (["http://probe.example/", "http://192.168.1.1/"], "location http://192.168.1.1/"),
    (
      ["http://probe.example/", "https://portal.example/login?u=x"],
      "location https://portal.example/login?u=x"
    ),
    (["http://probe.example/", "http://probe.example/login"], "location http://probe.example/login"),
    // The target of the first redirect is used, not those of the portal's later redirects.
    (
      ["http://probe.example/", "http://portal.example/start", "http://portal.example/second"],
      "location http://portal.example/start"
    ),
  ])
  func theTargetOfAFollowedRedirectIsTheLoginURL(_ path: [String], _ expected: String) throws {
    #expect(try TestResponse(ResponseLoginTests.form, path: path).login() == expected)
  }

  @Test func aPageAfterASameHostRedirectNamesTheLogin() throws {
    let response = TestResponse(
      "<meta http-equiv=refresh content='0;url=http://portal.example/in'>",
      path: ["http://probe.example/", "http://probe.example/step"])
    #expect(try response.login() == "metaRefresh http://portal.example/in")
  }

  @Test func aPageAfterARedirectIsTheBaseOfItsReferences() throws {
    let response = TestResponse(
      "<meta http-equiv=refresh content='0;url=login'>",
      path: ["http://probe.example/check", "https://probe.example/step/one"])
    #expect(try response.login() == "metaRefresh https://probe.example/step/login")
  }
}
