package import ProbeCore

/// Reads the value of a field: checks it, and converts it to a type.
package struct FieldReader<Value> {
  /// Reads a value; errors are added to the findings, and the result is then nil.
  let read: (SourceNode, _ field: String, SourceFindings) -> Value?
  /// The schema of the values it accepts; schemas with a name are defined in the scope.
  let schemaIn: (SchemaScope) -> ValueSchema

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - schema: The schema of the value.
  ///   - read: Receives the value, the field's name in messages, and the findings to add errors to; returns
  ///     nil if there was an error.
  package init(
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

  package var schema: ValueSchema { schemaIn(SchemaScope()) }

  package func value(of node: SourceNode, field: String, _ findings: SourceFindings) -> Value? {
    if case .unusable = node.content { return nil }
    if findings.stopIfFull() { return nil }
    if node.scalar?.isNull == true {
      findings.add(ScalarRules.noValue(field), at: node)
      return nil
    }
    return read(node, field, findings)
  }

  /// Reads a whole document, which is not the value of a key; the name is used in messages.
  package func document(_ root: SourceNode, called name: String, _ findings: SourceFindings) -> Value? {
    if case .unusable = root.content { return nil }
    return read(root, name, findings)
  }

  /// A text that is converted; `kind` is what it must be, with its article, such as `a time`.
  package static func text(
    _ kind: String = "a text", schema: @autoclosure @escaping () -> ValueSchema = .text,
    make: @escaping (String) throws(InvalidInput) -> Value
  ) -> FieldReader {
    rule(schema()) { (node, field) throws(InvalidInput) in
      guard let scalar = node.scalar else {
        throw InvalidInput("\(field) must be \(kind), not \(node.kindName)")
      }
      return try make(scalar.text)
    }
  }

  /// A value that a rule accepts or rejects.
  static func rule(
    _ schema: @autoclosure @escaping () -> ValueSchema,
    _ rule: @escaping (SourceNode, _ field: String) throws(InvalidInput) -> Value
  ) -> FieldReader {
    FieldReader(schema: schema()) { node, field, findings in
      findings.reporting(at: node) { () throws(InvalidInput) in try rule(node, field) }
    }
  }

  /// A value with its location.
  package static func located<Inner>(_ inner: FieldReader<Inner>) -> FieldReader
  where Value == Located<Inner> {
    FieldReader(schemaIn: inner.schemaIn) { node, field, findings in
      inner.value(of: node, field: field, findings).map { Located($0, node: node) }
    }
  }
}

/// A value that was read, with its location.
package struct Located<Value> {
  package var value: Value
  /// The node it was read from.
  package var node: SourceNode

  package init(_ value: Value, node: SourceNode) {
    self.value = value
    self.node = node
  }
}

extension Located: Sendable where Value: Sendable {}

extension FieldReader where Value == String {
  /// Any text; `no` is the text "no".
  package static var text: FieldReader { text { (text) throws(InvalidInput) in text } }

  /// A text that fulfils a condition.
  ///
  /// - Parameters:
  ///   - kind: What it must be, with its article, such as `a date`.
  ///   - schema: The schema of the text.
  ///   - problem: The words after a text that does not fulfil it, such as `is not a date`.
  ///   - remedy: How to correct such a text.
  ///   - isValid: The condition.
  /// - Returns: The reader.
  package static func text(
    _ kind: String, schema: @autoclosure @escaping () -> ValueSchema = .text, otherwise problem: String,
    remedy: String, where isValid: @escaping (String) -> Bool
  ) -> FieldReader {
    text(kind, schema: schema()) { text throws(InvalidInput) in
      guard isValid(text) else { throw InvalidInput("\(Excerpt(text)) \(problem)", remedy: remedy) }
      return text
    }
  }

  package static var nonEmptyText: FieldReader {
    rule(.text(canBeEmpty: false)) { (node, field) throws(InvalidInput) in
      try ScalarRules.text(node, field, canBeEmpty: false)
    }
  }

  /// A non-empty text of one line without control characters.
  package static var line: FieldReader {
    let schema = ValueSchema.text(pattern: #"^[^\u0000-\u001f\u007f]+$"#)
    return rule(schema) { (node, field) throws(InvalidInput) in
      let text = try ScalarRules.text(node, field, canBeEmpty: false)
      guard text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return text }
      throw InvalidInput(
        "\(field) has a control character or a line end in it", remedy: "write it in one line")
    }
  }
}

extension FieldReader where Value == Int {
  /// An integer within bounds, in decimal digits without quotes.
  package static func integer(in bounds: ClosedRange<Int>) -> FieldReader {
    rule(.integer(in: bounds)) { (node, field) throws(InvalidInput) in
      try ScalarRules.integer(node, field, in: bounds)
    }
  }

  /// A number of bytes such as `4096` or `64KiB`; see `ValueSyntax`.
  package static func byteCount(in bounds: ClosedRange<Int>) -> FieldReader {
    text("a number of bytes such as 64KiB", schema: .byteCount) { (text) throws(InvalidInput) in
      try ValueSyntax.byteCount(text, in: bounds)
    }
  }
}

extension FieldReader where Value == Bool {
  /// `true` or `false`, without quotes.
  package static var boolean: FieldReader {
    rule(.boolean, ScalarRules.boolean)
  }
}

extension FieldReader where Value == Duration {
  /// A time such as `5s` or `800ms`; see `ValueSyntax`.
  package static func duration(in bounds: ClosedRange<Duration>) -> FieldReader {
    rule(.duration) { (node, field) throws(InvalidInput) in
      try ScalarRules.duration(node, field, in: bounds)
    }
  }
}

extension FieldReader where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// A case of an enumeration.
  package static var choice: FieldReader { choice(Array(Value.allCases)) }

  /// One of several names.
  package static func choice(_ values: [Value]) -> FieldReader {
    let names = values.map(\.rawValue)
    return rule(.choice(names)) { (node, field) throws(InvalidInput) in
      guard let value = values.first(where: { $0.rawValue == node.scalar?.text }) else {
        throw ScalarRules.noChoice(node, field, among: names)
      }
      return value
    }
  }
}

