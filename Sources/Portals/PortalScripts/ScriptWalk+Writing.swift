import ProbeBase

/// Markup that scripts write into the page.
extension ScriptWalk {
  /// Processes the arguments of `document.write`.
  mutating func write(_ arguments: [ScriptValue]) {
    var value = ScriptValue.text([])
    for argument in arguments { value = concatenation(value, argument) }
    guard case .text(let text) = value else { return }
    _ = addElements(of: value)
    guard isImmediate else { return readMarkup(text) }
    // Often a tag is written in several parts.
    if written.isEmpty { (writtenAt, isWrittenDoubtful) = (position ?? at, false) }
    isWrittenDoubtful = isWrittenDoubtful || isDoubtful || openWays > 0
    if written.count + text.count <= ScriptText.maximumLength { written += text }
  }

  /// Reads what has been written so far.
  mutating func readWritten() {
    let before = (position, isDoubtful)
    while !written.isEmpty {
      let text = written
      written = []
      position = before.0 ?? writtenAt
      isDoubtful = isWrittenDoubtful
      readMarkup(text)
    }
    (position, isDoubtful) = before
  }

  /// The limit for elements in markup that scripts add.
  private static let maximumElements = 256

  /// Adds the elements of markup to those of the page.
  ///
  /// - Returns: The first one, as an object.
  mutating func addElements(of value: ScriptValue?) -> ScriptValue {
    guard case .text(let text)? = value else { return .unknown }
    textBudget -= text.count * 16
    guard textBudget > 0 else { return .unknown }
    noteRequests(inMarkup: text)
    var rest = text[...]
    var first = ScriptValue.unknown
    while let open = rest.firstIndex(of: UInt8(ascii: "<")), pageElements.count < Self.maximumElements {
      rest = rest[(open + 1)...]
      let tag = rest.takeTagWord()
      guard ["a", "form", "input"].contains(tag) else { continue }
      var added = PageElement(tag: tag, attributes: rest.takeAttributes(), isAdded: true)
      // Another branch may add another one.
      if openWays > 0 {
        added.attributes = added.attributes.mapValues { _ in String(UnicodeScalar(ScriptText.hole)) }
      }
      pageElements.append(added)
      if case .unknown = first { first = element(at: pageElements.count - 1) }
    }
    return first
  }

  /// Records the requests for the sources of elements in markup that scripts add.
  private mutating func noteRequests(inMarkup text: [UInt8]) {
    var rest = text[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "<")), requests.count < ScriptFindings.maximumCount {
      rest = rest[(open + 1)...]
      let tag = rest.takeTagWord()
      guard ["img", "script", "iframe", "frame", "embed", "video", "audio", "source"].contains(tag),
        let source = rest.takeAttributes()["src"]
      else { continue }
      request(.text(Array(source.utf8)))
    }
  }

  /// Searches HTML for tags that redirect; this is not an HTML parser, but written markup is small and
  /// simple.
  private mutating func readMarkup(_ text: [UInt8]) {
    var rest = text[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(open + 1)...]
      let name = rest.takeTagWord()
      switch name {
      case "meta":
        let attributes = rest.takeAttributes()
        guard attributes["http-equiv"]?.lowercased() == "refresh", let content = attributes["content"],
          let target = MetaRefresh(content)?.url
        else { break }
        recordRedirect(to: .text(Array(target.utf8)), .refresh)
      case "iframe", "frame":
        if let source = rest.takeAttributes()["src"] { recordRedirect(to: .text(Array(source.utf8)), .frame) }
      case "body":
        if let script = rest.takeAttributes()["onload"] { walkInner(Array(script.utf8)) }
      case "script":
        let attributes = rest.takeAttributes()
        let script = rest.takeScript()
        if attributes["src"] == nil { walkInner(Array(script)) }
      default: break
      }
    }
  }
}

extension ArraySlice<UInt8> {
  /// Reads a word of letters and dashes, in lower case.
  fileprivate mutating func takeTagWord() -> String {
    let word = prefix(40).prefix { $0.isXMLNameByte }
    self = self[word.endIndex...]
    return String(decoding: word, as: UTF8.self).lowercased()
  }

  /// Reads the attributes of a tag, and its end.
  fileprivate mutating func takeAttributes() -> [String: String] {
    var attributes: [String: String] = [:]
    while let byte = first {
      if byte == UInt8(ascii: ">") {
        removeFirst()
        break
      }
      guard byte.isXMLNameByte else {
        removeFirst()
        continue
      }
      let name = takeTagWord()
      self = drop { $0 <= 0x20 && $0 != ScriptText.hole }
      guard first == UInt8(ascii: "=") else { continue }
      self = dropFirst().drop { $0 <= 0x20 && $0 != ScriptText.hole }
      let value = takeAttributeValue()
      if attributes[name] == nil, attributes.count < 32 {
        attributes[name] = String(decoding: value.decodingEntities, as: UTF8.self)
      }
    }
    return attributes
  }

  private mutating func takeAttributeValue() -> ArraySlice<UInt8> {
    if let quote = first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let value = dropFirst().prefix { $0 != quote }
      self = self[value.endIndex...].dropFirst()
      return value
    }
    let value = prefix { ($0 > 0x20 || $0 == ScriptText.hole) && $0 != UInt8(ascii: ">") }
    self = self[value.endIndex...]
    return value
  }

  /// Reads the text of a script, up to its end tag.
  fileprivate mutating func takeScript() -> ArraySlice<UInt8> {
    let text = self
    var end = startIndex
    while end < endIndex {
      if self[end] == UInt8(ascii: "<"), self[end...].dropFirst().starts(with: "/".utf8),
        self[end...].dropFirst(2).prefix(6).elementsEqual("script".utf8, by: { $0 | 0x20 == $1 })
      {
        break
      }
      end += 1
    }
    self = self[end...]
    return text[..<end]
  }
}
