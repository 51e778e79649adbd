import BundledPlugins
import ProbeCore
import SourceDocuments
import TestSupport
import Testing
import TestTransports

@testable import ProbePipeline

/// The key `plugins` of pipeline files, and the options of plugins.
struct PluginFileTests {
  private static let schema = """
    {
      "type": "object",
      "properties": {
        "field": { "type": "string", "pattern": "^[a-z]+$", "default": "status" },
        "least": { "type": "integer", "minimum": 1, "maximum": 10 },
        "ratio": { "type": "number" },
        "mode": { "enum": ["strict", "lenient", 3] },
        "fixed": { "const": true },
        "names": { "type": "array", "items": { "type": ["string", "null"] } },
        "map": { "type": "object", "additionalProperties": { "type": "boolean" } }
      },
      "required": ["least"],
      "additionalProperties": false
    }
    """

  private static func file(options: String, plugins: String = "schema: health.schema.json") -> String {
    """
    version: 1
    name: a
    plugins: [{ name: health, command: [./health.py], \(plugins) }]
    sets:
      - name: s
        validate: { health: \(options) }
        urls: [https://a.example/]
    """
  }

  /// The findings, each as `line:column: text`, without the lines of carets.
  private static func findings(
    _ file: String, schema: String = schema, named name: String = "a.yaml"
  ) throws -> [String] {
    let folder = try TemporaryFolder(["health.schema.json": schema, name: file])
    let loaded = PipelineLoader(try .bundled).load(path: folder.path(of: name), bytes: Array(file.utf8))
    return loaded.findings().map { finding in
      let location = finding.location.map { "\($0.line):\($0.column): " } ?? ""
      let isOther = finding.path.hasSuffix("schema.json")
      return "\(isOther ? "schema " : "")\(location)\(InvalidInput(finding.message, remedy: finding.remedy))"
    }
  }

  /// The options that a plugin receives.
  private static func options(_ options: String, schema: String = schema) async throws -> String? {
    let text = file(options: options)
    let folder = try TemporaryFolder(["health.schema.json": schema, "a.yaml": text])
    let host = FakeHost { _ in .accepted([:]) }
    let plan = try PipelineLoader(try .bundled).load(path: folder.path(of: "a.yaml"), bytes: Array(text.utf8))
      .plan(
        in: .withoutSecrets.allowingPrograms(host))
    let transport = FakeTransport { ProbeResponse(url: $0.url, head: HTTPResponseHead(status: 200)) }
    _ = await PipelineRunner(try transport.registry).run(plan)
    return host.messages.first?.components(between: "\"options\":", and: ",\"response\"")
  }

