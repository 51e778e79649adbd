public import ProbeCore

extension FieldReader {
  /// A reader by a name under which its form stands in the schema once, so that values of it can stand in one another.
  public static func named(_ name: String, _ reader: @escaping () -> FieldReader) -> FieldReader {
    let made = MadeOnce(reader)
    return FieldReader(describe: { $0.define(name) { made.value.describe($0) } }) { node, field, findings in
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
    return FieldReader(describe: { scope in .anyOf(readers.map { $0.describe(scope) }) }) {
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
        scalar.map { $0.form.words ?? "a text" }, list.map { _ in "a list" },
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
    FieldReader<Result>(describe: describe) { node, field, findings in
      value(of: node, field: field, findings).flatMap { make($0, node, findings) }
    }
  }

  /// The same reader, whose values go by another name than their field's in messages, such as `a set` in a list of sets.
  public func called(_ name: String) -> FieldReader {
    FieldReader(describe: describe) { node, _, findings in read(node, name, findings) }
  }

  /// The same reader, of which the schema says something else that is made of what it said.
  public func describedBy(_ change: @escaping (ValueForm) -> ValueForm) -> FieldReader {
    FieldReader(describe: { scope in change(describe(scope)) }, read: read)
  }

  /// The same reader, of which the schema says that values look like this.
  public func described(as form: @autoclosure @escaping () -> ValueForm) -> FieldReader {
    FieldReader(describe: { _ in form() }, read: read)
  }
}
