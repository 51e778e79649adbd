/// Options of a plugin that are declared once: how a file is read, how a value is written, the JSON Schema, the
/// manual and the errors all come from the list of fields.
///
/// ```swift
/// struct Options: DeclaredOptions {
///   static let declaration = OptionsDeclaration(
///     Options(), short: .value(\.service),
///     [
///       OptionField("service", \.service, .text(canBeEmpty: false), required: true, summary: "its name"),
///       OptionField("port", \.port, .integer(in: 1...65_535), default: "443", summary: "its port"),
///     ])
///
///   var service = ""
///   var port = 443
/// }
/// ```
/// A file can then have `greeting: mail` or `greeting: { service: mail, port: 25 }`. Options may also be any `Codable`
/// type; see ``SchemaProviding``.
public protocol DeclaredOptions: Codable, Hashable, Sendable, SchemaProviding {
  /// The fields, and the short form if there is one.
  static var declaration: OptionsDeclaration<Self> { get }
}

extension DeclaredOptions {
  /// The short form, or a mapping with the fields.
  public static var schema: ValueSchema { declaration.schema }

  /// Decodes the short form, or a mapping with the fields.
  ///
  /// - Throws: A `DecodingError`, or ``InvalidInput`` for a value that its type refuses.
  public init(from decoder: any Decoder) throws { self = try Self.declaration.value(from: decoder) }

  /// Encodes the short form if that is sufficient, otherwise a mapping with the fields that differ from their defaults.
  public func encode(to encoder: any Encoder) throws { try Self.declaration.encode(self, to: encoder) }
}

/// The fields of options, and their short form; see ``DeclaredOptions``.
public struct OptionsDeclaration<Options: DeclaredOptions>: Sendable {
  private let initial: Options
  private let short: ShortForm<Options>?
  private let fields: [OptionField<Options>]
  let schema: ValueSchema

  /// Creates a declaration.
  ///
  /// - Parameters:
  ///   - initial: The options with the default value of each field.
  ///   - short: The form without a mapping; nil if there is none.
  ///   - forms: The fields. Several lists are alternatives: a mapping has the fields of one of them. Without any, there
  ///     is only the short form.
  public init(
    _ initial: Options, short: ShortForm<Options>? = nil, _ forms: [OptionField<Options>]...
  ) {
    (self.initial, self.short, fields) = (initial, short, Array(forms.joined()))
    schema = .anyOf((short.map { [$0.schema] } ?? []) + forms.map { .mapping($0.map(\.key)) })
  }

  func value(from decoder: any Decoder) throws -> Options {
    if fields.isEmpty, let short { return try short.read(initial, decoder) }
    let container: KeyedDecodingContainer<OptionKey>
    do {
      container = try decoder.container(keyedBy: OptionKey.self)
    } catch {
      guard let short else { throw error }
      return try short.read(initial, decoder)
    }
    var options = initial
    for field in fields { try field.read(&options, container) }
    return options
  }

  func encode(_ options: Options, to encoder: any Encoder) throws {
    // The short form of the default values may be one that is not valid, such as an empty text.
    if let short, fields.isEmpty || options != initial, try short.write(options, initial, encoder) { return }
    var container = encoder.container(keyedBy: OptionKey.self)
    for field in fields { try field.write(options, initial, &container) }
  }
}

/// A field of ``DeclaredOptions``: its key, the schema of its value, and where the options have it.
public struct OptionField<Options: Sendable>: Sendable {
  let key: ValueSchema.Key
  let read: @Sendable (inout Options, KeyedDecodingContainer<OptionKey>) throws -> Void
  let write: @Sendable (Options, _ initial: Options, inout KeyedEncodingContainer<OptionKey>) throws -> Void

  /// Creates a field with a default value, or one that is required.
  ///
  /// - Parameters:
  ///   - name: The key in a file.
  ///   - path: The property.
  ///   - schema: The schema of the value; nil for that of its type.
  ///   - required: Whether the key is required.
  ///   - defaultValue: The default value, in words, for the reference.
  ///   - summary: The purpose of the field, on one line without a final full stop.
  public init<Value: Codable & Hashable & Sendable>(
    _ name: String, _ path: any WritableKeyPath<Options, Value> & Sendable, _ schema: ValueSchema? = nil,
    required: Bool = false, default defaultValue: String? = nil, summary: String
  ) {
    key = .key(
      name, schema ?? ValueSchema(of: Value.self), required: required, default: defaultValue, summary: summary
    )
    let codingKey = OptionKey(stringValue: name)
    read = { options, container in
      if required {
        options[keyPath: path] = try container.decode(Value.self, forKey: codingKey)
      } else if let value = try container.decodeIfPresent(Value.self, forKey: codingKey) {
        options[keyPath: path] = value
      }
    }
    write = { options, initial, container in
      let value = options[keyPath: path]
      if required || value != initial[keyPath: path] { try container.encode(value, forKey: codingKey) }
    }
  }

