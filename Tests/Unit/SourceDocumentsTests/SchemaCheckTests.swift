import ProbeCore
import SourceDocuments
import Testing

/// The messages for values that do not match their schema.
@Suite struct SchemaCheckTests {
  /// Accepts any value.
  private struct Anything: Decodable {
    init(from decoder: any Decoder) {}
  }

  /// Has its own message for an empty value.
  private struct Particular: Decodable {
    init(from decoder: any Decoder) throws { throw InvalidInput("there is nothing in it").at("list") }
  }

  /// The errors in a value, each with its column.
  private func mistakes<Value: Decodable>(
    _ schema: ValueSchema, _ text: String, of type: Value.Type = Anything.self
  ) -> [String] {
    let findings = SourceFindings(SourceFile(path: "f.yaml", bytes: Array(text.utf8)))
    _ = SourceDocument.read(findings).flatMap {
      SourceDecoding.value(of: $0, as: schema, field: "it", findings) { (value: Value) in value }
    }
    return findings.all.map { "\($0.location?.column ?? 0) \(InvalidInput($0.message, remedy: $0.remedy))" }
  }

  /// Mappings that are distinguished by their keys.
  private static let shapes = ValueSchema.anyOf([
    .text,
    .mapping([.key("radius", .number, required: true), .key("colour", .text)]),
    .mapping([
      .key("width", .number, required: true), .key("height", .number, required: true), .key("colour", .text),
    ]),
  ])

  @Test(arguments: [
    ("round", []), ("{ radius: 1, colour: red }", []), ("{ width: 1, height: 2 }", []),
    ("{ width: 1 }", [#"1 it has no height: add a line such as height: 1.5"#]),
    ("{ radius: 1, heigt: 2 }", [#"14 it has an unknown key "heigt": use radius or colour"#]),
    ("{ colour: red }", ["1 it has no radius, width or height: add a line such as radius: 1.5"]),
    ("{ radius: 1, width: 1 }", ["1 it has keys that cannot be combined: omit width"]),
    ("{ radiu: 1 }", [#"3 it has an unknown key "radiu": did you mean radius?"#]),
    ("{}", ["1 it has no radius, width or height: add a line such as radius: 1.5"]),
    ("[]", ["1 it must be a text or a mapping, not a list"]),
  ])
  func keysDetermineTheMapping(text: String, expected: [String]) {
    #expect(mistakes(Self.shapes, text) == expected)
  }

  @Test(arguments: [
    (
      ValueSchema.oneOrMore(of: .integer()), "[]",
      ["1 the list is empty: omit the key, or add an item"]
    ),
    (.list(of: .integer(), atLeast: 3), "[1, 2]", ["1 the list has 2 items: give it at least 3"]),
    (
      .list(of: .integer(in: 1...3)), "[0, a, 3]",
      [
        #"2 it cannot be "0": use one from 1 to 3"#, #"5 it must be a whole number, not "a""#,
      ]
    ),
    (
      .anyOf([.list(of: .integer()), .list(of: .boolean)]), "[1, true, x]",
      [
        #"11 it must be a whole number or true or false, not "x""#
      ]
    ),
    (
      .mapping([], others: .duration), "{ a: 5, b: 5s, c: }",
      [
        #"6 the time "5" has no unit: use ms, s, m, h or d, as in 5s"#,
        "19 c has no value: give it one, or omit the key",
      ]
    ),
    (
      .mapping([.key("size", .byteCount), .key("name", .text(canBeEmpty: false))]), "{ size: 1x, name: '' }",
      [
        #"9 the size "1x" has an unknown unit: use B, kB, MB, GB, KiB, MiB or GiB"#, "19 name is empty",
      ]
    ),
    (.mapping([.key("a", .anything), .key("b", .text)]), "{ a: { c: [] }, b: }", []),
  ])
  func everyErrorIsReportedAtItsLocation(schema: ValueSchema, text: String, expected: [String]) {
    #expect(mistakes(schema, text) == expected)
  }

  @Test func namedReferencesAreResolvedAndTerminate() {
    #expect(mistakes(DecodedTypes.Tree.schema, "{ label: a, children: [{ label: [] }] }").count == 1)
    #expect(mistakes(.named("a", .reference("a")), "[x]").isEmpty)
    #expect(mistakes(.named("a", .anyOf([.boolean, .reference("a")])), "[x]").isEmpty)
    #expect(mistakes(.list(of: .reference("nowhere")), "[x]").isEmpty)
  }

  @Test func aTypesOwnMessageHasPrecedence() {
    let schema = ValueSchema.mapping([.key("list", .oneOrMore(of: .text)), .key("other", .text)])
    #expect(mistakes(schema, "{ list: [] }", of: Particular.self) == ["9 there is nothing in it"])
    // For a value that cannot be decoded, the type reports nothing.
    #expect(mistakes(schema, "{ list: [], other: [] }", of: Particular.self).count == 2)
  }

  @Test func checksWhenDecodedAreLeftToTheType() {
    let schema = ValueSchema.mapping([.key("list", .checkedWhenDecoded(.list(of: .boolean, atLeast: 1)))])
    #expect(mistakes(schema, "{ list: [] }").isEmpty)
    #expect(mistakes(schema, "{ list: [1] }").isEmpty)
    #expect(mistakes(schema, "{ list: {} }").map { $0.prefix(12) } == ["9 list must "])
    // Its JSON Schema expresses the expectation nevertheless.
    #expect(JSONSchema(schema, title: "x").text.contains("minItems"))
  }
}
