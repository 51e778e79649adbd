import BundledPlugins
import Foundation
import ProbeCore
import Testing

@testable import FixtureReplay
import TestSupport

/// The project's stateful portals, used as guests would use them.
@Suite struct LivingPortalTests {
  private static let form = ["Content-Type: application/x-www-form-urlencoded"]
  private static let probe = "GET http://connectivitycheck.gstatic.com/generate_204"

  private static func folder(_ name: String) -> String {
    projectFile("fixtures/portals/\(name)").path
  }

  private static func world(_ name: String) throws -> ServerlessWorld {
    ServerlessWorld(try Fixture(folder: folder(name)))
  }

  @Test func aHotelRefusesWrongNamesAndRedirectsGuestsBack() throws {
    var world = try Self.world("hotel-brand")
    let portal = "https://internet.grandchain.example/guest"
    let redirect = try world.request("GET http://news.example/today?page=2", from: "10.110.4.18")
    #expect(
      redirect.contains("&UIP=10.110.4.18&")
        && redirect.contains("&OS=http%3A%2F%2Fnews.example%2Ftoday%3Fpage%3D2\r\n"))
    #expect(try world.visit("GET \(portal)/en-us", from: "10.110.4.18") == "200 login-page captive")
    let wrong = try world.request(
      "POST \(portal)/room", from: "10.110.4.18", headers: Self.form, body: "room=312&lastname=\"><script>")
    #expect(wrong.contains("<b>&quot;&gt;&lt;script&gt;</b>") && wrong.contains("value=\"312\""))
    #expect(try world.visit(Self.probe, from: "10.110.4.18") == "302 redirect captive")
    let right = try world.request(
      "POST \(portal)/room", from: "10.110.4.18", headers: Self.form, body: "room=312&lastname=Seagull")
    #expect(right.contains("\r\nLocation: http://news.example/today?page=2\r\n"))
    #expect(try world.visit(Self.probe, from: "10.110.4.18") == "204 generate-204 open")
    #expect(try world.visit(Self.probe, from: "10.110.4.19") == "302 redirect captive")
    world.wait(.seconds(24 * 3600))
    #expect(try world.visit(Self.probe, from: "10.110.4.18") == "302 redirect captive")
    // The next login returns to the first URL requested after the session ended.
    let member = try world.request(
      "POST \(portal)/member", from: "10.110.4.18", headers: Self.form,
      body: "member=70012345&password=sesame")
    #expect(member.contains("\r\nLocation: http://connectivitycheck.gstatic.com/generate_204\r\n"))
  }

  @Test func aClickLastsHalfAnHourAndTheAPICountsDown() throws {
    var world = try Self.world("rfc8908")
    let (api, page) = ("GET https://portal.airport.example/capport", "https://portal.airport.example/welcome")
    #expect(try world.visit(Self.probe) == "302 redirect captive")
    #expect(try !world.request(api).contains("seconds-remaining"))
    #expect(try world.visit("POST \(page)") == "303 login open")
    #expect(try world.request(api).contains("\"seconds-remaining\": 1800\n"))
    world.wait(.seconds(600.5))
    #expect(try world.request(api).contains("\"seconds-remaining\": 1200\n"))
    let session = try world.request("GET \(page)")
    #expect(session.contains(">Go on to http://connectivitycheck.gstatic.com/generate_204</a>"))
    #expect(session.contains("1200 seconds"))
    #expect(try world.visit("POST \(page)") == "303 login open")
    world.wait(.seconds(1799))
    #expect(try world.request(api).contains("\"seconds-remaining\": 1\n"))
    world.wait(.seconds(1))
    #expect(try world.visit(api) == "200 api-captive captive")
    #expect(try world.visit("GET \(page)") == "200 login-page captive")
  }

  @Test func aVoucherHasAByteQuota() throws {
    var world = try Self.world("pfsense-voucher")
    let page = "http://guests.pension.example:8002/index.php"
    let redirect = try world.request("GET http://news.example/?a=1&b=2")
    let location = try #require(redirect.split(separator: "\r\n").first { $0.hasPrefix("Location: ") })
    #expect(
      location.hasSuffix("/index.php?zone=pension&redirurl=http%3A%2F%2Fnews.example%2F%3Fa%3D1%26b%3D2"))
    let form = try world.request("GET \(location.dropFirst("Location: ".count))")
    #expect(form.contains("value=\"http://news.example/?a&#61;1&amp;b&#61;2\""))
    let invalid = try world.request(
      "POST \(page)", headers: Self.form, body: "auth_voucher=lipa%3Cb%3E&redirurl=/x")
    #expect(invalid.contains("lipa&lt;b&gt;") && world.states == ["192.0.2.1: captive"])
    let login = try world.request(
      "POST \(page)", headers: Self.form, body: "auth_voucher=LIPA-1&redirurl=http://news.example/%3Fa=1")
    #expect(login.contains("\r\nLocation: http://news.example/?a=1\r\n"))
    #expect(try world.request("GET \(page)").contains("100000000 "))
    let half = String(repeating: "x", count: 10_000_000)
    for _ in 0..<9 {
      #expect(try world.visit("POST http://captive.apple.com/", body: half) == "200 apple-success open")
    }
    #expect(try !world.request("GET \(page)").contains(" 100000000 "))
    #expect(try world.visit("POST http://captive.apple.com/", body: half) == "200 apple-success open")
    #expect(try world.visit("POST http://captive.apple.com/") == "302 redirect captive")
  }

  @Test func aBrowserIsIdentifiedByItsCookie() throws {
    var world = try Self.world("cookie-test")
    func cookie(_ response: String) throws -> [String] {
      let line = try #require(response.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: seen=") })
      return ["Cookie: " + line.dropFirst("Set-Cookie: ".count).prefix { $0 != ";" }]
    }
    let browser = try cookie(world.request("GET http://a.example/"))
    #expect(try world.visit("GET http://a.example/?cookies=test", headers: browser) == "302 with-cookie seen")
    #expect(try world.visit("GET http://a.example/?cookies=test") == "302 after-test new")
    let portal = "http://wlan.gallery.example/"
    let known = try cookie(world.request("GET \(portal)"))
    #expect(try world.visit("POST \(portal)", headers: known + Self.form) == "200 login-page new")
    #expect(
      try world.visit("POST \(portal)", headers: known + Self.form, body: "terms=on") == "303 accepted online"
    )
    #expect(try world.visit("GET \(portal)", headers: known) == "200 online-page online")
    #expect(try world.visit("GET \(portal)") == "200 login-page new")
  }

  /// The same over connections, with a session that ends without a wait.
  @Test func aWalkOverConnections() async throws {
    let network = try ReplayedNetwork(Self.folder("hotel-brand"), with: .bundled)
    func logIn(_ name: String) async throws -> ProbeResponse {
      try await network.open("https://internet.grandchain.example/guest/room") { request in
        request.http.method = "POST"
        request.http.headers = ["Content-Type": "application/x-www-form-urlencoded"]
        request.http.body = Array("room=312&lastname=\(name)".utf8)
      }
    }
    let probe = "http://connectivitycheck.gstatic.com/generate_204"
    #expect(try await network.open(probe).status == 302)
    #expect(String(decoding: try await logIn("Gull").body, as: UTF8.self).contains("<b>Gull</b>"))
    #expect(try await network.open(probe).status == 302)
    let login = try await logIn("Seagull")
    #expect(login.redirects.first?.location == probe)
    #expect(try await network.open(probe).status == 204)
    network.server.advanceTime(by: .seconds(24 * 3600))
    #expect(try await network.open(probe).status == 302)
    let entries = try network.journal.expect(.exactly(2), where: RouteCondition(method: "POST"))
    #expect(entries.map(\.hit?.stateBefore) == ["captive", "captive"])
    #expect(entries.map(\.hit?.stateAfter) == ["captive", "open"])
    #expect(entries.allSatisfy { $0.client == IPAddress("127.0.0.1") })
  }

  /// Two clients of one server: their addresses differ, and so do their states.
  @Test func aSecondClientIsStillCaptive() async throws {
    var options = ReplayOptions()
    options.authority = try TestAuthority.shared
    let server = try ReplayServer([SessionTests.portal(SessionRules(by: .address))], options: options)
    defer { server.stop() }
    func status(_ address: String, _ options: String...) async throws -> String {
      let arguments = [
        "-q", "-s", "--noproxy", "*", "--interface", address, "-o", "/dev/null", "-w", "%{http_code}",
      ]
      let url = "http://127.0.0.1:\(server.port(of: .http))/login"
      return try await ToolRun.run("curl", arguments + options + [url]).output
    }
    #expect(try await status("127.0.0.1", "--data", "x") == "303")
    #expect(try await status("127.0.0.2") == "302")
    #expect(try await status("127.0.0.1") == "204")
    #expect(
      server.journal.entries.map(\.client) == ["127.0.0.1", "127.0.0.2", "127.0.0.1"].map { IPAddress($0) })
  }
}
