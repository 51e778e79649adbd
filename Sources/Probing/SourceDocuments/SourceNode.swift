import ProbeBase
package import ProbeCore

/// A value in a file, with its location.
package struct SourceNode: Sendable {
  package enum Content: Sendable {
    /// A scalar; its field determines whether it is a text or another type.
    case scalar(SourceScalar)
    /// A list.
    case sequence([SourceNode])
    /// A mapping, with entries in the order of the file.
    case mapping([SourceEntry])
    /// Something that cannot be used and has been reported already; a reader must not report it again.
    case unusable
  }

  package var content: Content
  /// The byte range in the file.
  ///
  /// The value of an alias has the range of its anchor.
  package var span: Range<Int>
  /// Whether it was read completely: false for a list or mapping in which a syntax error stopped the parser.
  package var isComplete = true

  package init(_ content: Content, span: Range<Int>, isComplete: Bool = true) {
    self.content = content
    self.span = span
    self.isComplete = isComplete
  }

  /// A value that is in no file; its texts have the type of their field, as without quotes.
  package init(_ value: WrittenValue) {
    switch value {
    case .text(let text):
      var scalar = SourceScalar(text, isPlain: true)
      scalar.isPlain = !scalar.isNull
      self.init(.scalar(scalar), span: 0..<0)
    case .list(let items): self.init(.sequence(items.map { SourceNode($0) }), span: 0..<0)
    case .mapping(let entries):
      self.init(
        .mapping(
          entries.map { SourceEntry(key: $0.key, keySpan: 0..<0, value: SourceNode($0.value)) }),
        span: 0..<0)
    }
  }
}

/// A text in a file.
package struct SourceScalar: Hashable, Sendable {
  /// The text with escapes resolved; `no`, `~` and `0x10` are not interpreted.
  package var text: String
  /// Whether it has no quotes, so that it has the type of its field.
  package var isPlain: Bool
  /// The text for reports, with the names of secrets instead of their values; nil for the text itself.
  package var shown: String?
  /// Whether it has the tag `!!binary`: the text is then base64.
  package var isBinary = false

  package init(_ text: String, isPlain: Bool) {
    self.text = text
    self.isPlain = isPlain
  }

  /// Whether it is null (YAML 1.1, "null"): empty, `~` or `null`, without quotes.
  package var isNull: Bool {
    isPlain && ["", "~", "null", "Null", "NULL"].contains(text)
  }
}

/// An entry of a mapping.
package struct SourceEntry: Sendable {
  package var key: String
  /// The byte range of the key.
  package var keySpan: Range<Int>
  package var value: SourceNode

  package init(key: String, keySpan: Range<Int>, value: SourceNode) {
    self.key = key
    self.keySpan = keySpan
    self.value = value
  }
}

extension SourceNode {
  /// The scalar, or nil if the value is not one.
  package var scalar: SourceScalar? {
    if case .scalar(let scalar) = content { scalar } else { nil }
  }

  /// The entry for a key of a mapping, or nil if there is none or the value is not a mapping.
  package func entry(_ key: String) -> SourceEntry? {
    if case .mapping(let entries) = content { entries.first { $0.key == key } } else { nil }
  }

  /// The same value with its offsets moved.
  func shifted(by distance: Int) -> SourceNode {
    func moved(_ span: Range<Int>) -> Range<Int> {
      (span.lowerBound + distance)..<(span.upperBound + distance)
    }
    var node = self
    node.span = moved(span)
    switch content {
    case .scalar, .unusable: break
    case .sequence(let items): node.content = .sequence(items.map { $0.shifted(by: distance) })
    case .mapping(let entries):
      node.content = .mapping(
        entries.map { entry in
          SourceEntry(
            key: entry.key, keySpan: moved(entry.keySpan), value: entry.value.shifted(by: distance))
        })
    }
    return node
  }

  /// The kind of value, for messages.
  package var kindName: String {
    switch content {
    case .scalar(let scalar): scalar.isNull ? "nothing" : "a text"
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .unusable: "unusable"
    }
  }
}

extension SourceNode {
  /// The total number of values in it.
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

