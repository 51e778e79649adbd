import BundledPlugins
import EngineProfiles
import ProbePipeline
import Testing

/// The verdicts of each engine on responses about which the engines disagree.
struct EdgeCaseTests {
  typealias Ending = SimulatedNetwork.Ending

  /// A response and each engine's verdict on it.
  ///
  /// An engine is missing if its verdict is unknown.
  struct Row: CustomTestStringConvertible {
    let name: String
    let ending: Ending
    let verdicts: [String: Verdict]
    var testDescription: String { name }
  }

  private static let noURL = ["Location: http://"]
  private static let page = "<html><body>Please log in</body></html>"

  static let rows = [
    Row(
      name: "204", ending: .noContent,
      verdicts: [
        "connectivity": .offline, "android": .partial, "chromeos": .online, "chromium": .online,
        "firefox-esr": .inconclusive, "networkmanager": .captivePortal, "connman": .inconclusive,
      ]),
    Row(
      name: "204 with content", ending: .bytes("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello"),
      verdicts: [
        "android": .partial, "chromeos": .online, "chromium": .online, "firefox-esr": .inconclusive,
      ]),
    Row(
      name: "200 without content", ending: .content(0),
      verdicts: [
        "connectivity": .offline, "android": .offline, "chromeos": .online, "chromium": .online,
        "firefox-esr": .captivePortal, "networkmanager": .captivePortal, "apple": .captivePortal,
        "windows": .captivePortal, "connman": .captivePortal,
      ]),
    Row(
      name: "200 without content and length", ending: .bytes("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"),
      verdicts: ["android": .offline, "chromeos": .online, "chromium": .online]),
    Row(
      name: "200 with a byte", ending: .content(1),
      verdicts: [
        "connectivity": .offline, "android": .offline, "chromeos": .online, "chromium": .online,
        "firefox-esr": .captivePortal, "networkmanager": .captivePortal,
      ]),
    Row(
      name: "200 with a byte without length", ending: .bytes("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nx"),
      verdicts: ["android": .captivePortal, "chromeos": .online, "chromium": .online]),
    Row(
      name: "200 with four bytes", ending: .content(4),
      verdicts: ["android": .offline, "chromeos": .captivePortal, "chromium": .captivePortal]),
    Row(
      name: "a login page", ending: .response(200, headers: ["Content-Type: text/html"], body: page),
      verdicts: [
        "connectivity": .offline, "android": .captivePortal, "chromeos": .captivePortal,
        "chromium": .captivePortal, "firefox-esr": .captivePortal, "networkmanager": .captivePortal,
        "apple": .captivePortal, "windows": .captivePortal, "connman": .captivePortal,
      ]),
    Row(
      name: "a redirect", ending: .redirect,
      verdicts: [
        "connectivity": .offline, "android": .captivePortal, "chromeos": .captivePortal,
        "chromium": .captivePortal, "firefox-esr": .captivePortal, "networkmanager": .captivePortal,
        "apple": .captivePortal, "windows": .captivePortal, "connman": .captivePortal,
      ]),
    Row(
      name: "a redirect to nowhere", ending: .response(302, headers: noURL),
      verdicts: [
        "android": .captivePortal, "chromeos": .offline, "firefox-esr": .inconclusive,
        "networkmanager": .captivePortal,
      ]),
    Row(
      name: "301", ending: .response(301, headers: ["Location: http://portal.example/login"]),
      verdicts: ["android": .captivePortal, "chromeos": .offline, "firefox-esr": .captivePortal]),
    Row(
      name: "511", ending: .response(511, body: page),
      verdicts: [
        "connectivity": .offline, "android": .offline, "chromeos": .offline, "chromium": .captivePortal,
        "firefox-esr": .captivePortal, "networkmanager": .captivePortal, "connman": .inconclusive,
      ]),
    Row(
      name: "404", ending: .response(404, body: page),
      verdicts: [
        "connectivity": .offline, "android": .offline, "chromeos": .offline, "chromium": .offline,
        "firefox-esr": .inconclusive, "networkmanager": .captivePortal, "connman": .offline,
      ]),
    Row(
      name: "500", ending: .response(500, body: page),
      verdicts: [
        "connectivity": .offline, "android": .offline, "chromeos": .offline, "chromium": .offline,
        "firefox-esr": .inconclusive, "networkmanager": .captivePortal, "connman": .inconclusive,
      ]),
    Row(
      name: "505", ending: .response(505, body: page), verdicts: ["connman": .captivePortal]),
    Row(
      name: "a reset", ending: .reset,
      verdicts: [
        "connectivity": .offline, "android": .offline, "chromeos": .offline, "chromium": .offline,
        "firefox-esr": .inconclusive, "networkmanager": .offline, "apple": .offline, "windows": .offline,
        "connman": .offline,
      ]),
    Row(
      name: "silence", ending: .silence,
      verdicts: [
        "connectivity": .offline, "android": .offline, "chromeos": .offline, "chromium": .offline,
        "firefox-esr": .inconclusive, "networkmanager": .offline,
      ]),
  ]

  /// A network in which every http URL has this result.
  ///
  /// Over HTTPS, Android receives an untrusted certificate, so that its verdict shows the result of the http
  /// probe. Connectivity receives the same result as over HTTP. The other engines receive Google's empty
  /// response.
  private static func network(_ ending: Ending, for engine: String) throws -> SimulatedNetwork {
    let https: Ending = engine == "android" ? .tlsError : engine == "connectivity" ? ending : .noContent
    var network = try SimulatedNetwork()
    for url in try EngineProfile.urls(of: engine) {
      try network.add(url, url.hasPrefix("https:") ? https : ending)
    }
    // The targets of redirects.
    try network.add("http://portal.example/login", .response(200, body: page))
    return network
  }

  @Test(arguments: rows) func enginesReachTheExpectedVerdicts(_ row: Row) async throws {
    for (engine, verdict) in row.verdicts.sorted(by: { $0.key < $1.key }) {
      let network = try Self.network(row.ending, for: engine)
      let judgement = try await Judgement(of: engine, in: network)
      #expect(judgement.verdict == verdict, "\(engine): \(judgement.result.evidence.map(\.summary))")
    }
  }

  @Test func interceptedTLSIsDetectedByEnginesThatUseTLS() async throws {
    for (engine, verdict) in [
      ("connectivity", Verdict.offline), ("android", .partial), ("chromeos", .offline),
    ] {
      var network = try SimulatedNetwork()
      for url in try EngineProfile.urls(of: engine) {
        try network.add(url, url.hasPrefix("https:") ? .tlsError : .noContent)
      }
      #expect(try await Judgement(of: engine, in: network).verdict == verdict, "\(engine)")
    }
    let networkManager = try #require(EngineProfile.named("networkmanager"))
    let overTLS = networkManager.text.replacing("urls: [http:", with: "urls: [https:")
    let network = try SimulatedNetwork(["https://nmcheck.gnome.org/check_network_status.txt": .tlsError])
    #expect(try await Judgement(running: overTLS, in: network).verdict == .offline)
  }
}

extension EngineProfile {
  /// The http and https URLs that a profile requests.
  static func urls(of name: String) throws -> [String] {
    let profile = try #require(EngineProfile.named(name))
    let plan = try profile.patientPlan
    return Set(plan.probes.map(\.url).filter { $0.hasPrefix("http") }).sorted()
  }
}
