import ProbeCore

/// Reads the keys of a mapping one by one, and reports all errors instead of stopping at the first.
///
/// The requested keys are the known ones: ``finish()`` reports all others as unknown.
package struct MappingReader {
  package let node: SourceNode
  /// Its entries in the order of the file.
  package let entries: [SourceEntry]
  /// Receives the errors.
  package let findings: SourceFindings
  /// The name of the mapping in messages.
  private let name: String
  private var known: [String] = []
  /// The required keys that are missing, each with an example.
  private var missing: [(key: String, example: String)] = []
  /// Whether every required key of a property could be read so far.
  package private(set) var hasRequired = true
  /// Records the requested keys when the schema is derived.
  private let schema: SchemaKeys?

  /// Creates a reader, or reports an error and returns nil if the value is not a mapping.
  package init?(_ node: SourceNode, _ name: String, _ findings: SourceFindings) {
    if case .unusable = node.content { return nil }
    guard case .mapping(let entries) = node.content else {
      findings.add(ScalarRules.noMapping(node, name), at: node)
      return nil
    }
    self.node = node
    self.entries = entries
    self.name = name
    self.findings = findings
    schema = nil
  }

  /// Creates a reader without keys that reports nothing: it only records the requested keys.
  init(_ schema: SchemaKeys) {
    node = SourceNode(.mapping([]), span: 0..<0, isComplete: false)
    entries = []
    name = "a mapping"
    findings = SourceFindings(SourceFile(path: "", bytes: []))
    self.schema = schema
  }

  /// Whether the reader is only used to derive the schema, and nothing is read.
  package var isAskedForSchema: Bool { schema != nil }

  /// The entry for a key, or nil if it is missing; in the schema its value may be anything.
  package mutating func entry(_ key: String, summary: String? = nil) -> SourceEntry? {
    schema?.add(.key(key, .anything, summary: summary))
    return find(key)
  }

  /// The entry for a key, or nil if it is missing; the reader is only used for its schema.
  package mutating func entry<Value>(
    _ key: String, _ reader: FieldReader<Value>, isRequired: Bool = false,
    default defaultValue: String? = nil, summary: String? = nil
  ) -> SourceEntry? {
    if let schema {
      schema.add(
        .key(
          key, reader.schemaIn(schema.scope), required: isRequired, default: defaultValue,
          summary: summary))
    }
    return find(key)
  }

  /// The value of an optional key; the default value, in words, and the summary are for the schema.
  ///
  /// - Returns: The value, or nil if it is missing or has an error.
  package mutating func optional<Value>(
    _ key: String, _ reader: FieldReader<Value>, default defaultValue: String? = nil, summary: String? = nil
  ) -> Value? {
    guard let entry = entry(key, reader, default: defaultValue, summary: summary) else { return nil }
    return reader.value(of: entry.value, field: entry.fieldName, findings)
  }

  /// The value of a required key, or nil if it is missing or has an error; the example is used in messages.
  package mutating func required<Value>(
    _ key: String, _ reader: FieldReader<Value>, example: String, summary: String? = nil
  ) -> Value? {
    guard let entry = entry(key, reader, isRequired: true, summary: summary) else {
      missing.append((key, example))
      return nil
    }
    guard entry.value.scalar?.isNull != true else {
      findings.add(
        "\(entry.fieldName) has no value", remedy: "give it one, such as \(example)", at: entry.value)
      return nil
    }
    return reader.value(of: entry.value, field: entry.fieldName, findings)
  }

  /// Reads an optional key into a property, which stays as it is if the key is missing or has an error.
  package mutating func read<Value>(
    into property: inout Value, _ key: String, _ reader: FieldReader<Value>,
    default defaultValue: String? = nil, summary: String? = nil
  ) {
    property = optional(key, reader, default: defaultValue, summary: summary) ?? property
  }

  /// Reads a required key into a property; see ``hasRequired``.
  package mutating func required<Value>(
    into property: inout Value, _ key: String, _ reader: FieldReader<Value>, example: String,
    summary: String? = nil
  ) {
    let value = required(key, reader, example: example, summary: summary)
    hasRequired = hasRequired && value != nil
    property = value ?? property
  }

  /// Whether there is a key that was not requested.
  package var hasUnknownKeys: Bool { entries.contains { !known.contains($0.key) } }

  /// Reports every key that was not requested, and every required key that is missing.
  package func finish() {
    findings.know(known)
    var meant: [String] = []
    for entry in entries where !known.contains(entry.key) {
      if findings.stopIfFull() { return }
      if let nearest = findings.reportUnknown(entry, in: name, known: known) { meant.append(nearest) }
    }
    // After a syntax error the rest of the keys is unknown; a misspelled key is not missing.
    guard node.isComplete else { return }
    for (key, example) in missing where !meant.contains(key) {
      findings.add(ScalarRules.noKey(key, in: name, example: example), at: node)
    }
  }

  private mutating func find(_ key: String) -> SourceEntry? {
    // A key may be requested several times.
    if !known.contains(key) { known.append(key) }
    return entries.first { $0.key == key }
  }
}

extension SourceEntry {
  /// The name of the field in messages.
  package var fieldName: String { key.isWordOfDocument ? key : "\(Excerpt(key))" }
}

extension String {
  /// Whether a key can be used in a sentence without quotes.
  fileprivate var isWordOfDocument: Bool {
    !isEmpty && utf8.count <= 32
      && utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2D }
  }
}
