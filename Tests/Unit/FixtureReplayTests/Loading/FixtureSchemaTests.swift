import FixtureReplay
import Foundation
import SourceDocuments
import TestSupport
import Testing

/// The schema of fixtures beside the loader, as an independent checker (python3-jsonschema) reads it.
@Suite struct FixtureSchemaTests {
  private static let head = "version: 1\nname: x\nsource: { kind: synthetic, reference: y }\n"

  /// Errors that a schema cannot express; it must reject all others.
  static let onlyTheLoaderKnows: Set<String> = [
    // The existence and content of files.
    "02 missing", "03 lengths", "11 respond and its body", "13 faults that cannot befall",
    "14 an end that nobody sees", "36 digest",
    // Relations between routes and states.
    "04 names", "05 a name by default", "06 states without an initial one", "07 never matches",
    "07b never received", "08 fits no listener", "09 answers", "34 listeners that are not open", "35 states",
    "16b fields that never match", "38c states of sessions", "38d sessions without states",
    "38e limits without states", "39 templates",
  ]

  @Test func everyProjectFixtureIsAccepted() async throws {
    let fixtures = projectFile("fixtures").path
    let paths = FixtureLoader().contents(of: fixtures).fixtures
    #expect(paths.count > 100)
    for (path, words) in zip(paths, try await Self.check(paths)) {
      #expect(words == "accepted fixture.yaml", "\(path): \(words)")
    }
  }

  @Test func filesThatTheLoaderAcceptsAreAccepted() async throws {
    let small = [
      "routes: []\nvendor: 5\ndns: { a: 192.0.2.1, \"*\": \"::1\", b: timeout, \"::1\": \"2001:db8::192.0.2.1\" }",
      "routes: []\ntls: { \"*\": tls1.0, a.example: no-close-notify }\nlisteners: { tcp: rst }",
      "routes: []\nsha256: { }\nexpect: { verdict: online, loginURL: http://192.0.2.1:3990/?a=b }",
      "routes: [{ when: { port: \"8*\", host: 1, method: \"*\", path: \"*\", headers: { a: 1 } }, end: fin }]",
      "routes: [{ when: { port: 8080, path: \"/a?b=%20\" }, respond: { version: 1.0, reason: \"\" }, goto: 1 }]",
      "initial: 1\nroutes: [{ id: no, when: { state: 1 }, fault: { kind: delay, for: 1.5s, requests: 1 }, end: rst }]",
    ]
    let texts = small.map { Self.head + $0 + "\n" } + LintTests.good.map { "\(Self.head)routes:\n\($0)\n" }
    for text in small.map({ Self.head + $0 + "\n" }) {
      let problems = LoadedFixture(memory: text).findings.filter { !$0.message.contains("state") }
      #expect(problems.map(\.description) == [])
    }
    for (text, words) in zip(texts, try await Self.check(texts: texts)) {
      #expect(words.hasPrefix("accepted"), "\(text): \(words)")
    }
  }

  @Test func filesThatLintRejectsAreRejectedUnlessOnlyTheLoaderKnows() async throws {
    var texts = LintTests.fixtures
    for (name, routes) in LintTests.routes { texts[name] = "\(Self.head)routes:\n\(routes)\n" }
    let cases = texts.sorted { $0.key < $1.key }
    for (name, words) in zip(cases.map(\.key), try await Self.check(texts: cases.map(\.value))) {
      let isAccepted = Self.onlyTheLoaderKnows.contains(name)
      #expect(words.hasPrefix("accepted") == isAccepted, "\(name): \(words)")
    }
    #expect(Self.onlyTheLoaderKnows.isSubset(of: texts.keys))
  }

