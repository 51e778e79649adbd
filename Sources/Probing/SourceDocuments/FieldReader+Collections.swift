internal import ProbeCore

extension FieldReader {
  /// A list.
  public static func list<Item>(of item: FieldReader<Item>) -> FieldReader where Value == [Item] {
    FieldReader(schemaIn: { .list(of: item.schemaIn($0)) }) { node, field, findings in
      guard case .sequence(let nodes) = node.content else {
        findings.add(ScalarRules.noList(node, field), at: node)
        return nil
      }
      return items(nodes, item, field, findings)
    }
  }

  /// A list with at least one item.
  public static func nonEmptyList<Item>(of item: FieldReader<Item>) -> FieldReader where Value == [Item] {
    let list = FieldReader.list(of: item)
    return FieldReader(schemaIn: { .list(of: item.schemaIn($0), atLeast: 1) }) { node, field, findings in
      guard let items = list.value(of: node, field: field, findings) else { return nil }
      // After a syntax error it is unknown whether the list is empty.
      guard items.isEmpty else { return items }
      guard node.isComplete else { return nil }
      findings.add("\(field) is an empty list", remedy: "give it at least one item", at: node)
      return nil
    }
  }

  /// A non-empty list, or a single item instead of a list with one item.
  public static func oneOrMore<Item>(of item: FieldReader<Item>) -> FieldReader where Value == [Item] {
    func schema(in scope: SchemaScope) -> ValueSchema {
      return .oneOrMore(of: item.schemaIn(scope))
    }
    return FieldReader(schemaIn: schema(in:)) { node, field, findings in
      guard case .sequence(let nodes) = node.content else {
        return item.value(of: node, field: field, findings).map { [$0] }
      }
      guard !nodes.isEmpty else {
        guard node.isComplete else { return nil }
        findings.add("\(field) is an empty list", remedy: "omit the key, or add an item", at: node)
        return nil
      }
      return items(nodes, item, field, findings)
    }
  }

  /// A mapping with known keys; those that `read` does not request are reported as unknown.
  ///
  /// To derive the schema, `read` is called with a reader that has no keys.
  public static func mapping(_ read: @escaping (inout MappingReader) -> Value?) -> FieldReader {
    func schema(in scope: SchemaScope) -> ValueSchema {
      let keys = SchemaKeys(scope)
      var reader = MappingReader(keys)
      _ = read(&reader)
      return .mapping(keys.all)
    }
    return FieldReader(schemaIn: schema(in:)) { node, field, findings in
      guard var reader = MappingReader(node, field, findings) else { return nil }
      let value = read(&reader)
      reader.finish()
      return value
    }
  }

  /// A mapping whose keys are names chosen by its author, in order.
  ///
  /// `check` reports the errors in a key, and returns whether the key can be used.
  public static func dictionary<Item>(
    of item: FieldReader<Item>, check: @escaping (SourceEntry, SourceFindings) -> Bool = { _, _ in true }
  ) -> FieldReader where Value == [(entry: SourceEntry, value: Item)] {
    FieldReader(schemaIn: { .mapping([], others: item.schemaIn($0)) }) { node, field, findings in
      guard let reader = MappingReader(node, field, findings) else { return nil }
      var result: Value = []
      var isWhole = node.isComplete
      for entry in reader.entries {
        if findings.givesUp() { return nil }
        let isNamed = check(entry, findings)
        let value = item.value(of: entry.value, field: entry.fieldName, findings)
        if isNamed, let value { result.append((entry, value)) } else { isWhole = false }
      }
      return isWhole ? result : nil
    }
  }

  /// All items, or nil if one of them cannot be used.
  private static func items<Item>(
    _ nodes: [SourceNode], _ item: FieldReader<Item>, _ field: String, _ findings: SourceFindings
  ) -> [Item]? {
    var items: [Item] = []
    items.reserveCapacity(nodes.count)
    for node in nodes {
      if findings.givesUp() { return nil }
      if let value = item.value(of: node, field: field, findings) { items.append(value) }
    }
    return items.count == nodes.count ? items : nil
  }
}
