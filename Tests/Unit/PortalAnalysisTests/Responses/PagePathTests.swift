import ProbeCore
import Testing

@testable import PortalAnalysis

@Suite struct PagePathTests {
  @Test(arguments: [
    "/logout", "/log-out", "/log_out", "/Logout.php", "/login/sign-off", "/sign-out", "/sign_out?x=1",
    "logout",
    "/userLogout", "/hslogout.asp", "/logoutform", "/%6cogout", "/x/disconnect", "/sair", "/sair/",
    "http://portal.example/logoff", "//portal.example/logoff#a", "/index?cmd=logout", "?a=1&action=LogOff",
  ])
  func theseEndASession(_ reference: String) {
    #expect(PagePath.endsSession(reference))
  }

  @Test(arguments: [
    "/login", "/sairport/login", "/blogout/login", "/guest/disconnected/login", "/log/in/out-of-order",
    "http://logout.example/login", "//signout.example/", "/login?link-logout=/x", "/login?dst=/logout-page",
    "/catalog/outdoor", "", "?", "/", "/%", "/%zz", "http://", "#logout",
  ])
  func theseDoNot(_ reference: String) {
    #expect(!PagePath.endsSession(reference))
  }

  @Test(arguments: [
    ("/admin", true), ("/admin/login.php", true), ("/ADMIN.cgi", true), ("/cgi-bin/luci/;stok=x", true),
    ("/webfig/", true), ("/userRpm/Index.htm", true), ("/Main_Login.asp", true), ("/hotspot-admin", true),
    ("/administrative-guests/login", false), ("/login", false), ("http://admin.example/login", false),
    ("/domain/login", false), ("/adminton", false),
  ])
  func administrationIsRecognized(_ reference: String, _ expected: Bool) {
    #expect(PagePath.isAdministration(reference) == expected)
  }

  @Test(arguments: [
    ("/search", true), ("/subscribe.php", true), ("/newsletter_signup", true), ("/comments/add", true),
    ("http://researchpark.example/login", false), ("/research/login", false), ("//report.example/go", false),
    ("/login?report=1", false),
  ])
  func otherPurposesAreRecognized(_ reference: String, _ expected: Bool) {
    #expect(PagePath.hasNonLoginPurpose(reference) == expected)
  }

  /// The path of a URL may begin with two slashes, or contain another URL, whose host is no part of it.
  @Test(arguments: [
    ("http://gw.example//logout", true, false),
    ("http://gw.example/go/http://logout.example/login", false, false),
    ("http://gw.example/logout/http://x.example/", true, false),
    ("http://gw.example/go/http://x.example/logout", true, false),
    ("http://gw.example//admin/login", false, true),
    ("http://gw.example/go/http://admin.example/", false, false),
    ("http://gw.example/x?z=\(String(repeating: "y", count: 3500))&cmd=logout", true, false),
    ("http://gw.example/\(String(repeating: "y", count: 900))/?cmd=logout", true, false),
  ])
  func thePathOfAURLIsReadAsItIs(_ url: String, _ ends: Bool, _ isAdministration: Bool) throws {
    let words = PathWords(try ProbeURL(url))
    #expect(words.endsSession == ends)
    #expect(words.isAdministration == isAdministration)
  }

  /// Long references cost what their first part costs.
  @Test func onlyTheFirstPartOfALongReferenceIsRead() {
    let long = String(repeating: "logoulogou/", count: 100_000)
    #expect(!PagePath.endsSession(long + "logout"))
  }
}
