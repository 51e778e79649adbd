import BundledPlugins
import FixtureCapture
import FixtureReplay
import Foundation
import ProbeCommand
import ProbeCore
import ProbePipeline
import Transports
import TestRequirements
import Testing
import TestSupport
import CommandKit

/// The examples in the DocC catalogs work as described; ``BlockTests`` compares them with the pages.
@Suite struct CatalogTests {
  private static let root = projectRoot
  private static let fixtures = root.appending(path: "fixtures").path

  @Test func probingAShop() async throws {
    let network = try ReplayedNetwork("\(Self.fixtures)/worlds/captive", with: .bundled)
    #expect(try await !isShopOpen(over: network.plugins.transports))
  }

  @Test func aPipelineFromAFile() async throws {
    let network = try ReplayedNetwork("\(Self.fixtures)/worlds/captive", with: .bundled)
    let file = """
      { "version": 1, "name": "shop", "policy": { "https": "optional" },
        "sets": [{ "name": "shop", "urls": ["http://shop.example/"] }] }
      """
    let found = try await verdict(ofFile: "shop.json", bytes: Array(file.utf8), with: network.plugins)
    #expect(found == .captivePortal)
  }

  @Test func analysingAResponse() async throws {
    let network = try ReplayedNetwork("\(Self.fixtures)/worlds/captive", with: .bundled)
    let response = try await network.open("http://shop.example/")
    let login = loginURL(in: response, over: network.plugins.transports)
    #expect(login?.host == "login.hotel.example")
  }

  @Test func everyEngineProfile() async throws {
    let network = try ReplayedNetwork("\(Self.fixtures)/worlds/open", with: .bundled)
    let verdicts = try await judgements(with: network.plugins)
    #expect(verdicts.count > 10)
    #expect(verdicts.values.allSatisfy { $0 == .online }, "\(verdicts)")
  }

  @Test func aNetworkInCode() async throws {
    let network = try ReplayedNetwork(lobby, with: .bundled)
    let pipeline = Pipeline("shop") { ProbeSet("shop", "http://shop.example/") }.policy(.plaintextAllowed)
    try await network.verify(pipeline)
  }

  @Test(.patience(minutes: 1)) func aMonitorInATest() async throws {
    #expect(try await verdictsOfALogin() == [.captivePortal, .online])
  }

  @Test func reporting() async throws {
    let network = try ReplayedNetwork("\(Self.fixtures)/worlds/captive", with: .bundled)
    let pipeline = Pipeline("shop") { ProbeSet("shop", "http://shop.example/") }.policy(.plaintextAllowed)
    let (text, json) = try reports(of: try await network.run(pipeline))
    #expect(text.hasPrefix("captive portal: log in at http://login.hotel.example/"))
    #expect(json.contains(#""verdict":"captivePortal""#))
  }

  @Test func capturing() async throws {
    let network = try ReplayedNetwork("\(Self.fixtures)/worlds/captive", with: .bundled)
    let folder = FileManager.default.temporaryDirectory.appending(path: "probekit-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // Transports routed to the network do not record, so the route is added to transports that do.
    let rule = try ConnectTo("::127.0.0.1:\(network.server.port(of: .http))")
    let pipeline = Pipeline("shop") { ProbeSet("shop", "http://shop.example/") }
      .policy(.plaintextAllowed).request { ($0.connectTo, $0.timeout) = ([rule], .seconds(60)) }
    let plugins = try PluginRegistry.bundled
    try await capture(try pipeline.plan(over: plugins.transports), with: plugins, to: folder)
    #expect(try Fixture(folder: folder).expectation?.verdicts == [.captivePortal])
  }

  @Test func theCommandLine() async throws {
    let (code, text) = try await lint("\(Self.fixtures)/worlds/captive")
    #expect(code == .success, "\(text)")
    let (bad, output) = try await lint("\(Self.fixtures)/no-such-folder")
    #expect(bad == .badInput, "\(output)")
  }

  @Test func registering() throws {
    #expect(try plugins().validators["health"] != nil)
    #expect(try transportsAlone().validators["equals"] == nil)
    #expect(try mailRequest()[Dialog.self] != nil)
  }

  @Test func textInAnyCharset() throws {
    let head = HTTPResponseHead(status: 200, fields: ["Content-Type": "text/html; charset=koi8-r"])
    let bytes: [UInt8] = [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4]
    let response = ProbeResponse(url: try ProbeURL("https://shop.example/"), head: head, body: bytes)
    #expect(greeting.validate(response).isAccepted)
    #expect(!greeting.validate(ProbeResponse(url: response.url, body: bytes)).isAccepted)
  }
}
