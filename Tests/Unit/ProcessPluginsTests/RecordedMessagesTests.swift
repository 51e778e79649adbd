import FoundationEssentials
import LoopbackServer
import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import Transports

/// Recorded conversations, line by line, against the published JSON Schema.
@Suite(.patience(minutes: 3), .heavy) struct RecordedMessagesTests {
  /// Validates each message, and prints the members by which the kinds of messages differ.
  private static let judge = #"""
    import json, sys
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        print("there is no python3-jsonschema")
        sys.exit(75)
    schema = json.load(open(sys.argv[1]))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    kinds = set()
    for path in sys.argv[2:]:
        for line in open(path):
            entry = json.loads(line)
            assert entry["from"] in ("plugin", "probekit") and "message" in entry, line
            errors = [error.message for error in validator.iter_errors(entry["message"])]
            assert not errors, (line, errors)
            for name in ("hello", "request", "response", "accepted", "failure", "error", "cancel"):
                if name in entry["message"]: kinds.add(entry["from"] + "." + name)
    print(" ".join(sorted(kinds)))
    """#

  /// The command that records a plugin.
  private static func recording(_ plugin: TestPlugin) throws -> [String] {
    [
      try builtProgram("probekit"), "plugin", "record", "-o", plugin.folder.path(of: "log"), "--",
      "./plugin.py",
    ]
  }

  /// A validator, some of whose messages are cancelled.
  private func recordValidator(_ url: String) async throws -> TestPlugin {
    var plugin = try TestPlugin()
    plugin.program.program.arguments = try Self.recording(plugin)
    let host = ProcessHost(environment: ["PATH": "/usr/bin:/bin"])
    let response = ResponseMessage.json(
      of: ProbeResponse(
        url: try ProbeURL(url), head: HTTPResponseHead(status: 200, fields: ["Content-Type": "text/plain"]),
        body: [0, 200, 13], timings: ProbeTimings(), captures: ["a": "b\u{1F600}"]))
    let program = plugin.program
    @Sendable func query(_ action: String) async -> PluginResponse {
      let options = Array(#""options":{"do":"\#(action)","name":""},"response":"#.utf8)
      return await host.query(program, options + response, within: .seconds(100))
    }
    // Without the plugin, the rest would not end.
    try #require(await query("reject") == .rejected(ReasonCode(rawValue: "shop.closed"), "until Monday"))
    _ = await query("fail")
    let task = Task { await query("hold") }
    await plugin.sees("\"hold\"")
    task.cancel()
    _ = await task.value
    await plugin.sees("{\"cancel\":")
    _ = await query("accept")
    await host.end()
    return plugin
  }

  /// A transport in a pipeline that the command runs, with a validator.
  private func recordPipeline() async throws -> [TestPlugin] {
    let server = try LoopbackServer.http { _ in .response(body: "ok") }
    let (judge, fetch) = (try TestPlugin(), try TestPlugin(kind: .transport))
    func command(_ plugin: TestPlugin) throws -> String {
      "[\(try (Self.recording(plugin).dropLast() + [plugin.folder.path(of: "plugin.py")]).map { "\"\($0)\"" }.joined(separator: ", "))]"
    }
    let pipeline = try judge.folder.write(
      "pipeline.yaml",
      """
      version: 1
      name: recorded
      question: services
      policy: { https: optional }
      plugins:
        - { name: judge, command: \(try command(judge)) }
        - { name: fetch, kind: transport, command: \(try command(fetch)) }
      sets:
        - name: judged
          validate: { judge: { do: accept } }
          urls: ["\(server.url())"]
        - name: fetched
          urls: ["fetch://good.example", "fetch://bad.example"]
      """)
    let run = try Spawned("exec \"$0\" run --allow-commands --format json '\(pipeline)'")
    let end = try await run.end()
    #expect(end.code == 1, "\(end.output)\(end.errors)")
    return [judge, fetch]
  }

  @Test(
    .enabled(if: !Sanitizer.isPresent, "a sanitizer maps more memory than a plugin may have"))
  func everyLineConformsToTheSchema() async throws {
    let plugins = try await [recordValidator("https://shop.example/health")] + recordPipeline()
    let schema = projectFile("docs/library/plugin-messages.schema.json").path
    let judging = Program(
      ["/usr/bin/python3", "-c", Self.judge, schema] + plugins.map { $0.folder.path(of: "log") })
    let host = ProcessHost(environment: [:])
    let run = await host.run(judging, input: [], within: .seconds(100))
    let text = String(decoding: run.output, as: UTF8.self)
    if run.end == .exited(75) { try skipTest(String(text.dropLast())) }
    #expect(run.end == .exited(0), "\(text)\(String(decoding: run.errors, as: UTF8.self))")
    #expect(
      text.split(separator: "\n").last ?? "" == """
        plugin.accepted plugin.error plugin.failure plugin.hello plugin.response probekit.cancel probekit.request \
        probekit.response
        """)
  }
}
