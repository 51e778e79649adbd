import ProbeCore

/// Builds a value from the parser's events, and rejects YAML syntax that these files do not allow.
struct DocumentBuilder {
  let findings: SourceFindings
  private let pairs: SurrogatePairs
  private let limits: SourceDocument.Limits
  let dialect: SourceDocument.Dialect
  /// The open lists and mappings, outermost first.
  var frames: [DocumentFrame] = []
  /// The previous event; nil before the first.
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

/// Rejects YAML syntax that is valid but hardly ever intended.
extension DocumentBuilder {
  /// The tag of bytes in base64 (YAML 1.1, "binary").
  static let binaryTag = "tag:yaml.org,2002:binary"

  private var bytes: [UInt8] { findings.file.bytes }

  /// Reports tabs between values; inside brackets and braces they are white space, as in JSON.
  func checkTabs(before event: YAMLEvent) {
    guard dialect == .strict, !(frames.last?.isFlow ?? false) else { return }
    let start = last?.end.offset ?? 0
    let end = min(event.start.offset, bytes.count)
    guard start < end, bytes[start..<end].contains(UInt8(ascii: "\t")) else { return }
    var isComment = false
    var isReported = false
    for offset in start..<end {
      switch bytes[offset] {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): (isComment, isReported) = (false, false)
      case UInt8(ascii: "#"): isComment = true
      case UInt8(ascii: "\t") where !isComment && !isReported:
        isReported = true
        findings.add("a tab outside of quotes", remedy: "use spaces", at: offset)
      default: break
      }
    }
  }

  /// Reports errors in a scalar.
  ///
  /// - Returns: Whether it can be used.
  func check(_ scalar: YAMLScalar, at event: YAMLEvent) -> Bool {
    let span = event.start.offset..<min(max(event.start.offset, event.end.offset), bytes.count)
    if dialect == .strict, scalar.style == .plain, let tab = bytes[span].firstIndex(of: UInt8(ascii: "\t")) {
      findings.add(
        "a tab in a text without quotes", remedy: "use spaces, or double quotes and \\t", at: tab)
      return false
    }
    return checkTag(scalar.tag, isFor: "str", at: event.start.offset)
  }

  /// A tag must be from the core schema and match the kind of the value (YAML 1.2 §10.3); it has no further
  /// effect.
  @discardableResult
  func checkTag(_ tag: String?, isFor kind: String, at offset: Int) -> Bool {
    guard let tag, tag != "!" else { return true }
    if dialect == .common, kind == "str", tag == Self.binaryTag { return true }
    let prefix = "tag:yaml.org,2002:"
    let name = tag.hasPrefix(prefix) ? String(tag.dropFirst(prefix.count)) : nil
    let fitting = kind == "str" ? ["str", "int", "float", "bool", "null"] : [kind]
    if let name, fitting.contains(name) { return true }
    let shown = name.map { "!!\($0)" } ?? tag
    findings.add("the tag \(Excerpt(shown)) is unknown", remedy: "remove it", at: offset)
    return false
  }

  /// Whether this is a mapping of one pair without braces, such as the item in `[a: b]`.
  func isPair(_ frame: DocumentFrame, _ event: YAMLEvent) -> Bool {
    guard frame.kind == .mapping, frame.isFlow, let parent = frames.last, parent.isFlow else { return false }
    return parent.kind == .sequence && event.start.offset == event.end.offset
  }

  /// Whether a key in braces has neither a value nor a colon, such as `world` in `{ body: hello, world }`.
  static func isMissing(_ event: YAMLEvent, of key: SourceNode, in bytes: [UInt8]) -> Bool {
    guard case .scalar(let scalar) = event.kind, scalar.style == .plain, scalar.value.isEmpty else {
      return false
    }
    let gap = key.span.upperBound..<max(key.span.upperBound, min(event.start.offset, bytes.count))
    return !bytes[gap].contains(UInt8(ascii: ":"))
  }

  /// Reports a comma without a space after it between unquoted texts in brackets or braces.
  ///
  /// The author means `https://a.example/?x=1,2` as one URL, but in YAML it is two items.
  ///
  /// - Returns: The end of the first text if there is such a comma; then neither text can be used.
  func commaInText(_ event: YAMLEvent) -> Int? {
    guard dialect == .strict, case .scalar(let right) = event.kind, right.style == .plain,
      !right.value.isEmpty,
      let last, case .scalar(let left) = last.kind, left.style == .plain, !left.value.isEmpty
    else { return nil }
    let comma = event.start.offset - 1
    guard comma >= last.end.offset, comma < bytes.count, bytes[comma] == UInt8(ascii: ","),
      !(left.value.isJSONLiteral && right.value.isJSONLiteral)
    else { return nil }
    findings.add(
      "a comma in a text without quotes",
      remedy: "quote the text, or put a space after the comma if it ends there", at: comma)
    return last.end.offset
  }
}

extension String {
  /// Whether it is an unquoted JSON literal: a number, true, false or null (RFC 8259 §3).
  fileprivate var isJSONLiteral: Bool {
    if ["true", "false", "null"].contains(self) { return true }
    guard let first = utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
      return false
    }
    return utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
    } && Double(self) != nil
  }
}
