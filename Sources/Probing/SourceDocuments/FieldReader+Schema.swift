package import ProbeCore

extension FieldReader {
  /// A reader with a name, under which its schema is defined once; it can therefore be recursive.
  package static func named(_ name: String, _ reader: @escaping () -> FieldReader) -> FieldReader {
    let made = LazyValue(reader)
    return FieldReader(schemaIn: { $0.define(name) { made.value.schemaIn($0) } }) { node, field, findings in
      made.value.value(of: node, field: field, findings)
    }
  }

  /// A value that is read by its kind: a scalar, a list or a mapping.
  ///
  /// A kind without a reader is reported as not allowed.
  package static func anyOf(
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

  /// The same reader with the result converted; nil if there was an error, which is reported.
  package func map<Result>(
    _ make: @escaping (Value, SourceNode, SourceFindings) -> Result?
  ) -> FieldReader<Result> {
    FieldReader<Result>(schemaIn: schemaIn) { node, field, findings in
      value(of: node, field: field, findings).flatMap { make($0, node, findings) }
    }
  }

  /// The same reader, except that another one reads mappings with a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - other: The other reader.
  ///   - isInSchema: Whether the schema includes that of the other reader.
  /// - Returns: The reader.
  package func yielding(
    mappingsWith key: String, to other: FieldReader, isInSchema: Bool = true
  ) -> FieldReader {
    func schema(in scope: SchemaScope) -> ValueSchema {
      isInSchema ? .anyOf([schemaIn(scope), other.schemaIn(scope)]) : schemaIn(scope)
    }
    return FieldReader(schemaIn: schema(in:)) { node, field, findings in
      (node.entry(key) == nil ? self : other).value(of: node, field: field, findings)
    }
  }

  /// The same reader with another name for its values in messages, such as `a set` in a list of sets.
  package func called(_ name: String) -> FieldReader {
    FieldReader(schemaIn: schemaIn) { node, _, findings in read(node, name, findings) }
  }

  package func withSchema(_ change: @escaping (ValueSchema) -> ValueSchema) -> FieldReader {
    FieldReader(schemaIn: { scope in change(schemaIn(scope)) }, read: read)
  }

  /// The same reader with another schema.
  package func withSchema(_ schema: @autoclosure @escaping () -> ValueSchema) -> FieldReader {
    FieldReader(schemaIn: { _ in schema() }, read: read)
  }
}

/// The named schemas defined so far, so that each is defined once, and recursion ends.
final class SchemaScope {
  private var names: Set<String> = []

  /// Returns the schema at its first use, and a reference to it afterwards.
  func define(_ name: String, _ schema: (SchemaScope) -> ValueSchema) -> ValueSchema {
    guard names.insert(name).inserted else { return .reference(name) }
    return .named(name, schema(self))
  }
}

/// The keys that a mapping's reader requests, in order.
final class SchemaKeys {
  let scope: SchemaScope
  private(set) var all: [ValueSchema.Key] = []

  init(_ scope: SchemaScope) {
    self.scope = scope
  }

  /// Adds a key; one that is requested twice may match either schema.
  func add(_ key: ValueSchema.Key) {
    guard let index = all.firstIndex(where: { $0.name == key.name }) else { return all.append(key) }
    // A reader that only looks at the key leaves the schema of its value to another one.
    let schemas = [all[index].schema, key.schema].filter { $0 != .anything }
    all[index].schema = schemas.isEmpty ? .anything : .anyOf(schemas)
    all[index].isRequired = all[index].isRequired || key.isRequired
    all[index].defaultValue = all[index].defaultValue ?? key.defaultValue
    all[index].summary = all[index].summary ?? key.summary
  }
}

/// A value that is created on first use and kept.
///
/// Without it, creating recursive readers would not end; and creating them for each value takes longer than
/// reading it.
final class LazyValue<Value> {
  private let make: () -> Value
  /// The value, computed when it is first read.
  private(set) lazy var value = make()

  /// Creates a value that is not computed yet.
  init(_ make: @escaping () -> Value) {
    self.make = make
  }
}
