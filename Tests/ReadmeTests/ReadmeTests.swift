import BundledPlugins
import ConnectivityMonitor
import EngineProfiles
import FixtureReplay
import Foundation
import ProbeCommand
import ProbeCore
import ProbePipeline
import ProbeTesting
import Testing

/// Compares the README with the code.
@Suite struct ReadmeTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private let readme: String

  init() throws {
    readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
  }

  @Test func theSnippetIsTheOneThatIsTested() async throws {
    let snippet = try String(
      contentsOf: Self.root.appending(path: "Tests/ReadmeTests/Snippet.swift"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(snippet)```\n"))
    #expect(try await isShopUp())
  }

  @Test func theSnippetOfTheKitsIsTheOneThatIsTested() async throws {
    let snippet = try String(
      contentsOf: Self.root.appending(path: "Tests/ReadmeTests/KitSnippet.swift"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(snippet)```\n"))
  }

  @Test func theSnippetOfTheReplayServerIsTheOneThatIsTested() async throws {
    let snippet = try String(
      contentsOf: Self.root.appending(path: "Tests/ReadmeTests/ReplaySnippet.swift"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(snippet)```\n"))
    let fixtures = Self.root.appending(path: "fixtures").path
    #expect(try await verdict(in: "\(fixtures)/worlds/captive") == .captivePortal)
  }

  @Test func theSnippetOfPipelinesIsTheOneThatIsTested() async throws {
    let snippet = try String(
      contentsOf: Self.root.appending(path: "Tests/ReadmeTests/PipelineSnippet.swift"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(snippet)```\n"))
    let fixture = try Fixture(folder: Self.root.appending(path: "fixtures/worlds/open").path)
    let replay = try ReplayServer([fixture])
    defer { replay.stop() }
    var plugins = try PluginRegistry.bundled
    plugins.transports = plugins.transports.routed(to: replay)
    #expect(try await isOfficeOnline(with: plugins))
  }

  @Test func theSnippetOfTheMonitorIsTheOneThatIsTested() async throws {
    let snippet = try String(
      contentsOf: Self.root.appending(path: "Tests/ReadmeTests/MonitorSnippet.swift"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(snippet)```\n"))
    let fixture = try Fixture(folder: Self.root.appending(path: "fixtures/worlds/open").path)
    let replay = try ReplayServer([fixture])
    defer { replay.stop() }
    var plugins = try PluginRegistry.bundled
    plugins.transports = plugins.transports.routed(to: replay)
    var settings = MonitorSettings()
    // The replay server is on loopback.
    settings.requiresRoute = false
    var told: [String] = []
    try await waitForInternet(with: plugins, settings: settings) { told.append($0) }
    #expect(told.allSatisfy { $0.hasPrefix("Connectivity checks pending by ") }, "\(told)")
  }

  @Test func everyKeyOfAPipelineIsInTheReadme() throws {
    let schema = try JSONSerialization.jsonObject(
      with: Data(PipelineSchema(try .bundled).text.utf8))
    let keys = Set(Self.keys(of: schema))
    #expect(keys.isSuperset(of: ["sets", "threshold", "clientCertificate", "dialog", "expiresAfter"]))
    for key in keys { #expect(readme.contains(try Regex("[`.{ ]\(key)[`:]")), "\(key)") }
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

  /// Run `make matrix` when this fails.
  @Test func theTableOfEnginesHasEveryProfileAndEveryFixture() throws {
    let table = try String(contentsOf: Self.root.appending(path: "docs/engines-matrix.md"), encoding: .utf8)
    let lines = table.split(separator: "\n")
    let names = EngineProfile.all.map(\.name).joined(separator: " | ")
    #expect(lines.contains("| fixture | expected | \(names) |"))
    let fixtures = FixtureLoader().load([Self.root.appending(path: "fixtures").path])
    for fixture in fixtures {
      let name = fixture.fixture?.name ?? "nothing"
      #expect(lines.contains { $0.hasPrefix("| \(name) | ") }, "\(name)")
    }
    let columns = EngineProfile.all.count + 2
    let rows = lines.filter { $0.split(separator: "|").count == columns && !$0.hasPrefix("| :") }
    #expect(rows.count { !$0.hasPrefix("| fixture ") } == fixtures.count)
  }

  @Test func everyKeyOfAFixtureIsInTheReadmeOfTheFixtures() throws {
    let text = try String(contentsOf: Self.root.appending(path: "fixtures/README.md"), encoding: .utf8)
    let schema = try JSONSerialization.jsonObject(with: Data(FixtureSchema.text.utf8))
    let keys = Set(Self.keys(of: schema))
    #expect(keys.isSuperset(of: ["routes", "when", "receive", "reference", "sha256", "requests"]))
    for key in keys { #expect(text.contains("`\(key)`") || text.contains("`\(key):"), "\(key)") }
  }

  @Test func everyFaultAndModeIsInTheReadmeOfTheFixtures() throws {
    let text = try String(contentsOf: Self.root.appending(path: "fixtures/README.md"), encoding: .utf8)
    for kind in ReplayFault.Kind.allCases { #expect(text.contains("\n| `\(kind.rawValue)` |"), "\(kind)") }
    for mode in TLSMode.allCases { #expect(text.contains("\n| `\(mode.rawValue)` |"), "\(mode)") }
  }

  @Test func everyReasonCodeIsInTheTable() {
    for code in ReasonCode.all {
      #expect(readme.contains("| `\(code)` | \(code.meaning ?? "") |\n"), "\(code)")
    }
    let rows = readme.split(separator: "\n").filter {
      $0.hasPrefix("| `") && $0.contains(".") && $0.hasSuffix(" |")
    }
    let codes = Set(ReasonCode.all.map { "| `\($0)` " })
    let known = rows.filter { row in codes.contains { row.hasPrefix($0) } }
    #expect(known.count == ReasonCode.all.count - 1, "each once; the code without a dot aside")
  }

  @Test func everyOptionOfCheckIsInTheReadme() async throws {
    let output = MemoryOutput()
    let tool = CommandLineTool(plugins: PluginRegistry())
    let code = await tool.run(
      arguments: [Array("check".utf8), Array("--help".utf8)], output: output.sink(), errors: output.sink())
    #expect(code == .success)
    let options = Set(output.text.matches(of: /--[a-z-]+/).map { String($0.output) }).subtracting([
      "--help", "--no-color",
    ])
    #expect(options.count > 10)
    for option in options { #expect(readme.contains("`\(option)"), "\(option)") }
  }

  /// Counts in the README are compared with current ones.
  @Test func whatIsCountedIsAsMany() throws {
    let fixtures = FixtureLoader().load([Self.root.appending(path: "fixtures").path]).count
    #expect(readme.contains("The \(fixtures) fixtures of this project"), "\(fixtures)")
    let faults = try Self.files(in: "Tests/Faults").count { $0.hasSuffix(".patch") }
    let quality = try String(contentsOf: Self.root.appending(path: "docs/quality.md"), encoding: .utf8)
    #expect(quality.contains("The \(faults) faults are mistakes"), "\(faults)")
  }

  @Test func theExampleOfASuiteCountsItsTests() throws {
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

  @Test func theReportOfTheKitIsWhatItSays() async throws {
    let transport = MemoryTransport(answers: ["shop": "shop: up\n", "mill": "mill: down\n"])
    let scenarios: [TransportScenario] = [
      .answers(ProbeRequest(try ProbeURL("memory://shop/")), with: "shop: up\n"),
      .answers(ProbeRequest(try ProbeURL("memory://mill/")), with: "mill: down\n"),
      .refuses(ProbeRequest(try ProbeURL("memory://nowhere/")), reason: .noSuchHost),
    ]
    for report in try await TransportConformance(transport, scenarios: scenarios).verify() {
      #expect(readme.contains("```\n\(report)\n```"), "\(report)")
    }
  }

  private static func files(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
  }
}
