/// A description of the valid values in a file.
///
/// Values are checked against it before they are decoded. The JSON Schema with which editors check a file is
/// generated from it. A type declares its schema by conforming to ``SchemaProviding``.
public struct ValueSchema: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case anything
    case text(TextSchema)
    case integer(ClosedRange<Int>)
    case number
    case boolean
    case choice([String])
    case list(of: ValueSchema, atLeast: Int)
    case mapping(keys: [Key], others: ValueSchema?)
    case anyOf([ValueSchema])
    case named(String, ValueSchema)
    case reference(String)
    case checkedWhenDecoded(ValueSchema)
    /// Anything; editors get this JSON Schema.
    case json(String)
  }

  // The parts of a schema are schemas. A class stores them instead of an indirect enum, because LeakSanitizer
  // does not follow the tagged pointers of an enum, and would report each static schema as a leak.
  private final class Storage: Sendable {
    let kind: Kind

    init(_ kind: Kind) {
      self.kind = kind
    }
  }

  private let storage: Storage

  package init(_ kind: Kind) {
    storage = Storage(kind)
  }

  package var kind: Kind { storage.kind }

  /// Two schemas are equal if their contents are.
  public static func == (left: ValueSchema, right: ValueSchema) -> Bool { left.kind == right.kind }

  /// Hashes the contents.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

  /// Creates the schema that a type declares, or one for any value if the type declares none.
  public init(of type: Any.Type) {
    self = (type as? any SchemaProviding.Type)?.schema ?? .anything
  }

  /// Any value.
  public static var anything: ValueSchema { ValueSchema(.anything) }
  /// A text, which may be empty; an unquoted scalar is a text too.
  public static var text: ValueSchema { text() }

  /// A text.
  ///
  /// The pattern and the examples are for editors only; decoding the type rejects text that is not valid.
  ///
  /// - Parameters:
  ///   - pattern: A regular expression (ECMA-262) that matches somewhere in the text; nil for any text.
  ///   - canBeEmpty: Whether the text may be empty.
  ///   - canBeNumber: Whether an unquoted number is valid; the text is then the number as written.
  ///   - canBeBoolean: Whether an unquoted boolean such as `true` or `no` is valid.
  ///   - examples: Examples of the text.
  /// - Returns: The schema.
  public static func text(
    pattern: String? = nil, canBeEmpty: Bool = true, canBeNumber: Bool = true, canBeBoolean: Bool = true,
    examples: [String] = []
  ) -> ValueSchema {
    let text = TextSchema(
      pattern: pattern, canBeEmpty: canBeEmpty, canBeNumber: canBeNumber, canBeBoolean: canBeBoolean,
      examples: examples)
    return ValueSchema(.text(text))
  }

  /// A duration in the syntax of ``ValueSyntax``, such as `5s` or `800ms`.
  public static var duration: ValueSchema {
    let text = TextSchema(
      pattern: #"^[0-9]+(\.[0-9]+)? *(ms|s|m|h|d)$"#, canBeNumber: false, canBeBoolean: false,
      examples: ["5s", "800ms"], syntax: .duration)
    return ValueSchema(.text(text))
  }

  /// A number of bytes in the syntax of ``ValueSyntax``, such as `4096` or `64KiB`.
  public static var byteCount: ValueSchema {
    let text = TextSchema(
      pattern: #"^[0-9]+(\.[0-9]+)? *(B|kB|KB|MB|GB|KiB|MiB|GiB)?$"#, canBeBoolean: false,
      examples: ["64KiB", "4096"], syntax: .byteCount)
    return ValueSchema(.text(text))
  }

  /// An integer within bounds.
  public static func integer(in bounds: ClosedRange<Int> = .min ... .max) -> ValueSchema {
    ValueSchema(.integer(bounds))
  }

  /// A number.
  public static var number: ValueSchema { ValueSchema(.number) }
  /// `true` or `false`.
  public static var boolean: ValueSchema { ValueSchema(.boolean) }
  /// One of several words.
  public static func choice(_ names: [String]) -> ValueSchema { ValueSchema(.choice(names)) }

  /// A list with a minimum number of items.
  public static func list(of item: ValueSchema, atLeast count: Int = 0) -> ValueSchema {
    ValueSchema(.list(of: item, atLeast: count))
  }

  /// One value, or a non-empty list of them.
  public static func oneOrMore(of item: ValueSchema) -> ValueSchema {
    .anyOf([item, .list(of: item, atLeast: 1)])
  }

  /// A mapping with these keys; `others` is the schema for the values of other keys, or nil if no other key
  /// is valid.
  public static func mapping(_ keys: [Key], others: ValueSchema? = nil) -> ValueSchema {
    ValueSchema(.mapping(keys: keys, others: others))
  }

  /// Any of several schemas.
  ///
  /// The shape of a value determines the schema to check it against; among several mappings, the keys do.
  public static func anyOf(_ schemas: [ValueSchema]) -> ValueSchema {
    var unique: [ValueSchema] = []
    var seen: Set<ValueSchema> = []
    // The first occurrence of a named schema defines it, and later ones refer to it.
    for schema in schemas.flatMap(\.alternatives) where seen.insert(schema.referring).inserted {
      unique.append(schema)
    }
    if unique.contains(.anything) { return .anything }
    return unique.count == 1 ? unique[0] : ValueSchema(.anyOf(unique))
  }

  /// A schema with a name, by which schemas inside it can refer to it.
  public static func named(_ name: String, _ schema: ValueSchema) -> ValueSchema {
    ValueSchema(.named(name, schema))
  }

  /// A reference to a schema that is named elsewhere.
  public static func reference(_ name: String) -> ValueSchema { ValueSchema(.reference(name)) }

  /// A schema for editors only, as the text of a JSON Schema.
  package static func json(_ text: String) -> ValueSchema { ValueSchema(.json(text)) }

  /// A schema for editors only: the type reports errors in a value itself when it is decoded.
  public static func checkedWhenDecoded(_ schema: ValueSchema) -> ValueSchema {
    ValueSchema(.checkedWhenDecoded(schema))
  }
}

