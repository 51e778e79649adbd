import ProbeCore

/// Builds a value from the parser's events, and rejects YAML syntax that these files do not allow.
struct DocumentBuilder {
  let findings: SourceFindings
  private let pairs: SurrogatePairs
  private let limits: SourceDocument.Limits
  let dialect: SourceDocument.Dialect
  /// The open lists and mappings, outermost first.
  var frames: [DocumentFrame] = []
  /// The previous event.
  var last: YAMLEvent?
  /// The last value with each anchor; nil while it is still being read.
  private var anchors: [String: DocumentFrame.Finished?] = [:]
  private var root: DocumentFrame.Finished?
  private var documents = 0
  private var nodes = 0
  /// The total size of the texts that aliases refer to, counted for each alias.
  private var aliasedBytes = 0
  private var isOverLimit = false

  init(
    _ findings: SourceFindings, pairs: SurrogatePairs, limits: SourceDocument.Limits,
    dialect: SourceDocument.Dialect = .strict
  ) {
    self.dialect = dialect
    self.findings = findings
    self.pairs = pairs
    self.limits = limits
  }

  /// Processes the next event.
  ///
  /// - Returns: Whether to continue.
  mutating func take(_ event: YAMLEvent) -> Bool {
    checkTabs(before: event)
    let span = event.start.offset..<max(event.start.offset, event.end.offset)
    switch event.kind {
    case .documentStart:
      documents += 1
      if documents > 1 {
        findings.add(
          "a second document starts here", remedy: "keep one document in a file", at: span.lowerBound)
        return false
      }
    case .documentEnd:
      break
    case .scalar(let scalar):
      let isUsable = check(scalar, at: event)
      var text = SourceScalar(pairs.restored(scalar, span: span), isPlain: scalar.style == .plain)
      text.isBinary = scalar.tag == Self.binaryTag
      let node = SourceNode(isUsable ? .scalar(text) : .unusable, span: span)
      let bytes = text.text.utf8.count
      add(
        DocumentFrame.Finished(node: node, count: 1, height: 1, bytes: bytes), anchor: scalar.anchor,
        at: event)
    case .alias(let name):
      add(alias(name, at: span), anchor: nil, at: event)
    case .sequenceStart(let start):
      guard open(.sequence, start, at: event) else { return false }
    case .mappingStart(let start):
      guard open(.mapping, start, at: event) else { return false }
    case .sequenceEnd, .mappingEnd:
      if let frame = frames.popLast() { close(frame, at: span.upperBound) }
    }
    last = event
    return !isOverLimit
  }

  /// Notes that the text cannot be parsed from here on.
  mutating func breakOff(at offset: Int) {
    // The text before the error was probably parsed as something other than what its author meant.
    if let top = frames.indices.last { frames[top].dropLast(endingAt: offset) }
  }

  /// The value so far; lists and mappings that are still open are incomplete.
  mutating func finish() -> SourceNode? {
    while var frame = frames.popLast() {
      frame.isComplete = false
      close(frame, at: frame.start)
    }
    return root?.node
  }
}

extension DocumentBuilder {
  private mutating func open(
    _ kind: DocumentFrame.Kind, _ start: YAMLCollection, at event: YAMLEvent
  ) -> Bool {
    let offset = event.start.offset
    guard frames.count < limits.depth else {
      findings.add("values are nested more than \(limits.depth) deep", at: offset)
      return false
    }
    checkTag(start.tag, isFor: kind == .sequence ? "seq" : "map", at: offset)
    var frame = DocumentFrame(kind, isFlow: start.isFlow, anchor: start.anchor, start: offset)
    frame.mergesKeys = dialect == .common
    if isPair(frame, event) {
      frame.isUsable = false
      findings.add(
        "a \": \" in an unquoted item of a list", remedy: "quote the item, or write a mapping in braces",
        at: offset)
    }
    if let anchor = start.anchor { anchors[anchor] = .some(nil) }
    frames.append(frame)
    return true
  }

  private mutating func close(_ frame: DocumentFrame, at end: Int) {
    var finished = frame.finished(end: end)
    if !frame.isUsable { finished.node.content = .unusable }
    // A value inside may have the same anchor, which then refers to that value.
    let isOpen = frame.anchor.flatMap { anchors[$0] }.map { $0 == nil } ?? false
    add(finished, anchor: isOpen ? frame.anchor : nil, at: nil)
  }

  /// Adds a finished value to its parent.
  private mutating func add(_ value: DocumentFrame.Finished, anchor: String?, at event: YAMLEvent?) {
    var value = value
    nodes += event == nil ? 1 : value.count
    if nodes > limits.nodes, !isOverLimit {
      isOverLimit = true
      findings.add("the file has more than \(limits.nodes) values", at: value.node)
    }
    if frames.count + value.height > limits.depth + 1 {
      findings.add("values are nested more than \(limits.depth) deep", at: event?.start.offset ?? 0)
      value = DocumentFrame.Finished(
        node: SourceNode(.unusable, span: value.node.span), count: 1, height: 1)
    }
    if let anchor { anchors[anchor] = value }
    guard let top = frames.indices.last else {
      root = value
      return
    }
    let inFlow = frames[top].isFlow ? event : nil
    let comma = inFlow.flatMap(commaInText)
    if let comma {
      frames[top].dropLast(endingAt: comma)
      if frames[top].kind == .sequence { value.node.content = .unusable }
      frames[top].splitAt = value.node.span.lowerBound
    }
    let bytes = findings.file.bytes
    frames[top].add(value, findings: findings) { key in
      inFlow.map { Self.isMissing($0, of: key, in: bytes) } ?? false
    }
  }

  private mutating func alias(_ name: String, at span: Range<Int>) -> DocumentFrame.Finished {
    let unusable = DocumentFrame.Finished(node: SourceNode(.unusable, span: span), count: 1, height: 1)
    if case .some(.none) = anchors[name] {
      findings.add("*\(name.escapedForDisplay) contains itself", at: span.lowerBound)
      return unusable
    }
    guard case .some(.some(let value)) = anchors[name] else {
      // The comparison takes time, and no hand-written file has more anchors.
      let nearest = anchors.count > 100 ? nil : nearestName(to: name, among: anchors.keys.sorted())
      findings.add(
        "there is no anchor \"&\(name.escapedForDisplay)\" above",
        remedy: nearest.map { "did you mean *\($0.escapedForDisplay)?" }
          ?? "quote the text, if it starts with *",
        at: span.lowerBound)
      return unusable
    }
    // Many aliases of one long text would cost as much as many copies of it.
    aliasedBytes += value.bytes
    let maximum = 4 * limits.bytes
    if aliasedBytes > maximum, !isOverLimit {
      isOverLimit = true
      findings.add("the texts used by name have more than \(maximum) bytes", at: span.lowerBound)
    }
    return value
  }
}
