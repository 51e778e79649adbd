/// What a value in a file may look like.
///
/// Values are checked against it before they are decoded, and the JSON Schema that editors check a file with is made of it.
/// A type declares its own as ``SchemaProviding``.
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
  }

  // A schema's parts are schemas. A class holds them and not an indirect enum, whose tagged pointers LeakSanitizer does
  // not follow: it would report each schema that a type keeps as a leak.
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

  /// Whether both say the same.
  public static func == (left: ValueSchema, right: ValueSchema) -> Bool { left.kind == right.kind }

  /// Hashes what it says.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

  /// The schema that a type declares, or that of any value for a type that declares none.
  public init(of type: Any.Type) {
    self = (type as? any SchemaProviding.Type)?.schema ?? .anything
  }

  /// Any value.
  public static var anything: ValueSchema { ValueSchema(.anything) }
  /// A text, be it empty; what is written without quotes is one too.
  public static var text: ValueSchema { text() }

  /// A text.
  ///
  /// Pattern and examples are for editors: the type that is decoded refuses what it cannot use.
  ///
  /// - Parameters:
  ///   - pattern: A regular expression (ECMA-262) that matches somewhere in it; nil for any text.
  ///   - canBeEmpty: Whether it may have no characters.
  ///   - canBeNumber: Whether a number without quotes may stand for it: then the text is what is written.
  ///   - canBeBoolean: Whether `true` or `no` without quotes may stand for it.
  ///   - examples: What it may look like.
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

  /// A time as ``ValueSyntax`` reads it, such as `5s` or `800ms`.
  public static var duration: ValueSchema {
    let text = TextSchema(
      pattern: #"^[0-9]+(\.[0-9]+)? *(ms|s|m|h|d)$"#, canBeNumber: false, canBeBoolean: false,
      examples: ["5s", "800ms"], syntax: .duration)
    return ValueSchema(.text(text))
  }

  /// A number of bytes as ``ValueSyntax`` reads it, such as `4096` or `64KiB`.
  public static var byteCount: ValueSchema {
    let text = TextSchema(
      pattern: #"^[0-9]+(\.[0-9]+)? *(B|kB|KB|MB|GB|KiB|MiB|GiB)?$"#, canBeBoolean: false,
      examples: ["64KiB", "4096"], syntax: .byteCount)
    return ValueSchema(.text(text))
  }

  /// A whole number in bounds.
  public static func integer(in bounds: ClosedRange<Int> = .min ... .max) -> ValueSchema {
    ValueSchema(.integer(bounds))
  }

  /// A number.
  public static var number: ValueSchema { ValueSchema(.number) }
  /// `true` or `false`.
  public static var boolean: ValueSchema { ValueSchema(.boolean) }
  /// One of several words.
  public static func choice(_ names: [String]) -> ValueSchema { ValueSchema(.choice(names)) }

  /// A list with a least number of items.
  public static func list(of item: ValueSchema, atLeast count: Int = 0) -> ValueSchema {
    ValueSchema(.list(of: item, atLeast: count))
  }

  /// One value, or a list of them that is not empty.
  public static func oneOrMore(of item: ValueSchema) -> ValueSchema {
    .anyOf([item, .list(of: item, atLeast: 1)])
  }

  /// A mapping with these keys; `others` is what values of other keys may be, nil when there may be none.
  public static func mapping(_ keys: [Key], others: ValueSchema? = nil) -> ValueSchema {
    ValueSchema(.mapping(keys: keys, others: others))
  }

  /// Any of several schemas.
  ///
  /// Which of them a value is checked against its shape decides, and of several mappings its keys.
  public static func anyOf(_ schemas: [ValueSchema]) -> ValueSchema {
    var unique: [ValueSchema] = []
    var seen: Set<ValueSchema> = []
    // The first that has a name defines it, and later ones refer to that.
    for schema in schemas.flatMap(\.alternatives) where seen.insert(schema.referring).inserted {
      unique.append(schema)
    }
    if unique.contains(.anything) { return .anything }
    return unique.count == 1 ? unique[0] : ValueSchema(.anyOf(unique))
  }

  /// A schema with a name, by which schemas inside of it can refer to it.
  public static func named(_ name: String, _ schema: ValueSchema) -> ValueSchema {
    ValueSchema(.named(name, schema))
  }

  /// A schema that is named elsewhere.
  public static func reference(_ name: String) -> ValueSchema { ValueSchema(.reference(name)) }

  /// A schema for editors alone: the type that is decoded tells what is wrong with a value, in its own words.
  public static func checkedWhenDecoded(_ schema: ValueSchema) -> ValueSchema {
    ValueSchema(.checkedWhenDecoded(schema))
  }
}

extension ValueSchema {
  /// A key of a mapping, and what its value may look like.
  public struct Key: Hashable, Sendable {
    /// The key.
    public var name: String
    /// What its value may look like.
    public var schema: ValueSchema
    /// Whether it must be there.
    public var isRequired: Bool
    /// What holds without it, in words, or nil.
    public var defaultValue: String?
    /// What it is for, or nil.
    public var summary: String?

    /// A key.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - schema: What its value may look like.
    ///   - required: Whether it must be there.
    ///   - defaultValue: What holds without it, in words, for the reference.
    ///   - summary: What it is for, without a final stop, for editors and the reference.
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

/// What a text may look like.
package struct TextSchema: Hashable, Sendable {
  /// How a text is written that is no plain one; see ``ValueSyntax``.
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

/// A type that declares what its values look like in a file.
///
/// Every mistake in a value is then told at once, each at its place, and editors know the type from the JSON Schema:
/// ```swift
/// struct Options: Codable, SchemaProviding {
///   static let schema = ValueSchema.mapping([.key("service", .text, required: true, summary: "its name")])
///   var service: String
/// }
/// ```
/// What the schema takes must be what the type can be decoded from. An ordinary `Decodable` type without a schema is
/// decoded all the same; the first mistake alone is told of it, and editors are told nothing.
public protocol SchemaProviding {
  /// What a value may look like.
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
  /// A whole number.
  public static var schema: ValueSchema { .integer() }
}

extension Double: SchemaProviding {
  /// A number.
  public static var schema: ValueSchema { .number }
}

extension Duration: SchemaProviding {
  /// A time.
  public static var schema: ValueSchema { .duration }
}

extension Array: SchemaProviding where Element: SchemaProviding {
  /// A list.
  public static var schema: ValueSchema { .list(of: Element.schema) }
}

extension Dictionary: SchemaProviding where Key == String, Value: SchemaProviding {
  /// A mapping of any keys.
  public static var schema: ValueSchema { .mapping([], others: Value.schema) }
}
