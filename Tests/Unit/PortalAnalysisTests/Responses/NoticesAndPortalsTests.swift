import PortalAnalysis
import ProbeCore
import Testing

@Suite struct NoticesAndPortalsTests {
  @Test(arguments: [
    // A consent button belongs to a portal, whatever its rules forbid.
    """
    <p>Obscene, illegal and pornographic material is blocked, gambling is prohibited, and access to this site may be
    denied to whoever is banned.</p><form method=post action=/in><button>I agree</button></form>
    """,
    "<p>Ask at the bar.</p><form method=post><input name=code><button>Go</button></form>",
    "<form><input name=room placeholder=204><input type=submit value=Go></form>",
    "<title>Device setup</title><div id=app></div>",
    "<form method=post><input type=submit value='Se connecter'></form>",
    // Only the name of portal software.
    "<title>CoovaChilli</title>", "<title>ChilliSpot</title>", "<title>Nodogsplash</title>",
    "<title>openNDS</title>",
    "<title>WifiDog</title>", "<title>Capport</title>",
  ])
  func aPageThatAdmitsTheUserIsAPortal(_ page: String) throws {
    #expect(try kind(of: page).role == .portal)
  }

  @Test(arguments: [
    "<p>Your router cannot connect to the Internet. Check the cable.</p>",
    "<p>Not connected to the line. Check the cable.</p><form method=post><input type=submit value=Continue></form>",
    "<h1>Keine Verbindung zum Internet</h1><a href=http://192.168.1.1/>Router</a>",
    "<h1>Internet non disponibile</h1><p>Nessuna connessione a Internet. Controlla il cavo.</p>",
    // A parked domain: the words are in advertisements.
    "<p>This domain may be for sale.</p><a href=/1>Free Wi-Fi</a> <a href=/2>Internet access</a>",
    "<p>Este dominio ha sido registrado. <a href=https://r.example/login>Registra tu dominio</a></p>",
    // An ordinary site.
    "<form action=/s><input type=search name=q></form><p>The Wi-Fi there was free.</p>",
    "<p>This site uses cookies.</p><button>Accept all cookies</button>",
    // An unpaid bill.
    "<p>Seu acesso à internet foi suspenso por falta de pagamento.</p>",
    "<p>Layanan internet Anda terisolir. Mohon melakukan pembayaran tagihan.</p>",
    // A disabled field is not counted.
    "<body id=blockpage><form><input type=password placeholder=Password disabled><button class=whitelist></button></form>",
  ])
  func aPageWithoutALoginIsNotAPortal(_ page: String) throws {
    #expect(try kind(of: page).role != .portal)
  }

  @Test func aNoConnectionPageWithALoginFormIsAPortal() throws {
    let page = """
      <p>You are not connected to the Internet yet. Please log in.</p>
      <form method=post><input name=username><input type=password name=password><button>Log in</button></form>
      """
    #expect(try kind(of: page).role == .portal)
  }

  private func kind(of page: String) throws -> ResponseKind {
    let url = try ProbeURL("http://probe.example/")
    let response = ProbeResponse(
      url: url, head: HTTPResponseHead(status: 200, fields: ["Content-Type": "text/html; charset=utf-8"]),
      body: Array(page.utf8))
    return ResponseAnalysis(of: response, asked: url) { $0 == .http ? .plaintext : .encrypted }.kind
  }
}
