/// A value in a file, with its place.
public struct SourceNode: Sendable {
  /// What a value is.
  public enum Content: Sendable {
    /// A text or what is written like one; which of the two its field decides.
    case scalar(SourceScalar)
    /// A list.
    case sequence([SourceNode])
    /// Keys with their values, in the order of the file.
    case mapping([SourceEntry])
    /// Something of which has been told already that it cannot be used; whoever reads it keeps silent.
    case unusable
  }

  /// What it is.
  public var content: Content
  /// Where it stands, in bytes from the start of the file.
  ///
  /// A value used by its anchor's name stands where the anchor is.
  public var span: Range<Int>
  /// Whether all of it was read: false for a list or mapping in which a mistake of the syntax ended the reading.
  public var isComplete = true

  /// A value.
  public init(_ content: Content, span: Range<Int>, isComplete: Bool = true) {
    self.content = content
    self.span = span
    self.isComplete = isComplete
  }
}

/// A text in a file.
public struct SourceScalar: Hashable, Sendable {
  /// The text, escapes resolved; nothing is made of `no`, `~` or `0x10`.
  public var text: String
  /// Whether it is written without quotes, so that it takes the type of its field.
  public var isPlain: Bool

  /// A text.
  public init(_ text: String, isPlain: Bool) {
    self.text = text
    self.isPlain = isPlain
  }

  /// Whether it says that there is no value (YAML 1.1, "null"): nothing, `~` or `null`, without quotes.
  public var isNull: Bool {
    isPlain && ["", "~", "null", "Null", "NULL"].contains(text)
  }
}

/// A key of a mapping with its value.
public struct SourceEntry: Sendable {
  /// The key.
  public var key: String
  /// Where the key stands.
  public var keySpan: Range<Int>
  /// The value.
  public var value: SourceNode

  /// A key with its value.
  public init(key: String, keySpan: Range<Int>, value: SourceNode) {
    self.key = key
    self.keySpan = keySpan
    self.value = value
  }
}

extension SourceNode {
  /// The scalar it is, or nil.
  public var scalar: SourceScalar? {
    if case .scalar(let scalar) = content { scalar } else { nil }
  }

  /// The key of a mapping with its value, or nil when it is not there or this is no mapping.
  public func entry(_ key: String) -> SourceEntry? {
    if case .mapping(let entries) = content { entries.first { $0.key == key } } else { nil }
  }

  /// What it is, for a message.
  public var kindName: String {
    switch content {
    case .scalar(let scalar): scalar.isNull ? "nothing" : "a text"
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .unusable: "unusable"
    }
  }
}

extension SourceNode {
  /// How many values it is made of.
  var weight: Int {
    switch content {
    case .scalar, .unusable: 1
    case .sequence(let nodes): nodes.reduce(1) { $0 + $1.weight }
    case .mapping(let entries): entries.reduce(1) { $0 + $1.value.weight }
    }
  }

  /// Whether all of it was read and can be used.
  var isWhole: Bool {
    guard isComplete else { return false }
    return switch content {
    case .scalar: true
    case .unusable: false
    case .sequence(let nodes): nodes.allSatisfy(\.isWhole)
    case .mapping(let entries): entries.allSatisfy(\.value.isWhole)
    }
  }

  /// The part at a path of keys and numbers of items, or the nearest around it that is there, with its path.
  func part(at path: [String]) -> (node: SourceNode, path: [String]) {
    var node = self
    for (depth, name) in path.enumerated() {
      guard let next = node.child(name) else { return (node, Array(path[..<depth])) }
      node = next
    }
    return (node, path)
  }

  /// What the part at a path is called in messages, where the whole is called `field`.
  func field(at path: [String], _ field: String) -> String {
    var (node, field) = (self, field)
    for name in path {
      guard let next = node.child(name) else { break }
      if let entry = node.entry(name) { field = entry.fieldName }
      node = next
    }
    return field
  }

  private func child(_ name: String) -> SourceNode? {
    switch content {
    case .mapping: entry(name)?.value
    case .sequence(let nodes): Int(name).flatMap { nodes.indices.contains($0) ? nodes[$0] : nil }
    case .scalar, .unusable: nil
    }
  }
}
