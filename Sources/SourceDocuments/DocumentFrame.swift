import ProbeCore

/// A list or a mapping while it is read.
struct DocumentFrame {
  enum Kind {
    case sequence
    case mapping
  }

  /// A value that was read, with what it counts for.
  struct Finished {
    var node: SourceNode
    /// How many values it is, itself included.
    var count: Int
    /// How deep it is, itself included.
    var height: Int
    /// How many bytes its texts have.
    var bytes = 0
  }

  let kind: Kind
  let isFlow: Bool
  let anchor: String?
  let start: Int
  var isComplete = true
  var isUsable = true
  /// Where what stands behind a comma starts that is part of a text; of that has been told.
  var splitAt: Int?
  private var items: [SourceNode] = []
  private var entries: [SourceEntry] = []
  private var key: SourceNode?
  private var seen: [String: Range<Int>] = [:]
  private var count = 1
  private var height = 0
  private var bytes = 0

  init(_ kind: Kind, isFlow: Bool, anchor: String?, start: Int) {
    self.kind = kind
    self.isFlow = isFlow
    self.anchor = anchor
    self.start = start
  }

  /// What was read, as a value.
  func finished(end: Int) -> Finished {
    let content: SourceNode.Content = kind == .sequence ? .sequence(items) : .mapping(entries)
    let node = SourceNode(content, span: start..<max(start, end), isComplete: isComplete)
    return Finished(node: node, count: count, height: height + 1, bytes: bytes)
  }

  /// Adds an item, a key or a value; `isMissing` says whether the value behind a key is none that its author wrote.
  mutating func add(_ value: Finished, findings: SourceFindings, isMissing: (SourceNode) -> Bool) {
    count += value.count
    height = max(height, value.height)
    bytes += value.bytes
    guard kind == .mapping else {
      items.append(value.node)
      return
    }
    guard let key else {
      self.key = value.node
      return
    }
    self.key = nil
    guard let text = keyText(of: key, findings) else { return }
    if isMissing(key) {
      isComplete = false
      if splitAt != key.span.lowerBound { tellMissingValue(of: text, at: key, findings) }
      return
    }
    guard seen[text] == nil else {
      let line = findings.file.place(at: seen[text]?.lowerBound ?? 0).line
      findings.add(
        "the key \(Excerpt(text)) occurs twice", remedy: "keep one; the first is in line \(line)", at: key)
      return
    }
    seen[text] = key.span
    entries.append(SourceEntry(key: text, keySpan: key.span, value: value.node))
  }

  /// Makes what was read last unusable, when it ends at a place.
  mutating func dropLast(endingAt offset: Int) {
    if let key {
      if key.span.upperBound == offset { self.key = nil }
    } else if let last = items.indices.last {
      if items[last].span.upperBound == offset { items[last].content = .unusable }
    } else if let last = entries.indices.last, entries[last].value.span.upperBound == offset {
      entries[last].value.content = .unusable
    }
  }

  private mutating func keyText(of key: SourceNode, _ findings: SourceFindings) -> String? {
    switch key.content {
    case .scalar(let scalar) where scalar.isPlain && scalar.text.isEmpty:
      findings.add("a value without a key", at: key)
    case .scalar(let scalar) where scalar.isPlain && scalar.text == "<<":
      findings.add("merge keys are not known here", remedy: "write the keys out", at: key)
    case .scalar(let scalar):
      return scalar.text
    case .unusable:
      break
    case .sequence, .mapping:
      findings.add("a key that is \(key.kindName)", remedy: "a key is a text", at: key)
    }
    isComplete = false
    return nil
  }

  private func tellMissingValue(of text: String, at key: SourceNode, _ findings: SourceFindings) {
    if let colon = text.firstIndex(of: ":"), key.scalar?.isPlain == true, !text.contains("://") {
      let parts = (text[..<colon], text[text.index(after: colon)...])
      let remedy = "put a space behind the colon, as in \(parts.0): \(parts.1)".escapedForDisplay
      findings.add("the key \(Excerpt(text)) has no value", remedy: remedy, at: key)
    } else {
      findings.add(
        "the key \(Excerpt(text)) has no value",
        remedy: "quote the text, if the comma in front of it belongs to it", at: key)
    }
  }
}
