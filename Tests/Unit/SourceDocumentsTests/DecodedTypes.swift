import ProbeCore
import SourceDocuments

/// Types as plugin authors write them, and more difficult ones.
enum DecodedTypes {
  /// All features of synthesized code.
  struct Plain: Codable, Equatable, SchemaProviding {
    static let schema = ValueSchema.mapping([
      .key("name", .text, required: true), .key("count", .integer(), required: true), .key("ratio", .number),
      .key("isOn", .boolean), .key("tiny", .integer(in: 0...255)), .key("colour", Colour.schema),
      .key("inner", Inner.schema), .key("tags", .list(of: .text)), .key("names", [String: Int].schema),
      .key("inners", [Inner].schema),
    ])

    enum Colour: String, Codable, CaseIterable, SchemaProviding { case red, green, darkBlue = "dark-blue" }
    struct Inner: Codable, Equatable, SchemaProviding {
      static let schema = ValueSchema.mapping([
        .key("deep", .text, required: true), .key("number", .integer()),
      ])

      var deep: String
      var number: Int?
    }
    var name: String
    var count: Int
    var ratio: Double?
    var isOn: Bool?
    var tiny: UInt8?
    var colour: Colour?
    var inner: Inner?
    var tags: [String]?
    var names: [String: Int]?
    var inners: [Inner]?
  }

  /// The same without a schema.
  struct Undeclared: Codable, Equatable {
    enum Colour: String, Codable, CaseIterable { case red, green }
    struct Inner: Codable, Equatable { var deep: String }
    var name: String
    var count: Int
    var colour: Colour?
    var inner: Inner?
  }

  /// With durations.
  struct Timed: Decodable, Equatable, SchemaProviding {
    static let schema = ValueSchema.mapping([
      .key("wait", .duration, required: true), .key("waits", [Duration].schema),
    ])

    var wait: Duration
    var waits: [Duration]?
  }

  /// A number or a mapping.
  enum Either: Decodable, Equatable, SchemaProviding {
    static let schema = ValueSchema.anyOf([
      .integer(),
      .mapping([.key("low", .integer(), required: true), .key("high", .integer(), required: true)]),
    ])

    case number(Int)
    case range(low: Int, high: Int)

    enum Key: String, CodingKey { case low, high }

    init(from decoder: any Decoder) throws {
      if let number = try? decoder.singleValueContainer().decode(Int.self) {
        self = .number(number)
        return
      }
      let container = try decoder.container(keyedBy: Key.self)
      self = .range(
        low: try container.decode(Int.self, forKey: .low), high: try container.decode(Int.self, forKey: .high)
      )
    }
  }

  /// A value whose parts are nested, accessed in every possible way.
  struct Nested: Decodable, Equatable {
    enum Key: String, CodingKey { case outer, list, base }
    enum Inner: String, CodingKey { case value }
    struct Base: Decodable, Equatable { var name: String }
    var value: Int
    var first: String
    var second: Bool
    var base: Base

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      value = try container.nestedContainer(keyedBy: Inner.self, forKey: .outer).decode(
        Int.self, forKey: .value)
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      first = try list.decode(String.self)
      second = try list.decode(Bool.self)
      base = try Base(from: container.superDecoder(forKey: .base))
    }
  }

  /// A tree.
  struct Tree: Codable, Equatable, SchemaProviding {
    static let schema = ValueSchema.named(
      "Tree",
      .mapping([
        .key("label", .text, required: true), .key("children", .list(of: .reference("Tree"))),
      ]))

    var label: String
    var children: [Tree]?
  }

  /// Two mutually exclusive keys, checked during decoding.
  struct OneOf: Decodable, Equatable {
    enum Key: String, CodingKey { case left, right }
    var text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      let left = try container.decodeIfPresent(String.self, forKey: .left)
      let right = try container.decodeIfPresent(String.self, forKey: .right)
      guard let text = left ?? right, left == nil || right == nil else {
        throw InvalidInput("one of left and right must be there")
      }
      self.text = text
    }
  }

  /// A text that its type may refuse.
  struct Even: Decodable, Equatable {
    var text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text = try container.decode(String.self)
      guard text.count % 2 == 0 else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "its length is odd")
      }
    }
  }

  /// Any keys, requested by name.
  struct Loose: Decodable, Equatable {
    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    var even: Even?
    var colour: Plain.Colour?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      even = try container.decodeIfPresent(Even.self, forKey: Key(stringValue: "even"))
      colour = try container.decodeIfPresent(Plain.Colour.self, forKey: Key(stringValue: "colour"))
    }
  }

  /// Decodes a value and returns it with the findings, as for a file named `f.yaml`.
  static func decode<Value: Decodable>(
    _ type: Value.Type, _ text: String, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) -> (value: Value?, findings: [SourceFinding]) {
    make(text, userInfo: userInfo) { (value: Value) in value }
  }

  /// Creates something from a value and returns it with the findings.
  static func make<Value: Decodable, Result>(
    _ text: String, userInfo: [CodingUserInfoKey: any Sendable] = [:], make: (Value) throws -> Result
  ) -> (value: Result?, findings: [SourceFinding]) {
    let findings = SourceFindings(SourceFile(path: "f.yaml", bytes: Array(text.utf8)))
    let value = SourceDocument.read(findings).flatMap {
      SourceDecoding.value(of: $0, field: "it", findings, userInfo: userInfo, make: make)
    }
    return (value, findings.all)
  }
}
