import ProbeCore

/// A key of a mapping with exactly one key, and how its value is read.
public struct KeyedReader<Value> {
  /// The key.
  public let key: String
  /// Its purpose, or nil.
  public let summary: String?
  let reader: FieldReader<Value>

  /// Creates a reader for a key that converts the value; the summary is for the schema.
  public init<Inner>(
    _ key: String, _ reader: FieldReader<Inner>, summary: String? = nil, make: @escaping (Inner) -> Value
  ) {
    self.key = key
    self.summary = summary
    self.reader = reader.map { value, _, _ in make(value) }
  }

  /// The same key with the result converted.
  public func map<Other>(_ make: @escaping (Value) -> Other) -> KeyedReader<Other> {
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
  public static func oneKey(_ kind: String, _ keys: @escaping () -> [KeyedReader<Value>]) -> FieldReader {
    let known = MadeOnce(keys)
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
        for entry in entries where !findings.givesUp() {
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
  public func recovering<Result>(_ make: @escaping (Value?, SourceNode) -> Result) -> FieldReader<Result> {
    FieldReader<Result>(schemaIn: schemaIn) { node, field, findings in
      make(value(of: node, field: field, findings), node)
    }
  }
}