  /// Errors, each in a fixture that is otherwise correct.
  static let wrong: [String] = [
    "routes: {}", "routes: [x]", "routs: []", "routes: []\nnmae: y", "routes: []\nvendor: [x]",
    "routes: []\nvendor: \"a\\nb\"", "routes: []\ninitial: \"\"", "routes: []\nlisteners: { http: closed }",
    "routes: []\nlisteners: { htps: open }", "routes: []\nexpect: {}", "routes: []\nexpect: { verdict: [] }",
    "routes: []\nexpect: { verdict: onlin }", "routes: []\nexpect: { verdict: online, loginURL: /login }",
    "routes: []\nexpect: { verdict: online, loginUrl: http://a/ }", "routes: []\ntls: { a: expird }",
    "routes: []\ntls: valid", "routes: []\ndns: { a: nxdoman }", "routes: []\ndns: { a: 1.2.3.4.5 }",
    "routes: []\ndns: { a: 5 }", "routes: []\nsha256: { page.html: abc }", "routes: []\nsha256: [x]",
    "routes: [{ end: close }]", "routes: [{ ned: fin }]", "routes: [{ id: \"\" }]",
    "routes: [{ send: \"\" }]",
    "routes: [{ respond: { staus: 200 } }]", "routes: [{ respond: { status: 99 } }]",
    "routes: [{ respond: { status: \"200\" } }]", "routes: [{ respond: { reason: \"a\\r\\nb\" } }]",
    "routes: [{ respond: { version: two } }]", "routes: [{ respond: { headers: \"A: b\" } }]",
    "routes: [{ respond: { headers: [x] } }]", "routes: [{ respond: { headers: [\"a b: c\"] } }]",
    "routes: [{ respond: { headers: [{ Location: x }] } }]",
    "routes: [{ respond: { headers: [\"A: b\\nC: d\"] } }]", "routes: [{ respond: { body: [x] } }]",
    "routes: [{ when: { hots: a } }]", "routes: [{ when: { host: http://a/ } }]",
    "routes: [{ when: { port: 0 } }]",
    "routes: [{ when: { port: 65536 } }]", "routes: [{ when: { port: 8x } }]",
    "routes: [{ when: { path: x } }]",
    "routes: [{ when: { path: \"/a b\" } }]", "routes: [{ when: { path: \"/#x\" } }]",
    "routes: [{ when: { path: 5 } }]", "routes: [{ when: { method: \"a b\" } }]",
    "routes: [{ when: { listener: htp } }]", "routes: [{ when: { headers: [a] } }]",
    "routes: [{ when: { headers: { a: [b] } } }]", "routes: [{ when: { receive: \"\" } }]",
    "routes: [{ fault: rst-early }]", "routes: [{ fault: {} }]", "routes: [{ fault: { kind: dely } }]",
    "routes: [{ fault: { kind: delay, for: 5 } }]", "routes: [{ fault: { kind: rst-after, bytes: 0 } }]",
    "routes: [{ fault: { kind: rst-early, requests: [] } }]",
    "routes: [{ fault: { kind: rst-early, requests: [0] } }]",
    "routes: [{ fault: { kind: rst-early, request: 1 } }]",
  ]

  @Test func eachErrorIsRejected() async throws {
    let texts =
      Self.wrong.map { Self.head + $0 + "\n" }
      + [
        "name: x\nsource: { kind: synthetic, reference: y }\nroutes: []\n",
        "version: 1\nsource: { kind: synthetic, reference: y }\nroutes: []\n",
        "version: 1\nname: x\nroutes: []\n", Self.head, "[]\n", "x\n",
        "version: 2\nname: x\nsource: { kind: synthetic, reference: y }\nroutes: []\n",
        "version: 1\nname: x\nsource: { kind: captred, reference: y }\nroutes: []\n",
        "version: 1\nname: x\nsource: { kind: captured }\nroutes: []\n",
        "version: 1\nname: x\nsource: { kind: captured, reference: y, date: yesterday }\nroutes: []\n",
      ]
    for (text, words) in zip(texts, try await Self.check(texts: texts)) {
      #expect(!LoadedFixture(memory: text).findings.isEmpty, "\(text)")
      #expect(words.hasPrefix("refused"), "\(text): \(words)")
    }
  }

  @Test func theSchemaMatchesItsSnapshot() throws {
    #expect(
      try FixtureSchema.text == Snapshot("fixture-schema", is: FixtureSchema.text, extension: "json").text)
  }
}

extension FixtureSchemaTests {
  /// The checker's output for texts, a line each.
  private static func check(texts: [String]) async throws -> [String] {
    let names = texts.indices.map { "\($0).yaml" }
    let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: zip(names, texts)))
    return try await check(names.map { "\(folder.path)/\($0)" })
  }

  /// The checker's output, a line for each file.
  private static func check(_ paths: [String]) async throws -> [String] {
    let folder = try TemporaryFolder(["schema.json": FixtureSchema.text])
    let script = projectFile("Tests/Unit/ProbePipelineTests/Files/check-schema.py").path
    let command =
      "/usr/bin/python3 -B \(script) \(folder.path)/schema.json \"$@\" >\(folder.path)/out 2>\(folder.path)/err"
    let status = try await onAThread { try runProgram("sh", ["-c", command, "sh"] + paths) }
    #expect(status == 0, "\(readText("\(folder.path)/err"))")
    let lines = readText("\(folder.path)/out").split(separator: "\n").map(String.init)
    try #require(lines.count == paths.count)
    return lines
  }
}
