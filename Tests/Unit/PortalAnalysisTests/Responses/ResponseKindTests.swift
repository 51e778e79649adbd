import PortalAnalysis
import ProbeCore
import Testing

@Suite struct ResponseKindTests {
  @Test(arguments: [
    (
      "<form><input name=user><input type=password name=pass><button>Log in</button></form>", 200,
      ResponseKind.login
    ),
    ("<p>Wi-Fi</p><form><input name=voucher_code><button>Connect</button></form>", 200, .voucher),
    ("<p>WLAN</p><form><input name=accessCode type=password><button>Weiter</button></form>", 200, .voucher),
    ("<p>Guest Wi-Fi</p><form><button>I accept the terms of use</button></form>", 200, .terms),
    ("<p>WLAN für Gäste</p><form><button>Nutzungsbedingungen akzeptieren</button></form>", 200, .terms),
    (
      "<h1>Internet on board</h1><p>Choose your plan: day pass, hour pass. Pay with credit card.</p><form>"
        + "<input type=radio name=plan><button>Buy now</button></form>", 200, .payment
    ),
    ("<title>Login</title><p>You are logged in.</p><p>Time remaining 0:59</p>", 200, .loggedIn),
    ("<p>You have logged out. Goodbye.</p>", 200, .loggedOut),
    ("<p>Vous êtes déconnecté.</p>", 200, .loggedOut),
    ("<title>Router login</title><form><input type=password></form>", 200, .deviceAdmin),
    ("<p>Access to this website is blocked by court order.</p>", 200, .blockPage),
    ("<p>Forbidden by policy: gambling.</p>", 403, .blockPage),
    ("", 451, .blockPage), ("", 407, .proxyAuth), ("", 401, .serverAuth),
    ("<h1>Not found</h1>", 404, .errorPage),
    (
      "<title>Search results</title><p>Did you mean prob.example?</p><a href=/s>Related searches</a>", 200,
      .nameErrorHelp
    ),
    ("<title>probe.example</title><p>This domain is for sale. Buy this domain.</p>", 200, .parked),
    ("<title>probe.example</title><p>Questo dominio è in vendita.</p>", 200, .parked),
    ("<title>Attention Required!</title><p>Verify you are human.</p>", 403, .challenge),
    ("<title>Welcome to nginx!</title><h1>Welcome to nginx!</h1>", 200, .defaultPage),
    ("<h1>503 Service Unavailable</h1>", 503, .outage), ("<p>Hello</p>", 200, .unknown),
  ])
  func pagesAreClassified(_ page: String, _ status: Int, _ expected: ResponseKind) throws {
    let analysis = try TestResponse(page, status: status).analysis()
    #expect(analysis.kind == expected, "\(analysis.kind.name): \(analysis.signs.map(\.words))")
    #expect((analysis.portal?.kind ?? analysis.kind) == analysis.kind)
  }

  @Test func namesAreUnique() {
    #expect(Set(ResponseKind.all.map(\.name)).count == ResponseKind.all.count)
  }

  @Test func identifiersInScriptsDetermineTheRoleOfAPage() throws {
    let page =
      "<title></title><div id=app></div><script>var portalConfig = {hotspotName: 'lobby', login: 1}</script>"
    #expect(try TestResponse(page).analysis().kind.role == .portal)
    let notice = "<div id=app></div><script>document.title = blockedText; show('deniedReason')</script>"
    #expect(try TestResponse(notice).analysis().kind.role == .notice)
  }
}
