import BundledPlugins
import EngineProfiles
import FixtureReplay
import PortalSurvey
import ProbeCore
import ProbePipeline
import Testing

/// A captive portal in a replayed network.
///
/// It is correct unless a test changes a part of it.
struct TestPortal {
  /// The announced API.
  var announced = "https://portal.example/api"
  /// The TLS mode of hosts; the others reset connections, as gateways should.
  var tls = "portal.example: valid"
  /// The modes of listeners.
  var listeners = "{}"
  /// The header fields of the API's response.
  var apiHeaders = ["Content-Type: application/captive+json", "Cache-Control: private"]
  /// The API's response before the login.
  var api = #"{ "captive": true, "user-portal-url": "https://portal.example/login" }"#
  /// The API's response after the login.
  var apiAfterLogin = #"{ "captive": false }"#
  /// The status of the redirect.
  var status = 302
  /// The header fields of the redirect.
  var headers = ["Location: https://portal.example/login", "Cache-Control: no-store"]
  /// The body of the redirect.
  var body = ""
  /// The login page.
  var page = """
    <!DOCTYPE html><title>Guest Wi-Fi login</title><form method="post" action="/login">
    <label>Voucher <input name="code"></label><label>Password <input type="password" name="p"></label>
    <button>Log in</button></form>
    """
  /// Routes before all others.
  var routes = ""
  /// The DNS line of the fixture.
  var dns = ""

  /// Creates a correct portal and applies a change to it.
  init(_ change: (inout TestPortal) -> Void = { _ in }) {
    change(&self)
  }

  /// The replayed network.
  func network() throws -> ReplayedNetwork {
    let fixture = """
      version: 1
      name: lobby
      source: { kind: synthetic, reference: "made for a test" }
      initial: captive
      listeners: \(listeners)
      \(dns)
      tls: { \(tls), "*": rst }
      routes:
      \(routes)
        - when: { state: captive, listener: https, host: portal.example, path: /api }
          respond: { status: 200, headers: \(Self.list(apiHeaders)), body: api.json }
        - when: { state: open, listener: https, host: portal.example, path: /api }
          respond: { status: 200, headers: \(Self.list(apiHeaders)), body: open.json }
        - when: { host: portal.example, method: POST, path: /login }
          respond: { status: 303, headers: ["Location: /login"] }
          goto: open
        - when: { host: portal.example, method: POST, path: /logout }
          respond: { status: 303, headers: ["Location: /login"] }
          goto: captive
        - when: { host: portal.example, path: /login }
          respond: { status: 200, headers: ["Content-Type: text/html"], body: login.html }
        - when: { state: captive, listener: http }
          respond: { status: \(status), headers: \(Self.list(headers)), body: redirect.html }
      \(Self.truthfulRoutes)
      """
    let files: [String: String] = [
      "fixture.yaml": fixture, "api.json": api, "open.json": apiAfterLogin, "login.html": page,
      "redirect.html": body,
      "apple.html": "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>",
      "ncsi.txt": "Microsoft Connect Test",
    ]
    let memory = MemoryFiles(
      Dictionary(uniqueKeysWithValues: files.map { ("lobby/\($0.key)", Array($0.value.utf8)) }))
    return try ReplayedNetwork(
      FixtureLoader(files: memory).load(fixture: "lobby/fixture.yaml"), with: .bundled)
  }

  /// All engines, loaded and planned once for all tests.
  private static let engines = Result {
    let plugins = try PluginRegistry.bundled
    return try EngineProfile.all.map { profile in
      var loaded = profile.loaded(with: plugins)
      // The tests must not depend on the load of the machine.
      loaded.change { $0.overrides.append(RequestSetting { request, _ in request.timeout = .seconds(600) }) }
      return (profile: profile, plan: try loaded.plan())
    }
  }

  /// The survey of a network with this portal.
  func survey(of network: ReplayedNetwork) throws -> NetworkSurvey {
    let engines = try Self.engines.get()
    var survey = NetworkSurvey(engines, over: network.plugins.transports)
    survey.isLiveNetwork = false
    survey.countdownInterval = .milliseconds(1)
    if !announced.isEmpty {
      survey.announcements = [Announcement(.given, .announced(announced), origin: "the test")]
    }
    return survey
  }

  /// The report before the login.
  func report() async throws -> PortalReport {
    let facts = try #require(await survey(of: network()).survey())
    return PortalReport(facts)
  }

  private static func list(_ items: [String]) -> String {
    "[" + items.map { "'\($0)'" }.joined(separator: ", ") + "]"
  }

  /// The true responses of the probed hosts after the login.
  private static let truthfulRoutes = """
      - when: { state: open, path: /generate_204 }
        respond: { status: 204 }
      - when: { state: open, host: "*.apple.com" }
        respond: { status: 200, headers: ["Content-Type: text/html"], body: apple.html }
    """
}

extension PortalReport {
  /// The identifiers of the findings.
  var ids: [String] { findings.map(\.check.id) }

  /// The result of a check.
  func result(of id: String) -> Examination? { requirements.first { $0.check.id == id }?.result }
}
