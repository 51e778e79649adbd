import ConnectionValidators
import HTTPValidators
import PCRE2Validator
import ProbeCore
import SourceDocuments
import StringValidators
import TCPTransport
import TestSupport
import Testing

/// What types and readers say of the values that they read.
@Suite struct FormTests {
  /// Types that are hard to find out about.
  enum Hard {
    /// Its harmless value is refused after the first key.
    struct Refusing: Decodable {
      var url: String
      var more: Int

      enum Key: String, CodingKey { case url, more }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        url = try ProbeURL(container.decode(String.self, forKey: .url)).string
        more = try container.decode(Int.self, forKey: .more)
      }
    }

    /// A key that is a number or a text.
    struct Undecided: Decodable {
      enum Key: String, CodingKey { case value }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if (try? container.decode(Int.self, forKey: .value)) == nil {
          _ = try container.decode(String.self, forKey: .value)
        }
      }
    }

    /// Which key there must be depends on what is there.
    struct Depending: Decodable {
      enum Key: String, CodingKey { case kind, number, text }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if container.contains(.number) {
          _ = try container.decode(Int.self, forKey: .number)
        } else {
          _ = try container.decode(String.self, forKey: .text)
        }
        _ = try container.decode(Bool.self, forKey: .kind)
      }
    }

    /// Tries each item until it can be decoded.
    struct Stubborn: Decodable {
      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd { _ = try? list.decode(Bool.self) }
      }
    }

    /// A class that stands in itself, and another in that.
    final class Ring: Decodable {
      var next: Ring?
      var other: Other
    }
    struct Other: Decodable { var rings: [String: Ring] }

    /// A type without end.
    struct Endless<Value: Decodable>: Decodable {
      struct Box: Decodable {
        init(from decoder: any Decoder) throws { _ = try Endless<[Value]>(from: decoder) }
      }
      enum Key: CodingKey { case box }
      init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Key.self).decodeIfPresent(Box.self, forKey: .box)
      }
    }
  }

  private static func schema<Value: Decodable>(_ type: Value.Type, _ title: String) -> (String, String) {
    (title, JSONSchema(FieldReader<Value>.decoded().form, title: title).text)
  }

  /// The schemas of the options of all validators, and of the values that stand in requests.
  static let schemas: [String: String] = Dictionary(
    uniqueKeysWithValues: [
      schema(EqualsValidator.Options.self, "equals"), schema(ContainsValidator.Options.self, "contains"),
      schema(MatchesValidator.Options.self, "matches"), schema(StatusValidator.Options.self, "status"),
      schema(HeaderValidator.Options.self, "header"),
      schema(CertificateValidator.Options.self, "certificate"),
      schema(LatencyValidator.Options.self, "latency"), schema(Dialog.self, "dialog"),
      schema(SecretSource.self, "secret"), schema(DecodedTypes.Plain.self, "plain"),
      schema(DecodedTypes.Timed.self, "timed"), schema(DecodedTypes.Either.self, "either"),
      schema(DecodedTypes.Nested.self, "nested"), schema(DecodedTypes.Tree.self, "tree"),
      schema([String: [DecodedTypes.Tree]].self, "trees"), schema(DecodedTypes.OneOf.self, "one-of"),
      schema(DecodedTypes.Loose.self, "loose"),
    ])

  @Test func whatIsDecodedIsDescribed() throws {
    let text = Self.schemas.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n")
    #expect(try text == Snapshot("schemas", is: text, extension: "json").text)
  }

  @Test func hardTypes() throws {
    let text = [
      Self.schema(Hard.Refusing.self, "refusing"), Self.schema(Hard.Undecided.self, "undecided"),
      Self.schema(Hard.Depending.self, "depending"), Self.schema(Hard.Stubborn.self, "stubborn"),
      Self.schema(Hard.Ring.self, "ring"), Self.schema([Int: Bool].self, "numbered"),
      Self.schema(Set<UInt8>.self, "set"),
    ].map(\.1).joined(separator: "\n")
    #expect(try text == Snapshot("hard-schemas", is: text, extension: "json").text)
  }

  @Test func aTypeWithoutEndIsCutOff() {
    #expect(FieldReader<Hard.Endless<Int>>.decoded().form != .anything)
  }

  enum Switch: String, CaseIterable { case on, off }
  enum Version: String, CaseIterable { case one = "1.0", two = "1.1" }

  /// Every kind of reader, and a condition that stands in itself.
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
      _ = reader.optional("placed", FieldReader<Placed<Bool>>.placed(.boolean))
      _ = reader.optional("decoded", FieldReader<DecodedTypes.Either>.decoded())
      _ = reader.optional(
        "backoff",
        FieldReader<String>.anyOf(
          scalar: .text, mapping: .mapping { $0.required("initial", .text, example: "1s") }))
      _ = reader.entry("raw", summary: "looked at elsewhere")
      _ = reader.entry("condition", condition, isRequired: true)
      _ = reader.optional("when", condition)
      _ = reader.optional("as", FieldReader<String>.text.described(as: .choice(["a/b~c"])))
      return reader.isDescribing ? nil : 1
    }
  }

  private static var condition: FieldReader<Bool> {
    .named("condition") {
      .mapping { reader in
        _ = reader.optional("all", .list(of: FormTests.condition))
        _ = reader.optional("not", FormTests.condition)
        _ = reader.optional("reason", .text)
        return true
      }
    }
  }

  @Test func readersAreDescribed() throws {
    let text = JSONSchema(Self.reader.form, title: "everything", id: "https://example.org/schema").text
    #expect(try text == Snapshot("reader-schema", is: text, extension: "json").text)
    #expect(text == JSONSchema(Self.reader.form, title: "everything", id: "https://example.org/schema").text)
  }

  @Test func aReaderByTheShapeOfItsValue() {
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
