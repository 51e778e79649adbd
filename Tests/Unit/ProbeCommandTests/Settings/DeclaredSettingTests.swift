import BundledPlugins
import CommandKit
import ProbeCore
import TestSupport
import Testing

@testable import ProbeCommand

/// The declarations of settings: their examples, options and secrets.
@Suite struct DeclaredSettingTests {
  private static func pipeline(_ url: String, _ request: String) -> String {
    """
    version: 1
    name: office
    policy: { https: optional }
    sets:
      - name: web
        request: \(request)
        urls: [\"\(url)\"]

    """
  }

  private static let urls = [
    "https": "https://a.example/", "http": "http://a.example/", "tcp": "tcp://a.example:25",
    "tls": "tls://a.example:993", "udp": "udp://a.example:53", "dns": "dns://192.0.2.53/a.example",
    "icmp": "icmp://a.example", "dns+tls": "dns+tls://192.0.2.53/a.example",
    "dns+https": "dns+https://192.0.2.53/a.example",
  ]

  @Test func everyExampleIsAValidValue() async throws {
    var examples = 0
    for key in try PluginRegistry.bundled.transports.requestKeys {
      guard let example = key.first.example else { continue }
      examples += 1
      let url = try #require(key.byScheme.keys.compactMap { Self.urls[$0.name] }.min())
      let folder = try TemporaryFolder(["office.yaml": Self.pipeline(url, "{ \(key.name): \(example) }")])
      let run = try await FolderRun("lint", ["DIR/office.yaml"], in: folder)
      #expect(run.code == .success, "\(key.name): \(run.output)")
    }
    #expect(examples >= 10)
  }

  @Test func detailsAreSentencesAndSummariesAreOne() throws {
    for key in try PluginRegistry.bundled.transports.requestKeys.map(\.first) {
      #expect(key.summary.last != "." && !key.summary.contains(". "), "\(key.name)")
      if let details = key.details {
        #expect(details.last == "." && details.first?.isUppercase == true, "\(key.name)")
      }
    }
  }

  @Test func optionsAreOfCommandsAndUnambiguous() throws {
    let commands = CommandLineTool.commands(over: try .bundled, of: ToolName(version: "1")).map {
      $0.outline(for: ToolName(version: "1"))
    }
    let names = Set(commands.map(\.name))
    for key in try PluginRegistry.bundled.transports.requestKeys.map(\.first) {
      for option in key.options {
        #expect(option.commands.isSubset(of: names), "\(option.name)")
        for other in option.exclusions + [option.requirement].compactMap(\.self) {
          #expect(key.options.contains { $0.name == other }, "\(option.name): \(other)")
        }
      }
    }
    for command in commands {
      let options = command.options.flatMap { [$0.name] + [$0.short].compactMap(\.self) + $0.aliases }
      #expect(Set(options).count == options.count, "\(command.name): \(options)")
    }
  }

  /// A secret in what is sent is not shown in the line of an error.
  @Test(arguments: [
    #"{ body: '{"password": "hunter2canary"}', timeout: 0s }"#,
    "{ body: 'user=joe&password=hunter2canary', timeout: 0s }",
    "{ body: 'X-Api-Key: hunter2canary', timeout: 0s }", "{ query: { tokken: hunter2canary }, timeout: 0s }",
    "{ query: token=hunter2canary, timeout: 0s }", "{ headers: token=hunter2canary, timeout: 0s }",
    "{ headers: \"X-Api-Key: hunter2canary\", timeout: 0s }",
    "{ body: ['user=joe&password=hunter2canary'], timeout: 0s }",

  ])
  func noErrorShowsASecretThatIsSent(_ request: String) async throws {
    let folder = try TemporaryFolder(["office.yaml": Self.pipeline("https://a.example/", request)])
    let run = try await FolderRun("lint", ["DIR/office.yaml"], in: folder)
    #expect(run.output.contains("the time 0s is out of bounds"))
    #expect(run.output.contains("<redacted>"))
    #expect(!run.output.contains("canary"), "\(run.output)")
  }

  @Test(arguments: [
    ("https://a.example/", "{ body: '{\"user\": \"joe\"}', timeout: 0s }", "\"joe\""),
    ("tcp://a.example:23", "{ dialog: [{ expect: \"Password:\" }], timeout: 0s }", "expect: \"Password:\""),
  ])
  func errorsShowOtherTextsThatAreSent(_ url: String, _ request: String, _ text: String) async throws {
    let folder = try TemporaryFolder(["office.yaml": Self.pipeline(url, request)])
    #expect(try await FolderRun("lint", ["DIR/office.yaml"], in: folder).output.contains(text))
  }

  @Test func noErrorInABrokenFileShowsASecretThatIsSent() async throws {
    let request = "{ maxBody: 1 ], body: \"joe has password hunter2canary\" }"
    let folder = try TemporaryFolder(["office.yaml": Self.pipeline("https://a.example/", request)])
    let run = try await FolderRun("lint", ["DIR/office.yaml"], in: folder)
    #expect(run.code != .success && !run.output.contains("canary"), "\(run.output)")
  }

  /// A plain `Codable` type can have a secret: its keys are known once it is decoded.
  private struct Knocking: ConfigurableValidator {
    struct Options: Codable, Hashable, Sendable {
      var knock: SecretSource
      var times: Int
    }

    static let name = "knocking"

    init(options: Options) throws(InvalidInput) {
      guard options.times > 0 else { throw InvalidInput("nobody knocks") }
    }
    func validate(_ response: ProbeResponse) -> Validation { .accepted }
  }

  @Test func noErrorShowsASecretOfPlainOptions() async throws {
    let text = Self.pipeline("https://a.example/", "{}").replacing(
      "urls:", with: "validate: { knocking: { knock: hunter2canary, times: 0 } }\n    urls:")
    var plugins = try PluginRegistry.bundled
    try plugins.register(Knocking.self)
    let folder = try TemporaryFolder(["office.yaml": text])
    let run = try await FolderRun("lint", ["DIR/office.yaml"], in: folder, plugins: plugins)
    #expect(run.output.contains("nobody knocks"))
    #expect(!run.output.contains("canary"), "\(run.output)")
  }
}