extension ValueSchema {
  /// A key of a mapping, and the schema of its value.
  public struct Key: Hashable, Sendable, Changeable {
    /// The key.
    public var name: String
    /// The schema of its value.
    public var schema: ValueSchema
    /// Whether the key is required.
    public var isRequired: Bool
    /// The default value, in words, or nil.
    public var defaultValue: String?
    /// The purpose of the key, on one line, or nil.
    public var summary: String?

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - schema: The schema of its value.
    ///   - required: Whether the key is required.
    ///   - defaultValue: The default value, in words, for the reference.
    ///   - summary: The purpose of the key, on one line without a final full stop, for editors and the reference.
    /// - Returns: The key.
    public static func key(
      _ name: String, _ schema: ValueSchema, required: Bool = false, default defaultValue: String? = nil,
      summary: String? = nil
    ) -> Key {
      Key(
        name: name, schema: schema, isRequired: required, defaultValue: defaultValue, summary: summary)
    }
  }
}

/// The valid texts.
package struct TextSchema: Hashable, Sendable {
  /// The syntax of a text that is not plain; see ``ValueSyntax``.
  package enum Syntax: Hashable, Sendable {
    case duration, byteCount
  }

  package var pattern: String?
  package var canBeEmpty = true
  package var canBeNumber = true
  package var canBeBoolean = true
  package var examples: [String] = []
  package var syntax: Syntax?
}

/// A type that declares the schema of its values in a file.
///
/// All errors in a value are then reported at once, each with its position, and the generated JSON Schema
/// describes the type to editors:
/// ```swift
/// struct Options: Codable, SchemaProviding {
///   static let schema = ValueSchema.mapping([.key("service", .text, required: true, summary: "its name")])
///   var service: String
/// }
/// ```
/// Every value that the schema accepts must be one that the type can be decoded from. A plain `Decodable`
/// type without a schema can be decoded too, but only its first error is reported, and editors get no
/// information about it.
public protocol SchemaProviding {
  /// The schema of a value.
  static var schema: ValueSchema { get }
}

extension SchemaProviding where Self: CaseIterable & RawRepresentable<String> {
  /// One of the names.
  public static var schema: ValueSchema { .choice(allCases.map(\.rawValue)) }
}

extension String: SchemaProviding {
  /// A text.
  public static var schema: ValueSchema { .text }
}

extension Bool: SchemaProviding {
  /// `true` or `false`.
  public static var schema: ValueSchema { .boolean }
}

extension Int: SchemaProviding {
  /// An integer.
  public static var schema: ValueSchema { .integer() }
}

extension Double: SchemaProviding {
  /// A number.
  public static var schema: ValueSchema { .number }
}

extension Duration: SchemaProviding {
  /// A duration.
  public static var schema: ValueSchema { .duration }
}

extension Array: SchemaProviding where Element: SchemaProviding {
  /// A list.
  public static var schema: ValueSchema { .list(of: Element.schema) }
}

extension Dictionary: SchemaProviding where Key == String, Value: SchemaProviding {
  /// A mapping with any keys.
  public static var schema: ValueSchema { .mapping([], others: Value.schema) }
}
