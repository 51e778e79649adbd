import Foundation
import BundledPlugins
import LoopbackServer
import ProbeCommand
import ProbeCore
import Testing
@testable import CommandKit

/// `probekit check` with the profile of an engine.
@Suite struct CheckProfileTests {
  /// The values of a header field in all requests that a server received.
  private static func fields(_ name: String, of server: LoopbackServer) -> [String] {
    server.requests.map { request in
      let lines = String(decoding: request, as: UTF8.self).split(whereSeparator: \.isNewline)
      return lines.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) } ?? ""
    }
  }

  @Test func requestsTheURLsOfTheEngine() async throws {
    let world = try World()
    let check = try await Check(world.arguments + ["--profile", "android", "--format=json"])
    #expect(check.code == .success, "\(check.output)\(check.errors)")
    #expect(try check.json()["pipeline"] as? String == "android")
    #expect(Self.fields("Host", of: world.http) == ["connectivitycheck.gstatic.com"])
    #expect(Self.fields("Host", of: world.https) == ["www.google.com"])
  }

  @Test func judgesAsTheEngineDoes() async throws {
    // A block page: ProbeKit's own profile distinguishes it from a portal, Apple's assistant does not.
    let page = "<title>Blocked</title><p>This site is blocked by your administrator.</p>"
    let world = try World(http: World.always(403, [], page))
    let apple = try await Check(try world.withoutHTTPS() + ["--profile=apple", "--format=json"])
    #expect(apple.code == .captivePortal)
    let portal = try apple.json()["portal"] as? [String: Any]
    #expect(portal?["loginURL"] as? String == "http://captive.apple.com/hotspot-detect.html")
    #expect(portal?["source"] as? String == "probeURL")
    #expect(try await Check(try world.withoutHTTPS()).code == .notOnline)
  }

  @Test func requestOptionsApply() async throws {
    let world = try World()
    let check = try await Check(world.arguments + ["--profile=apple", "--header", "X-Test: 1"])
    #expect(check.code == .success)
    #expect(Self.fields("X-Test", of: world.http) == ["1"])
    #expect(Self.fields("User-Agent", of: world.http) == ["CaptiveNetworkSupport-514.120.2 wispr"])
  }

  @Test(arguments: [nil, "android"])
  func theAnnouncedAPIIsRequested(_ profile: String?) async throws {
    let world = try World(https: { request in
      guard request.target == "/capport" else { return World.open(request) }
      let document = #"{ "captive": true, "user-portal-url": "https://portal.example/join" }"#
      return .response(headers: [(name: "Content-Type", value: "application/captive+json")], body: document)
    })
    let arguments = world.arguments + ["--capport", "https://www.apple.com/capport", "--format=json"]
    let check = try await Check(arguments + (profile.map { ["--profile", $0] } ?? []))
    let report = try check.json()
    // In ProbeKit's own profile, all probes together outweigh the API alone.
    #expect(report["verdict"] as? String == (profile == nil ? "online" : "captivePortal"))
    let evidence = report["evidence"] as? [[String: Any]] ?? []
    #expect(evidence.contains { $0["kind"] as? String == "capport" })
    #expect(world.http.requests.isEmpty == (profile != nil))
  }

  @Test(arguments: [
    (["--profile", "andriod"], "did you mean android?"),
    (["--profile", "android", "https://example.com/"], "--profile is for checks without URLs"),
    (["--capport", "https://api.example/", "https://example.com/"], "--capport is for checks without URLs"),
    (
      ["--profile", "apple", "--capport", "https://api.example/"],
      "the profile apple does not use the network's captive-portal API"
    ),
    (["--profile", "android", "--contains", "x"], "--contains is for checks with URLs"),
  ])
  func errorsAreReported(_ arguments: [String], _ words: String) async throws {
    let check = try await Check(arguments)
    #expect(check.code == .usage)
    #expect(check.errors.contains(words), "\(check.errors)")
    #expect(check.output.isEmpty)
  }

  /// A custom program may have other validators, or none.
  @Test func profilesDoNotDependOnRegisteredValidators() async throws {
    var plugins = PluginRegistry()
    plugins.transports = try PluginRegistry.bundled.transports
    let world = try World()
    #expect(try await Check(world.arguments, plugins: plugins).code == .success)
    #expect(try await Check(world.arguments + ["--profile=chromeos"], plugins: plugins).code == .success)
  }
}