  /// The part at a path of keys and item indexes, or its closest existing ancestor, with the path of the
  /// result.
  func part(at path: [String]) -> (node: SourceNode, path: [String]) {
    var node = self
    for (depth, name) in path.enumerated() {
      guard let next = node.child(name) else { return (node, Array(path[..<depth])) }
      node = next
    }
    return (node, path)
  }

  /// The name of the part at a path in messages, if the whole is called `field`.
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
    case .sequence(let nodes): Int(text: name).flatMap { nodes.indices.contains($0) ? nodes[$0] : nil }
    case .scalar, .unusable: nil
    }
  }
}

extension SourceNode {
  /// The file offset of a byte in a scalar's text, after escapes are resolved; nil if it cannot be
  /// determined.
  func offset(ofTextByte offset: Int, in file: SourceFile) -> Int? {
    if let start = textStart(in: file) { return start + offset }
    guard let scalar, !scalar.isPlain else { return nil }
    let text = Array(scalar.text.utf8)
    let end = min(span.upperBound, file.bytes.count)
    // After an anchor or a tag, the quote is not at the start.
    guard span.lowerBound < end else { return nil }
    switch file.bytes[span.lowerBound] {
    case UInt8(ascii: "'"):
      return QuotedText(file.bytes[(span.lowerBound + 1)..<end], isDouble: false).offset(of: offset, in: text)
    case UInt8(ascii: "\""):
      return QuotedText(file.bytes[(span.lowerBound + 1)..<end], isDouble: true).offset(of: offset, in: text)
    default: return nil
    }
  }

  /// The offset of a scalar's text in the file if it appears there unchanged, or nil.
  private func textStart(in file: SourceFile) -> Int? {
    guard let scalar else { return nil }
    let text = Array(scalar.text.utf8)
    // After an anchor or a tag, the text does not start where the node starts.
    for start in [span.lowerBound, span.lowerBound + 1]
    where start + text.count <= min(span.upperBound, file.bytes.count) {
      if file.bytes[start..<(start + text.count)].elementsEqual(text) { return start }
    }
    return nil
  }
}

/// Maps a quoted text in the file to the text it represents.
private struct QuotedText {
  let source: ArraySlice<UInt8>
  let isDouble: Bool

  init(_ source: ArraySlice<UInt8>, isDouble: Bool) {
    self.source = source
    self.isDouble = isDouble
  }

  /// The offset of a byte of the text, or nil if the two cannot be mapped, for instance with folded lines.
  func offset(of offset: Int, in text: [UInt8]) -> Int? {
    var index = source.startIndex
    var done = 0
    while done < offset {
      guard index < source.endIndex, done < text.count else { return nil }
      let (read, made) = step(at: index, making: text[done])
      guard read > 0 else { return nil }
      index += read
      done += made
    }
    // Inside the result of an escape, the start of the escape is returned.
    return done == offset && index < source.endIndex ? index : nil
  }

  /// The number of bytes that the next part has in the file, and in the text; both 0 if they do not match.
  private func step(at index: Int, making byte: UInt8) -> (read: Int, made: Int) {
    let next = index + 1 < source.endIndex ? source[index + 1] : 0
    switch source[index] {
    case UInt8(ascii: "\\") where isDouble:
      let digits = [UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8][next] ?? 0
      // The text determines the length of the character that a numeric escape represents (RFC 3629 §3); a
      // surrogate pair is two escapes.
      let made =
        digits == 0 ? Self.length(ofNamed: next) : byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      return (made == 4 && digits == 4 ? 12 : 2 + digits, made)
    case UInt8(ascii: "'") where !isDouble:
      return next == UInt8(ascii: "'") ? (2, 1) : (0, 0)
    case byte:
      return (1, 1)
    default:
      return (0, 0)
    }
  }

  /// The length of the character of a single-letter escape (YAML 1.1 §5.6): 1 if it is ASCII, otherwise 0.
  private static func length(ofNamed letter: UInt8) -> Int {
    "0abtnvfre \"/\\\t".utf8.contains(letter) ? 1 : 0
  }
}