extension FieldReader {
  package static func list<Item>(of item: FieldReader<Item>) -> FieldReader where Value == [Item] {
    FieldReader(schemaIn: { .list(of: item.schemaIn($0)) }) { node, field, findings in
      guard case .sequence(let nodes) = node.content else {
        findings.add(ScalarRules.noList(node, field), at: node)
        return nil
      }
      return items(nodes, item, field, findings)
    }
  }

  package static func nonEmptyList<Item>(of item: FieldReader<Item>) -> FieldReader where Value == [Item] {
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
  package static func oneOrMore<Item>(of item: FieldReader<Item>) -> FieldReader where Value == [Item] {
    FieldReader(schemaIn: { .oneOrMore(of: item.schemaIn($0)) }) { node, field, findings in
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
  package static func mapping(_ read: @escaping (inout MappingReader) -> Value?) -> FieldReader {
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

  /// A mapping whose keys are properties of a value; nil if a required one is missing or has an error.
  package static func mapping(
    into initial: Value, _ read: @escaping (inout Value, inout MappingReader) -> Void
  ) -> FieldReader {
    mapping { reader in
      var value = initial
      read(&value, &reader)
      return reader.hasRequired ? value : nil
    }
  }

  /// A mapping whose keys are names chosen by its author, in order; `check` throws if a key cannot be used.
  package static func dictionary<Item>(
    of item: FieldReader<Item>,
    check: @escaping (String) throws(InvalidInput) -> Void = { _ throws(InvalidInput) in }
  ) -> FieldReader where Value == [(entry: SourceEntry, value: Item)] {
    FieldReader(schemaIn: { .mapping([], others: item.schemaIn($0)) }) { node, field, findings in
      guard let reader = MappingReader(node, field, findings) else { return nil }
      var result: Value = []
      var isWhole = node.isComplete
      for entry in reader.entries {
        if findings.stopIfFull() { return nil }
        do throws(InvalidInput) {
          try check(entry.key)
        } catch {
          findings.add(error.message, remedy: error.remedy, at: entry.keySpan.lowerBound)
          isWhole = false
        }
        if let value = item.value(of: entry.value, field: entry.fieldName, findings) {
          result.append((entry, value))
        } else {
          isWhole = false
        }
      }
      return isWhole ? result : nil
    }
  }

  /// The values of a mapping by the names that its author chose.
  package static func byName<Item>(
    of item: FieldReader<Item>,
    check: @escaping (String) throws(InvalidInput) -> Void = { _ throws(InvalidInput) in }
  ) -> FieldReader where Value == [String: Item] {
    FieldReader<[(entry: SourceEntry, value: Item)]>.dictionary(of: item, check: check).map { entries, _, _ in
      Dictionary(entries.map { ($0.entry.key, $0.value) }) { $1 }
    }
  }

  /// All items, or nil if one of them cannot be used.
  private static func items<Item>(
    _ nodes: [SourceNode], _ item: FieldReader<Item>, _ field: String, _ findings: SourceFindings
  ) -> [Item]? {
    var items: [Item] = []
    items.reserveCapacity(nodes.count)
    for node in nodes {
      if findings.stopIfFull() { return nil }
      if let value = item.value(of: node, field: field, findings) { items.append(value) }
    }
    return items.count == nodes.count ? items : nil
  }
}

/// A key of a mapping with exactly one key, and how its value is read.
package struct KeyedReader<Value> {
  package let key: String
  /// Its purpose, or nil.
  package let summary: String?
  let reader: FieldReader<Value>

  /// Creates a reader for a key that converts the value; the summary is for the schema.
  package init<Inner>(
    _ key: String, _ reader: FieldReader<Inner>, summary: String? = nil, make: @escaping (Inner) -> Value
  ) {
    self.key = key
    self.summary = summary
    self.reader = reader.map { value, _, _ in make(value) }
  }

  /// The same key with the result converted.
  package func map<Other>(_ make: @escaping (Value) -> Other) -> KeyedReader<Other> {
    KeyedReader<Other>(key, reader, summary: summary, make: make)
  }
}

extension FieldReader {
  /// A mapping with exactly one key, which determines its kind.
  ///
  /// - Parameters:
  ///   - kind: The kind of value with its article, for messages.
  ///   - keys: The possible keys.
  /// - Returns: The reader.
  package static func oneKey(_ kind: String, _ keys: @escaping () -> [KeyedReader<Value>]) -> FieldReader {
    let known = LazyValue(keys)
    func schema(in scope: SchemaScope) -> ValueSchema {
      .anyOf(
        known.value.map {
          .mapping([.key($0.key, $0.reader.schemaIn(scope), required: true, summary: $0.summary)])
        })
    }
    return FieldReader(schemaIn: schema(in:)) { node, field, findings in
      guard case .mapping(let entries) = node.content else {
        findings.add(
          "\(field) must be \(kind), not \(node.kindName)", remedy: "write it as NAME: VALUE", at: node)
        return nil
      }
      let known = known.value
      guard entries.count <= 1 else {
        findings.add(
          "\(field) has \(entries.count) keys, and \(kind) has one",
          remedy: "put them under all or any, as a list", at: entries[1].keySpan.lowerBound)
        // Report the errors in each entry nevertheless.
        for entry in entries where !findings.stopIfFull() {
          _ = value(of: entry, among: known, kind, findings)
        }
        return nil
      }
      guard let entry = entries.first else {
        if node.isComplete {
          findings.add("\(field) is empty", remedy: "use one of \(known.map(\.key).alternatives)", at: node)
        }
        return nil
      }
      return value(of: entry, among: known, kind, findings)
    }
  }

  private static func value(
    of entry: SourceEntry, among known: [KeyedReader<Value>], _ kind: String, _ findings: SourceFindings
  ) -> Value? {
    if let match = known.first(where: { $0.key == entry.key }) {
      return match.reader.value(of: entry.value, field: entry.fieldName, findings)
    }
    let names = known.map(\.key)
    let nearest = findings.nearestKey(to: entry, among: names).map { "did you mean \($0)?" }
    findings.add(
      "\(Excerpt(entry.key)) is not \(kind)", remedy: nearest ?? "use one of \(names.alternatives)",
      at: entry.keySpan.lowerBound)
    return nil
  }

  /// The same reader with the result converted, even if a value cannot be read.
  package func recovering<Result>(_ make: @escaping (Value?, SourceNode) -> Result) -> FieldReader<Result> {
    FieldReader<Result>(schemaIn: schemaIn) { node, field, findings in
      make(value(of: node, field: field, findings), node)
    }
  }
}
