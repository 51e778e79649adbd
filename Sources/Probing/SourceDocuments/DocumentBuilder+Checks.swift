import ProbeCore

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