  /// Creates a field that has no value if its key is missing.
  ///
  /// - Parameters:
  ///   - name: The key in a file.
  ///   - path: The property.
  ///   - schema: The schema of the value; nil for that of its type. With ``ValueSchema/anything``, null is a value too.
  ///   - required: Whether the key is required in a mapping of this form.
  ///   - defaultValue: The meaning of a missing key, in words, for the reference.
  ///   - summary: The purpose of the field, on one line without a final full stop.
  public init<Value: Codable & Hashable & Sendable>(
    _ name: String, _ path: any WritableKeyPath<Options, Value?> & Sendable, _ schema: ValueSchema? = nil,
    required: Bool = false, default defaultValue: String? = nil, summary: String
  ) {
    key = .key(
      name, schema ?? ValueSchema(of: Value.self), required: required, default: defaultValue, summary: summary
    )
    let codingKey = OptionKey(stringValue: name)
    let canBeNull = schema == .anything
    read = { options, container in
      if canBeNull, container.contains(codingKey) {
        options[keyPath: path] = try container.decode(Value.self, forKey: codingKey)
      } else {
        options[keyPath: path] = try container.decodeIfPresent(Value.self, forKey: codingKey)
      }
    }
    write = { options, _, container in
      try container.encodeIfPresent(options[keyPath: path], forKey: codingKey)
    }
  }
}

/// The form of ``DeclaredOptions`` without a mapping, such as `latency: 800ms`.
public struct ShortForm<Options: Hashable & Sendable>: Sendable {
  let schema: ValueSchema
  let read: @Sendable (_ initial: Options, any Decoder) throws -> Options
  /// Encodes the options, and returns whether the form is sufficient for them.
  let write: @Sendable (Options, _ initial: Options, any Encoder) throws -> Bool

  /// The value of one property; the others have their defaults.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - schema: The schema of the value; nil for that of its type.
  /// - Returns: The form.
  public static func value<Value: Codable & Sendable>(
    _ path: any WritableKeyPath<Options, Value> & Sendable, _ schema: ValueSchema? = nil
  ) -> ShortForm {
    ShortForm(schema: schema ?? ValueSchema(of: Value.self)) { initial, decoder in
      var options = initial
      options[keyPath: path] = try decoder.singleValueContainer().decode(Value.self)
      return options
    } write: { options, initial, encoder in
      var short = initial
      short[keyPath: path] = options[keyPath: path]
      guard short == options else { return false }
      try options[keyPath: path].encode(to: encoder)
      return true
    }
  }

  /// A value that all options can be made from.
  ///
  /// - Parameters:
  ///   - schema: The schema of the value; nil for that of its type.
  ///   - value: The value from which `make` may make the same options, or nil.
  ///   - make: Makes options from a value.
  /// - Returns: The form.
  public static func value<Value: Codable & Sendable>(
    _ schema: ValueSchema? = nil, of value: @escaping @Sendable (Options) -> Value?,
    make: @escaping @Sendable (Value) throws -> Options
  ) -> ShortForm {
    ShortForm(schema: schema ?? ValueSchema(of: Value.self)) { _, decoder in
      try make(try Value(from: decoder))
    } write: { options, _, encoder in
      guard let short = value(options), (try? make(short)) == options else { return false }
      try short.encode(to: encoder)
      return true
    }
  }
}

/// The key of a field with any name, or the index of an item.
package struct OptionKey: CodingKey, ExpressibleByStringLiteral {
  package let stringValue: String
  package let intValue: Int?

  package init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  package init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
  package init(stringLiteral text: String) { self.init(stringValue: text) }
}

/// One value, or a list of values, as in `rcode: NXDOMAIN` and `rcode: [NOERROR, NXDOMAIN]`.
package struct OneOrMore<Item: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  package var items: [Item]

  package init(_ items: [Item]) { self.items = items }

  package init(from decoder: any Decoder) throws {
    let isList = (try? decoder.unkeyedContainer()) != nil
    items = isList ? try [Item](from: decoder) : [try Item(from: decoder)]
  }

  package func encode(to encoder: any Encoder) throws {
    if items.count == 1 { try items[0].encode(to: encoder) } else { try items.encode(to: encoder) }
  }
}

extension OneOrMore: SchemaProviding {
  package static var schema: ValueSchema { .oneOrMore(of: ValueSchema(of: Item.self)) }
}

extension Array where Element: Codable & Hashable & Sendable {
  /// The items as a file has them: one alone, or a list; for the key path of an ``OptionField``.
  package var oneOrMore: OneOrMore<Element> {
    get { OneOrMore(self) }
    set { self = newValue.items }
  }
}

extension Int? {
  /// The number of bytes as a file has it, such as `64KiB`; for the key path of an ``OptionField``.
  package var asByteCount: ByteCount? {
    get { map { ByteCount($0) } }
    set { self = newValue?.bytes }
  }
}
