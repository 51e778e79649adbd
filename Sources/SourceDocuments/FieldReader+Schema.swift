public import ProbeCore

extension FieldReader {
  /// A reader by a name under which its values stand in the schema once, so that values of it can stand in one another.
  public static func named(_ name: String, _ reader: @escaping () -> FieldReader) -> FieldReader {
    let made = MadeOnce(reader)
    return FieldReader(schemaIn: { $0.define(name) { made.value.schemaIn($0) } }) { node, field, findings in
      made.value.value(of: node, field: field, findings)
    }
  }

  /// A value that is read by what it is: a scalar, a list or a mapping.
  ///
  /// What has no reader is told as not allowed.
  public static func anyOf(
    scalar: FieldReader? = nil, list: FieldReader? = nil, mapping: FieldReader? = nil
  ) -> FieldReader {
    let readers = [scalar, list, mapping].compactMap(\.self)
    return FieldReader(schemaIn: { scope in .anyOf(readers.map { $0.schemaIn(scope) }) }) {
      node, field, findings in
      let reader: FieldReader? =
        switch node.content {
        case .scalar: scalar
        case .sequence: list
        case .mapping: mapping
        case .unusable: nil
        }
      if let reader { return reader.value(of: node, field: field, findings) }
      let kinds = [
        scalar.map { $0.schema.words ?? "a text" }, list.map { _ in "a list" },
        mapping.map { _ in "a mapping" },
      ]
      findings.add(
        "\(field) must be \(kinds.compactMap(\.self).alternatives), not \(node.kindName)", at: node)
      return nil
    }
  }

  /// The same reader, of which a value is made into another; nil when something was wrong, which was told.
  public func map<Result>(
    _ make: @escaping (Value, SourceNode, SourceFindings) -> Result?
  ) -> FieldReader<Result> {
    FieldReader<Result>(schemaIn: schemaIn) { node, field, findings in
      value(of: node, field: field, findings).flatMap { make($0, node, findings) }
    }
  }

  /// The same reader, whose values go by another name than their field's in messages, such as `a set` in a list of sets.
  public func called(_ name: String) -> FieldReader {
    FieldReader(schemaIn: schemaIn) { node, _, findings in read(node, name, findings) }
  }

  /// The same reader with a schema that is made of the one it has.
  public func withSchema(_ change: @escaping (ValueSchema) -> ValueSchema) -> FieldReader {
    FieldReader(schemaIn: { scope in change(schemaIn(scope)) }, read: read)
  }

  /// The same reader with another schema.
  public func withSchema(_ schema: @autoclosure @escaping () -> ValueSchema) -> FieldReader {
    FieldReader(schemaIn: { _ in schema() }, read: read)
  }
}

/// Which named schemas have been given so far, so that each is given once, and recursion ends.
final class SchemaScope {
  private var names: Set<String> = []

  /// The schema under a name: itself where the name comes first, and a reference everywhere else.
  func define(_ name: String, _ schema: (SchemaScope) -> ValueSchema) -> ValueSchema {
    guard names.insert(name).inserted else { return .reference(name) }
    return .named(name, schema(self))
  }
}

/// What a mapping's reader asks for, in its order.
final class SchemaKeys {
  let scope: SchemaScope
  private(set) var all: [ValueSchema.Key] = []

  init(_ scope: SchemaScope) {
    self.scope = scope
  }

  /// Notes a key; one that is asked for twice may have either schema.
  func add(_ key: ValueSchema.Key) {
    guard let index = all.firstIndex(where: { $0.name == key.name }) else { return all.append(key) }
    // Who looks at the key itself leaves it to another to say what its value is.
    let schemas = [all[index].schema, key.schema].filter { $0 != .anything }
    all[index].schema = schemas.isEmpty ? .anything : .anyOf(schemas)
    all[index].isRequired = all[index].isRequired || key.isRequired
    all[index].defaultValue = all[index].defaultValue ?? key.defaultValue
    all[index].summary = all[index].summary ?? key.summary
  }
}

/// A value that is made when it is first asked for, and kept: readers that stand in one another would not end otherwise,
/// and making them for each value they read takes longer than reading it.
final class MadeOnce<Value> {
  private let make: () -> Value
  /// The value.
  private(set) lazy var value = make()

  /// A value that is not made yet.
  init(_ make: @escaping () -> Value) {
    self.make = make
  }
}