  @Test(arguments: [
    ("{ least: 3 }", #"{"least":3,"field":"status"}"#),
    (#"{ "least": 3, "field": "abc", mode: lenient }"#, #"{"least":3,"field":"abc","mode":"lenient"}"#),
    ("{ least: 3, field: yes, mode: 3 }", #"{"least":3,"field":"yes","mode":3}"#),
    ("{ least: 3, fixed: true, ratio: 1e-2 }", #"{"least":3,"fixed":true,"ratio":1e-2,"field":"status"}"#),
    // No number loses its digits.
    (
      "{ least: 3, ratio: 18446744073709551617 }",
      #"{"least":3,"ratio":18446744073709551617,"field":"status"}"#
    ), ("{ least: 3, ratio: -1e400 }", #"{"least":3,"ratio":-1e400,"field":"status"}"#),
    ("{ least: 3, names: [a, ~, \"null\"] }", #"{"least":3,"names":["a",null,"null"],"field":"status"}"#),
    (
      "{ least: 3, map: { x: true, \"y z\": false } }",
      #"{"least":3,"map":{"x":true,"y z":false},"field":"status"}"#
    ),
  ])
  func optionsHaveTheirSchemaTypes(options: String, json: String) async throws {
    #expect(try await Self.options(options) == json)
  }

  @Test(arguments: [
    ("{ }", ["6:25: health has no least: the schema of the plugin requires it"]),
    ("{ least: 0 }", ["6:34: least cannot be below 1"]),
    ("{ least: 11 }", ["6:34: least cannot be above 10"]),
    ("{ least: 1e400 }", ["6:34: least cannot be above 10"]),
    (
      "{ least: 2.0000000000000000001 }",
      ["6:34: least must be a whole number, not \"2.0000000000000000001\""]
    ), ("{ least: 1.5 }", ["6:34: least must be a whole number, not \"1.5\""]),
    ("{ least: \"3\" }", ["6:34: least must be a whole number, not \"3\" in quotes"]),
    ("{ least: 010 }", ["6:34: least must be a whole number, not \"010\""]),
    (
      "{ least: 3, feld: x, mode: strickt, fixed: false }",
      [
        "6:37: health has an unknown key \"feld\": did you mean field?",
        "6:52: mode cannot be \"strickt\": did you mean strict?", "6:68: fixed cannot be \"false\": use true",
      ]
    ), ("{ least: 3, field: ABC }", [#"6:44: field cannot be "ABC": use one that matches "^[a-z]+$""#]),
    ("{ least: 3, names: x }", ["6:44: names must be a list, not \"x\""]),
    ("{ least: 3, map: { x: 1 } }", ["6:47: x must be true or false, not \"1\""]),
    ("[]", ["6:25: health must be a mapping, not a list"]),
    ("", ["6:26: health has no value: give it one, or omit the key"]),
  ])
  func everyErrorHasItsLocation(options: String, expected: [String]) throws {
    #expect(try Self.findings(Self.file(options: options)) == expected)
  }

  @Test(arguments: [
    (#"{ "minLength": 3 }"#, "unknown key \"minLength\""), (##"{ "$ref": "#/x" }"##, "unknown key \"$ref\""),
    (#"{ "oneOf": [] }"#, "unknown key \"oneOf\""), (#"{ "type": "text" }"#, "there is no type \"text\""),
    (#"{ "type": "strnig" }"#, "did you mean string?"),
    (#"{ "pattern": "(" }"#, "the pattern \"(\" is not valid"),
    (#"{ "minimum": "1" }"#, "minimum must be a number"),
    (#"{ "minimum": 3, "maximum": 2 }"#, "minimum is above maximum"),
    (#"{ "properties": { "a": { "typ": "string" } } }"#, "did you mean type?"),
    (
      #"{ "properties": { "a": true }, "required": ["b"], "additionalProperties": false }"#,
      "properties does not have"
    ),
    ("{", ""), ("[]", "the schema must be a mapping"),
  ])
  func unsupportedSchemasAreReported(schema: String, words: String) throws {
    let findings = try Self.findings(Self.file(options: "{}"), schema: schema)
    #expect(findings.contains { $0.hasPrefix("schema ") && $0.contains(words) }, "\(findings)")
  }

  @Test func aSchemaOutsideTheFolderIsRefused() throws {
    let findings = try Self.findings(Self.file(options: "{}", plugins: "schema: ../other.json"))
    #expect(findings.count == 1 && findings[0].contains("other.json"))
  }

  @Test(arguments: [
    ("name: contains, command: [x]", "there is a validator contains already"),
    ("name: all, command: [x]", "all is a word of pipeline files"),
    ("name: a-b, command: [x]", "cannot name a plugin"),
    ("name: a, command: []", "empty list"), ("name: a, command: [\"\"]", "does not name a program"),
    ("name: a, command: [x], kind: parser", "kind cannot be \"parser\""),
    ("name: a", "a plugin has no command"),
    ("name: a, command: [x], schemes: { b: plaintext }", "schemes is for transports"),
    ("name: a, command: [x], options: {}", "options is for transports"),
    ("name: https, command: [x], kind: transport", "there is a transport for https already"),
    ("name: a, command: [x], kind: transport, schemes: { \"a b\": plaintext }", "cannot name a scheme"),
    ("name: a, command: [x], timeout: 0s", "0s"), ("name: a, command: [x], memory: 1B", "out of bounds"),
    ("name: a, command: [x], environment: [\"A=B\"]", "is not the name of an environment variable"),
  ])
  func unsupportedPluginsAreReported(plugin: String, words: String) throws {
    let findings = try Self.findings(
      """
      version: 1
      name: a
      plugins: [{ \(plugin) }]
      sets: [{ name: s, urls: [https://a.example/] }]
      """)
    #expect(findings.contains { $0.contains(words) }, "\(findings)")
  }

  @Test func onlyUsedProgramsNeedPermission() throws {
    let plugins = try PluginRegistry.bundled
    let used = Self.file(options: "{}", plugins: "kind: validator")
    let error = #expect(throws: UnusablePipeline.self) {
      try PipelineLoader(plugins).load(path: "a.yaml", bytes: Array(used.utf8)).plan(in: .withoutSecrets)
    }
    #expect(error?.findings.map(\.message) == ["this starts a program, which needs permission"])
    #expect(error?.findings.first?.location?.line == 6)
    let unused = used.replacing("{ health: {} }", with: "{ status: 200 }")
    #expect(throws: Never.self) {
      try PipelineLoader(plugins).load(path: "a.yaml", bytes: Array(unused.utf8)).plan(in: .withoutSecrets)
    }
    let transport =
      "version: 1\nname: a\npolicy: { https: optional }\nplugins: [{ name: redis, command: [x], kind: transport }]\n"
      + "sets: [{ name: s, urls: [redis://a.example/] }]"
    let other = #expect(throws: UnusablePipeline.self) {
      try PipelineLoader(plugins).load(path: "a.yaml", bytes: Array(transport.utf8)).plan(in: .withoutSecrets)
    }
    #expect(other?.findings.map(\.message) == ["this starts a program, which needs permission"])
    // Neither lint nor the schema needs it.
    #expect(PipelineLoader(plugins).load(path: "a.yaml", bytes: Array(transport.utf8)).findings().isEmpty)
  }

  @Test func aTransportIsPlaintextByDefault() throws {
    func findings(_ schemes: String) throws -> [String] {
      try Self.findings(
        "version: 1\nname: a\nplugins: [{ name: redis, command: [x], kind: transport\(schemes) }]\n"
          + "sets: [{ name: s, urls: [redis://a.example/] }]")
    }
    #expect(try findings("").contains { $0.contains("redis is not encrypted") })
    #expect(try findings(", schemes: { redis: encrypted }").isEmpty)
  }

  @Test func theEditorSchemaIncludesPluginOptions() throws {
    let text = Self.file(options: "{}")
    let folder = try TemporaryFolder(["health.schema.json": Self.schema, "a.yaml": text])
    let schema = try PipelineSchema(.bundled, declaredIn: folder.path(of: "a.yaml"), bytes: Array(text.utf8))
      .text
    #expect(schema.contains(#""health": {"#) && schema.contains(#""pattern":"^[a-z]+$""#))
    #expect(try !PipelineSchema(.bundled).text.contains(#""health": {"#))
  }
}

extension String {
  fileprivate func components(between start: String, and end: String) -> String? {
    guard let first = firstRange(of: start) else { return nil }
    guard let last = self[first.upperBound...].firstRange(of: end) else { return nil }
    return String(self[first.upperBound..<last.lowerBound])
  }
}
