import ProbeCore

/// Reads the keys of a mapping one after the other, and tells everything that is wrong instead of stopping at the first.
///
/// What is asked for is what is known: ``finish()`` tells the other keys as unknown.
public struct MappingReader {
  /// The mapping.
  public let node: SourceNode
  /// Its keys with their values, in the order of the file.
  public let entries: [SourceEntry]
  /// Where to tell what is wrong.
  public let findings: SourceFindings
  /// What the mapping is called in messages.
  private let name: String
  private var known: [String] = []
  /// Keys that must be there and are not, with an example of each.
  private var missing: [(key: String, example: String)] = []
  /// Where to note what is asked for, when nothing is read.
  private let schema: SchemaKeys?

  /// A reader, or nil when the value is no mapping, which is told.
  public init?(_ node: SourceNode, _ name: String, _ findings: SourceFindings) {
    switch node.content {
    case .mapping(let entries):
      self.entries = entries
    case .unusable:
      return nil
    case .scalar, .sequence:
      findings.add(ScalarRules.noMapping(node, name), at: node)
      return nil
    }
    self.node = node
    self.name = name
    self.findings = findings
    schema = nil
  }

  /// A reader that finds no key and tells nobody what is wrong: it notes what is asked for.
  init(_ schema: SchemaKeys) {
    node = SourceNode(.mapping([]), span: 0..<0, isComplete: false)
    entries = []
    name = "a mapping"
    findings = SourceFindings(SourceFile(path: "", bytes: []))
    self.schema = schema
  }

  /// Whether nothing is read: the reader is asked only to learn which keys there are.
  public var isAskedForSchema: Bool { schema != nil }

  /// The key with its value, or nil when it is not there; the schema says that the value may be anything.
  public mutating func entry(_ key: String, summary: String? = nil) -> SourceEntry? {
    schema?.add(.key(key, .anything, summary: summary))
    return find(key)
  }

  /// The key with its value, or nil when it is not there; the reader says what the schema has of it, and is not run.
  public mutating func entry<Value>(
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

  /// The value of a key that may be left out; what holds without it, in words, and the summary are for the schema.
  ///
  /// - Returns: nil when it is not there, or wrong.
  public mutating func optional<Value>(
    _ key: String, _ reader: FieldReader<Value>, default defaultValue: String? = nil, summary: String? = nil
  ) -> Value? {
    guard let entry = entry(key, reader, default: defaultValue, summary: summary) else { return nil }
    return reader.value(of: entry.value, field: entry.fieldName, findings)
  }

  /// The value of a key that must be there, nil when it is not, or is wrong; the example shows how it could be written.
  public mutating func required<Value>(
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

  /// Whether there is a key that was not asked for.
  public var hasUnknownKeys: Bool { entries.contains { !known.contains($0.key) } }

  /// Tells every key that was not asked for, and every one that must be there and is not.
  public func finish() {
    var meant: [String] = []
    for entry in entries where !known.contains(entry.key) {
      if findings.givesUp() { return }
      if let nearest = findings.tellUnknown(entry, in: name, known: known) { meant.append(nearest) }
    }
    // Of what was not read to its end nobody knows what is missing; a key that is misspelt is not.
    guard node.isComplete else { return }
    for (key, example) in missing where !meant.contains(key) {
      findings.add(ScalarRules.noKey(key, in: name, example: example), at: node)
    }
  }

  private mutating func find(_ key: String) -> SourceEntry? {
    known.append(key)
    return entries.first { $0.key == key }
  }
}

extension SourceEntry {
  /// What the field is called in messages.
  public var fieldName: String { key.isWordOfDocument ? key : "\(Excerpt(key))" }
}

extension String {
  /// Whether a key can stand in a sentence without quotes.
  fileprivate var isWordOfDocument: Bool {
    !isEmpty && utf8.count <= 32
      && utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2D }
  }
}
