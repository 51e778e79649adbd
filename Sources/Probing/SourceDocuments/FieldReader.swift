public import ProbeCore

/// Reads the value of a field: checks it, and converts it to a type.
public struct FieldReader<Value> {
  /// Reads a value; errors are added to the findings, and the result is then nil.
  let read: (SourceNode, _ field: String, SourceFindings) -> Value?
  /// The schema of the value.
  let schemaIn: (SchemaScope) -> ValueSchema

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - schema: The schema of the value.
  ///   - read: Receives the value, the field's name in messages, and the findings to add errors to; returns
  ///     nil if there was an error.
  public init(
    schema: @autoclosure @escaping () -> ValueSchema = .anything,
    read: @escaping (SourceNode, _ field: String, SourceFindings) -> Value?
  ) {
    self.init(schemaIn: { _ in schema() }, read: read)
  }

  init(
    schemaIn: @escaping (SchemaScope) -> ValueSchema,
    read: @escaping (SourceNode, _ field: String, SourceFindings) -> Value?
  ) {
    self.read = read
    self.schemaIn = schemaIn
  }

  /// The schema of the value.
  public var schema: ValueSchema { schemaIn(SchemaScope()) }

  /// Reads a value.
  public func value(of node: SourceNode, field: String, _ findings: SourceFindings) -> Value? {
    if case .unusable = node.content { return nil }
    if findings.givesUp() { return nil }
    if node.scalar?.isNull == true {
      findings.add(ScalarRules.noValue(field), at: node)
      return nil
    }
    return read(node, field, findings)
  }

  /// Reads a whole document, which is not the value of a key; the name is used in messages.
  public func document(_ root: SourceNode, called name: String, _ findings: SourceFindings) -> Value? {
    if case .unusable = root.content { return nil }
    return read(root, name, findings)
  }

  /// A text that is converted; `kind` is what it must be, with its article, such as `a time`.
  public static func text(
    _ kind: String = "a text", schema: @autoclosure @escaping () -> ValueSchema = .text,
    make: @escaping (String) throws(InvalidInput) -> Value
  ) -> FieldReader {
    FieldReader(schema: schema()) { node, field, findings in
      guard let scalar = node.scalar else {
        findings.add("\(field) must be \(kind), not \(node.kindName)", at: node)
        return nil
      }
      do throws(InvalidInput) {
        return try make(scalar.text)
      } catch {
        findings.add(error, at: node)
        return nil
      }
    }
  }

  /// A value that a rule accepts or rejects.
  static func rule(
    _ schema: @autoclosure @escaping () -> ValueSchema,
    _ rule: @escaping (SourceNode, _ field: String) throws(InvalidInput) -> Value
  ) -> FieldReader {
    FieldReader(schema: schema()) { node, field, findings in
      do throws(InvalidInput) {
        return try rule(node, field)
      } catch {
        findings.add(error, at: node)
        return nil
      }
    }
  }

  /// A value with its location.
  public static func located<Inner>(_ inner: FieldReader<Inner>) -> FieldReader
  where Value == Located<Inner> {
    FieldReader(schemaIn: inner.schemaIn) { node, field, findings in
      inner.value(of: node, field: field, findings).map { Located($0, node: node) }
    }
  }
}

/// A value that was read, with its location.
public struct Located<Value> {
  /// The value.
  public var value: Value
  /// The node it was read from.
  public var node: SourceNode

  /// Creates a value with its location.
  public init(_ value: Value, node: SourceNode) {
    self.value = value
    self.node = node
  }
}

extension Located: Sendable where Value: Sendable {}
