import BundledPlugins
import FixtureReplay
import Foundation
import ProbeCore
import ProbePipeline
import TestRequirements
import TestSupport
import Testing

/// The pipelines of `Examples/pipelines`, each against replayed networks.
@Suite(.patience(minutes: 1)) struct ExamplePipelineTests {
  private static let root = projectRoot.path
  private static let folder = "\(root)/Examples/pipelines"

  private static let expectations: [(pipeline: String, world: String, verdict: Verdict)] = [
    ("apple-https", "fixtures/worlds/open", .online),
    ("apple-https", "fixtures/worlds/outage", .offline),
    ("portal-check", "fixtures/worlds/open", .online),
    ("portal-check", "fixtures/worlds/captive", .captivePortal),
    ("portal-check", "fixtures/portals/coova-chilli", .captivePortal),
    ("hotel", "fixtures/worlds/open", .online),
    ("hotel", "Examples/pipelines/worlds/hotel", .captivePortal),
    ("intranet", "Examples/pipelines/worlds/company", .online),
    ("intranet", "Examples/pipelines/worlds/company-no-vpn", .partial),
    ("intranet", "Examples/pipelines/worlds/intercepting-proxy", .intercepted),
    ("intranet", "fixtures/worlds/outage", .offline),
    ("tcp-services", "Examples/pipelines/worlds/services", .online),
    ("tcp-services", "Examples/pipelines/worlds/mail-down", .partial),
    ("tcp-services", "fixtures/worlds/outage", .offline),
    ("certificates", "Examples/pipelines/worlds/company", .online),
    ("certificates", "fixtures/faults/tls-expired", .offline),
    ("dual-stack", "fixtures/worlds/open", .online),
    ("dual-stack", "fixtures/worlds/outage", .offline),
    ("interception", "fixtures/worlds/open", .online),
    ("interception", "Examples/pipelines/worlds/intercepting-proxy", .intercepted),
    ("interception", "fixtures/worlds/outage", .offline),
  ]

  @Test func everyExampleIsTested() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    let names = files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
    #expect(Set(names) == Set(Self.expectations.map(\.pipeline)))
  }

  @Test(arguments: expectations)
  func theVerdictIsAsExpected(_ name: String, world: String, verdict: Verdict) async throws {
    let laptop = try Laptop(pipeline: "\(Self.folder)/\(name).yaml")
    let fixture = try #require(FixtureLoader().load(fixture: "\(Self.root)/\(world)/fixture.yaml").fixture)
    let server = try ReplayServer([fixture])
    defer { server.stop() }
    var plugins = try PluginRegistry.bundled
    plugins.transports = plugins.transports.routed(to: server)
    var loaded = PipelineLoader(plugins).load(path: laptop.path, bytes: laptop.bytes)
    try #require(loaded.findings() == [], "\(loaded.findings())")
    loaded.change { $0.overrides = [RequestSetting { request, _ in request.timeout = .seconds(600) }] }
    let plan = try loaded.plan(in: .environment(["INTRANET_TOKEN": "t0ken"]))
    let result = await PipelineRunner(plugins.transports).run(plan)
    #expect(result.verdict == verdict, "\(result.evidence.map(\.summary)) \(server.journal.unmatched)")
    #expect(server.journal.unmatched.isEmpty || world.hasPrefix("fixtures/"))
  }
}

/// A folder with a copy of a pipeline, and the files that it may reference.
private struct Laptop {
  let path: String
  let bytes: [UInt8]
  private let folder: TemporaryFolder

  init(pipeline: String) throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/pipeline.yaml"
    // However slow the machine is, no latency is too long; no world needs the timeout of a request.
    bytes = Array(
      try String(contentsOfFile: pipeline, encoding: .utf8).replacing(/(latency|below): [0-9]+s/) {
        "\($0.output.1): 1h"
      }.utf8)
    for (name, text) in try Self.files.get() { try folder.write(name, text) }
  }

  /// A certificate and its key, created once.
  private static let files = Result { () throws in
    let folder = try TemporaryFolder()
    let command = """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=laptop \\
        -keyout "$1/laptop.key" -out "$1/laptop.pem" 2>"$1/log" || cat "$1/log"
      """
    try #require(try runProgram("sh", ["-c", command, "sh", folder.path]) == 0)
    let certificate = try String(contentsOfFile: "\(folder.path)/laptop.pem", encoding: .utf8)
    let key = try String(contentsOfFile: "\(folder.path)/laptop.key", encoding: .utf8)
    return ["laptop.pem": certificate, "laptop.key": key, "company-ca.pem": certificate]
  }
}
