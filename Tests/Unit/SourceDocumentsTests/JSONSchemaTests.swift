import Foundation
import SourceDocuments
import TestRequirements
import TestSupport
import Testing

/// The schemas, checked with an independent implementation of JSON Schema.
@Suite struct JSONSchemaTests {
  /// For each schema, files that it must accept, and files that it must reject.
  static let files: [(schema: String, good: [String], bad: [String])] = [
    (
      "equals", ["x", "no", "204", "{ text: x, trim: false }"],
      ["[x]", "{ trim: true }", "{ text: x, trmi: true }"]
    ),
    ("contains", ["x", "{ text: x, caseless: true }"], ["{ text: [] }", "{ text: x, caseless: maybe }"]),
    (
      "matches", ["x+", "{ pattern: x, options: [caseless, dotall] }"],
      ["{ pattern: x, options: [caselss] }", "{ pattern: x, options: caseless }", "{}"]
    ),
    ("status", ["204", "2xx", "200-299", "[200, 3XX]"], ["2x", "99", "[[]]", "{}", "true"]),
    (
      "header", ["Server", "{ name: Server, matches: x }", "{ name: a, matches: { pattern: x } }"],
      ["{ matches: x }", "{ name: a, matches: { patern: x } }", "[]"]
    ),
    ("certificate", ["14d", "{ expiresAfter: 14 d }"], ["14", "{ expires: 14d }", "soon"]),
    (
      "latency", ["800ms", "{ below: 1.5s, phase: tls }"],
      ["800", "{ below: 1s, phase: dns }", "{ phase: tls }"]
    ),
    (
      "dialog",
      [
        "[{ send: x }, { expect: '220 ' }]",
        "[{ expect: { matches: { pattern: x }, timeout: 2s, maxBytes: 4096 } }]",
        "[{ sendHex: 16 03 01 }, { reject: { hex: 'ff' } }, { expect: x }]",
      ],
      [
        "[]", "[{ sned: x }]", "[{ send: x, expect: y }]", "[{ reject: { text: x, timeout: 1s } }]",
        "{ send: x }",
      ]
    ),
    ("secret", ["x", "{ env: A }", "{ file: a/b }"], ["{ env: A, file: b }", "{ evn: A }", "[]", "{}"]),
    (
      "plain", ["{ name: no, count: 1, colour: red, inner: { deep: x }, names: { a: 1 } }"],
      [
        "{ name: x }", "{ name: x, count: a }", "{ name: x, count: 1, colour: blue }",
        "{ name: x, count: 1, tiny: 256 }",
      ]
    ),
    ("either", ["1", "{ low: 1, high: 2 }"], ["x", "{ low: 1 }"]),
    ("tree", ["{ label: a, children: [{ label: b, children: [] }] }"], ["{ label: a, children: [{}] }"]),
    (
      "trees", ["{ a: [{ label: b, children: [{ label: c }] }] }"],
      ["{ a: [{ label: b, children: [{ labl: c }] }] }"]
    ),
    (
      "everything",
      [
        "{ text: x, condition: { all: [{ not: { reason: x } }] }, switch: off, version: 1.1, as: a/b~c, backoff: 1s }"
      ],
      [
        "{ text: x }", "{ text: x, condition: { all: [{ not: { raeson: x } }] } }",
        "{ text: x, condition: {}, some: [] }",
        "{ text: x, condition: {}, number: 11 }", "{ text: x, condition: {}, backoff: {} }",
        "{ text: x, condition: {}, full: '' }", "{ text: x, condition: {}, time: 5 }",
      ]
    ),
  ]

  private static let program = """
    import json, sys, yaml
    from jsonschema import Draft202012Validator
    wrong = []
    for case in json.load(open(sys.argv[1])):
        schema = json.loads(case["schema"])
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        for text in case["good"]:
            wrong += [f"{case['name']}: {text}: {error.message}" for error in validator.iter_errors(yaml.safe_load(text))]
        for text in case["bad"]:
            if validator.is_valid(yaml.safe_load(text)): wrong.append(f"{case['name']}: {text}: taken")
    open(sys.argv[2], "w").write("".join(line + "\\n" for line in wrong))
    """

  /// The system's Python, which has Debian's packages.
  private static let python = "/usr/bin/python3"

  private static let isInstalled =
    (try? runProgram(python, ["-c", "import jsonschema, yaml"])) == 0

  @Test(.heavy, .enabled(if: isInstalled, "python3-jsonschema and python3-yaml are not installed"))
  func anotherImplementationAgrees() throws {
    var schemas = SchemaTests.schemas
    schemas["everything"] = JSONSchema(SchemaTests.reader.schema, title: "everything").text
    let cases: [[String: Any]] = try Self.files.map { file in
      ["name": file.schema, "schema": try #require(schemas[file.schema]), "good": file.good, "bad": file.bad]
    }
    let input = try #require(
      String(bytes: JSONSerialization.data(withJSONObject: cases), encoding: .utf8))
    let folder = try TemporaryFolder(["cases.json": input, "check.py": Self.program])
    let code = try runProgram(
      Self.python, ["check.py", "cases.json", "wrong.txt"].map { "\(folder.path)/\($0)" })
    #expect(code == 0)
    #expect(readText("\(folder.path)/wrong.txt") == "")
  }
}
