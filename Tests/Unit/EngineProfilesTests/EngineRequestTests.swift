import BundledPlugins
import EngineProfiles
import FixtureReplay
import Foundation
import ProbeCore
import ProbePipeline
import Testing

/// The requests of the profiles, and their descriptions of the engines.
struct EngineRequestTests {
  /// The header fields of the first request of a profile, by name in lower case.
  private static func fields(of name: String) async throws -> [String: String] {
    let network = try ReplayedNetwork("fixtures/worlds/open", with: .bundled)
    let plan = try #require(EngineProfile.named(name)).patientPlan
    _ = await network.run(plan)
    let request = try #require(network.journal.entries.compactMap(\.request).first)
    return Dictionary(request.head.fields.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
  }

  private static let noCache: Set = ["cache-control", "pragma"]

  /// The names of the fields that each engine sends besides Host, as captured from the engine or read in its source.
  @Test(arguments: [
    ("firefox", ["user-agent", "accept", "accept-language", "accept-encoding", "connection"], true),
    ("firefox-esr", ["user-agent", "accept", "accept-language", "accept-encoding", "connection"], true),
    ("chromium", ["user-agent", "accept-language", "accept-encoding", "connection"], true),
    ("networkmanager", ["accept", "connection"], false),
    ("networkmanager-arch", ["accept", "connection"], false),
    ("networkmanager-debian", ["accept", "connection"], false),
    ("networkmanager-fedora", ["accept", "connection"], false),
    ("networkmanager-ubuntu", ["accept", "connection"], false),
    ("connman", ["user-agent", "connection"], false), ("apple", ["user-agent", "connection"], false),
    ("windows", ["user-agent", "connection"], false),
    ("android", ["user-agent", "accept-encoding", "connection"], false),
    ("chromeos", ["user-agent", "accept"], false),
    ("connectivity", ["user-agent", "accept", "accept-language", "accept-encoding", "connection"], true),
  ])
  func sendsTheFieldsOfTheEngine(_ engine: String, _ names: [String], _ asksForNoCache: Bool) async throws {
    let fields = try await Self.fields(of: engine)
    #expect(Set(fields.keys) == Set(names).union(asksForNoCache ? Self.noCache : []).union(["host"]))
  }

  @Test(arguments: [
    ("firefox", "user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:157.0) Gecko/20100101 Firefox/157.0"),
    ("firefox-esr", "user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0"),
    ("firefox-esr", "accept-encoding", "gzip, deflate"), ("firefox-esr", "cache-control", "no-cache"),
    (
      "chromium", "user-agent",
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"
    ),
    ("chromium", "connection", "keep-alive"), ("android", "accept-encoding", "gzip"),
    ("connman", "user-agent", "ConnMan/1.42 wispr"), ("windows", "user-agent", "Microsoft NCSI"),
    ("apple", "user-agent", "CaptiveNetworkSupport-514.120.2 wispr"),
    ("networkmanager", "connection", "close"),
  ])
  func fieldValuesMatchThoseOfTheEngine(_ engine: String, _ name: String, _ value: String) async throws {
    #expect(try await Self.fields(of: engine)[name] == value)
  }

  /// A portal that distinguishes clients by their User-Agent.
  @Test func onlyBrowsersDetectAPortalForBrowsers() async throws {
    for (engine, verdict) in [
      ("firefox", Verdict.captivePortal), ("chromium", .captivePortal), ("networkmanager", .offline),
    ] {
      let url = try #require(EngineProfile.urls(of: engine).first)
      let parts = try ProbeURL(url)
      let fixture = Fixture(
        name: "for browsers",
        routes: [
          ReplayRoute(
            "browser",
            when: RouteCondition(host: parts.host, headers: [.init(name: "User-Agent", value: "Mozilla/*")]),
            response: .respond(ComposedResponse(status: 200, body: Array("log in".utf8)))),
          ReplayRoute("nothing", end: .rst),
        ])
      let network = try ReplayedNetwork(fixture, with: .bundled)
      let plan = try #require(EngineProfile.named(engine)).patientPlan
      #expect(await network.run(plan).verdict == verdict, "\(engine)")
    }
  }
}
