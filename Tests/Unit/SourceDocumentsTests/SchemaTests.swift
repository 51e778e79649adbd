import Validators
import ProbeCore
import SourceDocuments
import Transports
import TestSupport
import Testing

/// The schemas of types and readers.
@Suite struct SchemaTests {
  private static func schema<Value: Decodable>(_ type: Value.Type, _ title: String) -> (String, String) {
    (title, JSONSchema(ValueSchema(of: type), title: title).text)
  }

  /// The schemas of the options of all validators, and of the values in requests.
  static let schemas: [String: String] = Dictionary(
    uniqueKeysWithValues: [
      schema(EqualsValidator.Options.self, "equals"), schema(ContainsValidator.Options.self, "contains"),
      schema(MatchesValidator.Options.self, "matches"), schema(StatusValidator.Options.self, "status"),
      schema(HeaderValidator.Options.self, "header"),
      schema(CertificateValidator.Options.self, "certificate"),
      schema(LatencyValidator.Options.self, "latency"), schema(Dialog.self, "dialog"),
      schema(SecretSource.self, "secret"), schema(DecodedTypes.Plain.self, "plain"),
      schema(DecodedTypes.Timed.self, "timed"), schema(DecodedTypes.Either.self, "either"),
      schema(DecodedTypes.Tree.self, "tree"), schema([String: [DecodedTypes.Tree]].self, "trees"),
    ])

  @Test func typesDeclareTheirSchemas() throws {
    let text = Self.schemas.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n")
    #expect(try text == Snapshot("schemas", is: text, extension: "json").text)
  }

  @Test func aTypeWithoutASchemaAcceptsAnything() {
    #expect(ValueSchema(of: DecodedTypes.Undeclared.self) == .anything)
    #expect(ValueSchema(of: [DecodedTypes.Undeclared].self) == .anything)
  }

  enum Switch: String, CaseIterable { case on, off }
  enum Version: String, CaseIterable { case one = "1.0", two = "1.1" }

  /// Every kind of reader, and a recursive condition.
  static var reader: FieldReader<Int> {
    .mapping { reader in
      _ = reader.required("text", .text, example: "x", summary: "any text")
      _ = reader.optional("line", .line)
      _ = reader.optional("full", .nonEmptyText)
      _ = reader.optional("number", .integer(in: 1...10))
      _ = reader.optional("size", .byteCount(in: 1...100))
      _ = reader.optional("time", .duration(in: .zero ... .seconds(1)))
      _ = reader.optional("isOn", .boolean)
      _ = reader.optional("switch", FieldReader<Switch>.choice)
      _ = reader.optional("version", FieldReader<Version>.choice)
      _ = reader.optional("list", .list(of: .text))
      _ = reader.optional("some", .oneOrMore(of: .integer(in: 0 ... .max)))
      _ = reader.optional("table", .dictionary(of: .boolean))
      _ = reader.optional("placed", FieldReader<Located<Bool>>.located(.boolean))
      _ = reader.optional("decoded", FieldReader.decoded { (value: DecodedTypes.Either) in value })
      _ = reader.optional(
        "backoff",
        FieldReader<String>.anyOf(
          scalar: .text, mapping: .mapping { $0.required("initial", .text, example: "1s") }))
      _ = reader.entry("raw", summary: "looked at elsewhere")
      _ = reader.entry("condition", condition, isRequired: true)
      _ = reader.optional("when", condition)
      _ = reader.optional("as", FieldReader<String>.text.withSchema(.choice(["a/b~c"])))
      return reader.isAskedForSchema ? nil : 1
    }
  }

  private static var condition: FieldReader<Bool> {
    .named("condition") {
      .mapping { reader in
        _ = reader.optional("all", .list(of: SchemaTests.condition))
        _ = reader.optional("not", SchemaTests.condition)
        _ = reader.optional("reason", .text)
        return true
      }
    }
  }

  @Test func readersDescribeTheirSchema() throws {
    let text = JSONSchema(Self.reader.schema, title: "everything", id: "https://example.org/schema").text
    #expect(try text == Snapshot("reader-schema", is: text, extension: "json").text)
    #expect(
      text == JSONSchema(Self.reader.schema, title: "everything", id: "https://example.org/schema").text)
  }

  @Test func aReaderIsChosenByTheShapeOfTheValue() {
    func read(_ text: String) -> (String?, [String]) {
      let findings = SourceFindings(SourceFile(path: "f.yaml", bytes: Array(text.utf8)))
      let reader = FieldReader<String>.anyOf(
        scalar: .text, mapping: .mapping { $0.required("initial", .text, example: "1s") })
      let value = SourceDocument.read(findings).flatMap { reader.value(of: $0, field: "backoff", findings) }
      return (value, findings.all.map(\.message))
    }
    #expect(read("1s") == ("1s", []))
    #expect(read("initial: 2s") == ("2s", []))
    #expect(read("{}").1 == ["backoff has no initial"])
    #expect(read("[]").1 == ["backoff must be a text or a mapping, not a list"])
  }
}
