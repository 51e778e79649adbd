import ProbeCore

/// A list or a mapping that is being read.
struct DocumentFrame {
  enum Kind {
    case sequence
    case mapping
  }

  /// A finished value with its size.
  struct Finished {
    var node: SourceNode
    /// The number of values, including itself.
    var count: Int
    /// The nesting depth, including itself.
    var height: Int
    /// The size of its texts in bytes.
    var bytes = 0
  }

  let kind: Kind
  let isFlow: Bool
  let anchor: String?
  let start: Int
  var isComplete = true
  var isUsable = true
  /// The start of a text after a comma that should have been quoted, which was reported.
  var splitAt: Int?
  private var items: [SourceNode] = []
  private var entries: [SourceEntry] = []
  private var key: SourceNode?
  private var seen: [String: Range<Int>] = [:]
  /// Whether the key `<<` adds the entries of other mappings (YAML 1.1, "merge").
  var mergesKeys = false
  /// The entries that it adds.
  private var merged: [SourceEntry] = []
  private var count = 1
  private var height = 0
  private var bytes = 0

  init(_ kind: Kind, isFlow: Bool, anchor: String?, start: Int) {
    self.kind = kind
    self.isFlow = isFlow
    self.anchor = anchor
    self.start = start
  }

  /// The value that was read.
  func finished(end: Int) -> Finished {
    var others: [SourceEntry] = []
    var keys = Set(seen.keys)
    for entry in merged where keys.insert(entry.key).inserted { others.append(entry) }
    let content: SourceNode.Content = kind == .sequence ? .sequence(items) : .mapping(entries + others)
    let node = SourceNode(content, span: start..<max(start, end), isComplete: isComplete)
    return Finished(node: node, count: count, height: height + 1, bytes: bytes)
  }

  /// Adds an item, a key or a value; `isMissing` returns whether a key has no value in the file.
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
      if splitAt != key.span.lowerBound { reportMissingValue(of: text, at: key, findings) }
      return
    }
    guard seen[text] == nil else {
      let line = findings.file.location(at: seen[text]?.lowerBound ?? 0).line
      findings.add(
        "the key \(Excerpt(text)) occurs twice", remedy: "keep one; the first is in line \(line)", at: key)
      return
    }
    seen[text] = key.span
    guard !(mergesKeys && text == "<<" && key.scalar?.isPlain == true) else {
      return merge(value.node, findings)
    }
    entries.append(SourceEntry(key: text, keySpan: key.span, value: value.node))
  }

  /// Marks the last item, key or value as unusable if it ends at an offset.
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
    case .scalar(let scalar) where scalar.isPlain && scalar.text == "<<" && !mergesKeys:
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

  /// Adds the entries of a mapping, or of several of which the first has precedence.
  private mutating func merge(_ value: SourceNode, _ findings: SourceFindings) {
    switch value.content {
    case .mapping(let entries): merged += entries
    case .sequence(let items): for item in items { merge(item, findings) }
    case .unusable: isComplete = false
    case .scalar:
      findings.add(
        "only a mapping can be merged, not \(value.kindName)", remedy: "write <<: *NAME", at: value)
    }
  }

  private func reportMissingValue(of text: String, at key: SourceNode, _ findings: SourceFindings) {
    if let colon = text.firstIndex(of: ":"), key.scalar?.isPlain == true, !text.contains("://") {
      let parts = (text[..<colon], text[text.index(after: colon)...])
      let remedy = "put a space behind the colon, as in \"\("\(parts.0): \(parts.1)".escapedForDisplay)\""
      findings.add("the key \(Excerpt(text)) has no value", remedy: remedy, at: key)
    } else {
      findings.add(
        "the key \(Excerpt(text)) has no value",
        remedy: "quote the text, if the comma in front of it belongs to it", at: key)
    }
  }
}
