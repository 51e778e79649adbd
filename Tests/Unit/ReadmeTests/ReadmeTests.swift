import BundledPlugins
import ConnectivityMonitor
import EngineProfiles
import FixtureReplay
import Foundation
import ProbeCore
import ProbePipeline
import ProbeReporting
import ProbeTesting
import TestRequirements
import Testing

@testable import ProbeCommand
import CommandKit

/// Compares the README, and the pages it links to, with the code.
@Suite struct ReadmeTests {
  private static let root = MarkdownPage.root

  @Test func theReadmeIsShort() throws {
    let lines = try MarkdownPage("README.md").text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count - 1 <= 250)
  }

  /// Each page at least once, except those of the commands, which have a separate index.
  @Test func theReadmeAndTheIndexLinkToEveryPage() throws {
    let readme = try MarkdownPage("README.md")
    let index = try MarkdownPage("docs/README.md")
    let fromReadme = Set(readme.links.map { String($0.prefix { $0 != "#" }) })
    let fromIndex = Set(index.links.map { index.target(of: String($0.prefix { $0 != "#" })) })
    let pages = try MarkdownPage.pages(in: "docs").map(\.path)
    for page in pages where page != "docs/README.md" && !page.hasPrefix("docs/cli/") {
      #expect(fromIndex.contains(page), "docs/README.md does not link to \(page)")
      guard !page.hasPrefix("docs/library/"), page != "docs/fixture-reference.md" else { continue }
      #expect(fromReadme.contains(page), "README.md does not link to \(page)")
    }
    for page in ["docs/cli/probekit.md", "docs/library/README.md", "docs/README.md"] {
      #expect(fromReadme.contains(page), "README.md does not link to \(page)")
    }
  }

  @Test func theValidatorOfTheReadmeConforms() throws {
    try ValidatorConformance(UpValidator.self).verify()
    let plugins = try plugins(with: UpValidator.self)
    #expect(plugins.validators["up"] != nil)
  }

  private func plugins(with validator: UpValidator.Type) throws -> PluginRegistry {
    var plugins = try PluginRegistry.bundled
    try plugins.register(validator)
    return plugins
  }

  @Test func customPlugins() async throws {
    #expect(try await isShopUp())
  }

  @Test func aReplayedNetwork() async throws {
    let fixtures = Self.root.appending(path: "fixtures").path
    #expect(try await verdict(in: "\(fixtures)/worlds/captive") == .captivePortal)
  }

  @Test func aPipelineInCode() async throws {
    let fixture = try Fixture(folder: Self.root.appending(path: "fixtures/worlds/open").path)
    let replay = try ReplayServer([fixture])
    defer { replay.stop() }
    var plugins = try PluginRegistry.bundled
    plugins.transports = plugins.transports.routed(to: replay)
    #expect(try await isOfficeOnline(with: plugins))
  }

  @Test func aMonitorInCode() async throws {
    let fixture = try Fixture(folder: Self.root.appending(path: "fixtures/worlds/open").path)
    let replay = try ReplayServer([fixture])
    defer { replay.stop() }
    var plugins = try PluginRegistry.bundled
    plugins.transports = plugins.transports.routed(to: replay)
    var settings = MonitorSettings()
    // The replay server is on loopback.
    settings.requiresRoute = false
    var lines: [String] = []
    try await waitForInternet(with: plugins, settings: settings) { lines.append($0) }
    #expect(lines.allSatisfy { $0.hasPrefix("Connectivity checks pending by ") }, "\(lines)")
  }

  /// `make reference` documents all keys of the schemas; validators and their options are also explained by
  /// hand.
  @Test func everyValidatorAndItsOptionsAreOnTheirPage() throws {
    let page = try MarkdownPage("docs/validators.md").text
    let plugins = try PluginRegistry.bundled
    let names = plugins.validators.names
    #expect(names.count >= 8)
    for name in names {
      let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `\(name)` | ") }
      #expect(rows.count == 1, "\(name)")
    }
    let schema = try JSONSerialization.jsonObject(with: Data(PipelineSchema(plugins).text.utf8))
    let keys = Self.keys(ofValidators: names, in: schema)
    #expect(keys.isSuperset(of: ["expiresAfter", "caseless", "phase"]))
    for key in keys { #expect(page.contains("`\(key)`"), "\(key)") }
  }

  /// The names of validator options, wherever they occur in the schema.
  private static func keys(ofValidators names: [String], in value: Any) -> Set<String> {
    switch value {
    case let list as [Any]:
      return list.reduce(into: []) { $0.formUnion(keys(ofValidators: names, in: $1)) }
    case let object as [String: Any]:
      var found: Set<String> = []
      let properties = object["properties"] as? [String: Any] ?? [:]
      for name in names {
        if let options = properties[name] { found.formUnion(keys(of: options)) }
      }
      for value in object.values { found.formUnion(keys(ofValidators: names, in: value)) }
      return found
    default: return []
    }
  }

  /// The names of all properties in a schema.
  private static func keys(of value: Any) -> [String] {
    switch value {
    case let list as [Any]: list.flatMap(keys)
    case let object as [String: Any]:
      Array((object["properties"] as? [String: Any] ?? [:]).keys) + object.values.flatMap(keys)
    default: []
    }
  }

  @Test func everyVerdictAndExitCodeIsOnItsPage() throws {
    let page = try MarkdownPage("docs/verdicts.md").text
    let readme = try MarkdownPage("README.md").text
    for verdict in Verdict.allCases {
      #expect(page.contains("\n| `\(verdict.rawValue)` | "), "\(verdict)")
      #expect(readme.contains("\n| `\(verdict.rawValue)` | "), "\(verdict)")
    }
    for (code, _) in ExitCode.meanings { #expect(page.contains("\n| \(code.rawValue) | "), "\(code)") }
  }

  @Test func everyProfileAndFormatIsOnItsPage() throws {
    let profiles = try MarkdownPage("docs/profiles.md").text
    for profile in EngineProfile.all.map(\.name) {
      let variant = profile.firstIndex(of: "-").map { "`\(profile[$0...])`" }
      #expect(profiles.contains("`\(profile)`") || profiles.contains(variant ?? "`\(profile)`"), "\(profile)")
    }
    let pipelines = try MarkdownPage("docs/pipelines.md").text
    for format in ReportFormat.all {
      #expect(pipelines.contains("\n| `\(format.name)` | "), "\(format.name)")
    }
  }

  @Test func everyMetricIsInTheRecipe() throws {
    let source = try String(
      contentsOf: Self.root.appending(path: "Sources/Features/ProbeReporting/PrometheusReporter.swift"),
      encoding: .utf8)
    let recipe = try MarkdownPage("docs/recipes/prometheus.md").text
    let names = { (text: String) in Set(text.matches(of: /\bprobekit_[a-z_]+/).map { String($0.output) }) }
    #expect(names(source).count > 8)
    #expect(names(recipe) == names(source))
  }

  /// The names of all fixtures, `nothing` for one that cannot be read.
  private static let fixtures = FixtureLoader().load([root.appending(path: "fixtures").path]).map {
    $0.fixture?.name ?? "nothing"
  }

  /// Run `make matrix` when this fails.
  @Test(.heavy) func theTableOfEnginesHasEveryProfileAndEveryFixture() throws {
    let table = try String(contentsOf: Self.root.appending(path: "docs/engines-matrix.md"), encoding: .utf8)
    let lines = table.split(separator: "\n")
    let names = EngineProfile.all.map(\.name).joined(separator: " | ")
    #expect(lines.contains("| fixture | expected | \(names) |"))
    for name in Self.fixtures {
      let isThere = lines.contains { $0.hasPrefix("| \(name) | ") }
      #expect(isThere, "\(name)")
    }
    let columns = EngineProfile.all.count + 2
    let rows = lines.filter { $0.split(separator: "|").count == columns && !$0.hasPrefix("| :") }
    #expect(rows.count { !$0.hasPrefix("| fixture ") } == Self.fixtures.count)
  }

  @Test func everyFixtureKeyIsInTheFixturesReadme() throws {
    let text = try String(contentsOf: Self.root.appending(path: "fixtures/README.md"), encoding: .utf8)
    let schema = try JSONSerialization.jsonObject(with: Data(FixtureSchema.text.utf8))
    let keys = Set(Self.keys(of: schema))
    #expect(keys.isSuperset(of: ["routes", "when", "receive", "reference", "sha256", "requests"]))
    for key in keys { #expect(text.contains("`\(key)`") || text.contains("`\(key):"), "\(key)") }
  }

  @Test func everyFaultAndTLSModeIsInTheFixturesReadme() throws {
    let text = try String(contentsOf: Self.root.appending(path: "fixtures/README.md"), encoding: .utf8)
    for kind in ReplayFault.Kind.allCases { #expect(text.contains("\n| `\(kind.rawValue)` |"), "\(kind)") }
    for mode in TLSMode.allCases { #expect(text.contains("\n| `\(mode.rawValue)` |"), "\(mode)") }
  }

  /// Compares growing numbers on the pages with current counts.
  @Test(.heavy) func countsInTheDocumentsAreCurrent() throws {
    let fixtures = Self.fixtures.count
    let replay = try MarkdownPage("docs/replay.md").text
    #expect(replay.contains("The \(fixtures) fixtures of this project"), "\(fixtures)")
    let faults = try Self.files(in: "Tests/Faults").count { $0.hasSuffix(".patch") }
    let quality = try String(contentsOf: Self.root.appending(path: "docs/quality.md"), encoding: .utf8)
    #expect(quality.contains("The \(faults) faults are mistakes"), "\(faults)")
  }

  @Test func theExampleSuitesReadmeHasTheRightCounts() throws {
    let folder = "Examples/OfflineSuite/Tests/OfflineSuiteTests"
    let text = try Self.files(in: folder).map {
      try String(contentsOf: Self.root.appending(path: "\(folder)/\($0)"), encoding: .utf8)
    }.joined()
    let (tests, suites) = (text.matches(of: /@Test\b/).count, text.matches(of: /@Suite\b/).count)
    let readme = try String(
      contentsOf: Self.root.appending(path: "Examples/OfflineSuite/README.md"), encoding: .utf8)
    #expect(readme.contains("Test run with \(tests) tests in \(suites) suites passed"))
    let fixtures = try Self.files(in: "Examples/OfflineSuite/Fixtures").count
    #expect(readme.contains("with \(fixtures) test cases passed"))
    #expect(readme.contains("\(fixtures) fixtures, \(fixtures) passed, 0 failed"))
  }

  @Test func theConformanceReportIsAsDocumented() async throws {
    let page = try MarkdownPage("docs/library/testing.md").text
    let transport = MemoryTransport(responses: ["shop": "shop: up\n", "mill": "mill: down\n"])
    let scenarios: [TransportScenario] = [
      .responds(ProbeRequest(try ProbeURL("memory://shop/")), with: "shop: up\n"),
      .responds(ProbeRequest(try ProbeURL("memory://mill/")), with: "mill: down\n"),
      .refuses(ProbeRequest(try ProbeURL("memory://nowhere/")), reason: .noSuchHost),
    ]
    for report in try await TransportConformance(transport, scenarios: scenarios).verify() {
      #expect(page.contains("```text\n\(report)\n```"), "\(report)")
    }
  }

  private static func files(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
  }
}
