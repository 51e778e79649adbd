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

  /// A reader, or nil when the value is no mapping, which is told.
  public init?(_ node: SourceNode, _ name: String, _ findings: SourceFindings) {
    switch node.content {
    case .mapping(let entries):
      self.entries = entries
    case .unusable:
      return nil
    case .scalar, .sequence:
      findings.add(
        "\(name) must be a mapping, not \(node.kindName)", remedy: "write it as lines of KEY: VALUE", at: node
      )
      return nil
    }
    self.node = node
    self.name = name
    self.findings = findings
  }

  /// The key with its value, or nil when it is not there.
  public mutating func entry(_ key: String) -> SourceEntry? {
    known.append(key)
    return entries.first { $0.key == key }
  }

  /// The value of a key that may be left out.
  ///
  /// - Returns: nil when it is not there, or wrong.
  public mutating func optional<Value>(_ key: String, _ reader: FieldReader<Value>) -> Value? {
    guard let entry = entry(key) else { return nil }
    return reader.value(of: entry.value, field: entry.fieldName, findings)
  }

  /// The value of a key that must be there, nil when it is not, or is wrong; the example shows how it could be written.
  public mutating func required<Value>(
    _ key: String, _ reader: FieldReader<Value>, example: String
  ) -> Value? {
    guard let entry = entry(key) else {
      // Of what was not read to its end nobody knows what is missing.
      if node.isComplete {
        findings.add("\(name) has no \(key)", remedy: "add a line such as \(key): \(example)", at: node)
      }
      return nil
    }
    return reader.value(of: entry.value, field: entry.fieldName, findings)
  }

  /// Tells every key that was not asked for.
  public func finish() {
    for entry in entries where !known.contains(entry.key) {
      let nearest = nearestName(to: entry.key, among: known).map { "did you mean \($0)?" }
      findings.add(
        "\(name) has an unknown key \(Excerpt(entry.key))", remedy: nearest ?? "use \(known.alternatives)",
        at: entry.keySpan.lowerBound)
    }
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
