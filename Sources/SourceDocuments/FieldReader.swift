public import ProbeCore

/// How the value of a field is read: what it must be, and what it becomes.
public struct FieldReader<Value> {
  /// Reads a value; what is wrong with it is added to the findings, and nil returned.
  let read: (SourceNode, _ field: String, SourceFindings) -> Value?
  /// What a value may look like.
  let schemaIn: (SchemaScope) -> ValueSchema

  /// A way to read a value.
  ///
  /// - Parameters:
  ///   - schema: What the value may look like.
  ///   - read: Is given the value, what the field is called in messages, and where to tell what is wrong; returns
  ///     nil when something is.
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

  /// What a value may look like.
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

  /// Reads a whole document, which is no value of a key; the name is what it is called in messages.
  public func document(_ root: SourceNode, called name: String, _ findings: SourceFindings) -> Value? {
    if case .unusable = root.content { return nil }
    return read(root, name, findings)
  }

  /// A text of which something is made; `kind` is what it must be, with its article, such as `a time`.
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

  /// A value that a rule takes or refuses.
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

  /// A value with its place.
  public static func placed<Inner>(_ inner: FieldReader<Inner>) -> FieldReader where Value == Placed<Inner> {
    FieldReader(schemaIn: inner.schemaIn) { node, field, findings in
      inner.value(of: node, field: field, findings).map { Placed($0, node: node) }
    }
  }
}

/// A value that was read, with its place.
public struct Placed<Value> {
  /// The value.
  public var value: Value
  /// Where it was read from.
  public var node: SourceNode

  /// A value with its place.
  public init(_ value: Value, node: SourceNode) {
    self.value = value
    self.node = node
  }
}

extension Placed: Sendable where Value: Sendable {}
