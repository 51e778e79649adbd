internal import ProbeCore

/// Follows a page of HTML or XML byte by byte, and determines the position of the next byte (HTML
/// standard §13.2.5).
struct MarkupPositions {
  private enum State {
    case text
    /// After `<`.
    case open
    case tagName
    /// In a tag, between attributes.
    case tag
    case attributeName
    /// After `=`.
    case beforeValue
    case value(quote: UInt8?)
    /// In `<!…>` or `<?…>`.
    case declaration
    /// In a CDATA section of XML.
    case characters
    case comment
    /// In an element whose content has no markup, such as a script.
    case raw
  }

  private var state = State.text
  /// The name of the tag, in lower case.
  private var tag: [UInt8] = []
  private var attribute: [UInt8] = []
  /// The name of the element whose content has no markup.
  private var rawElement: [UInt8] = []
  /// The last bytes, which may end a comment or an element.
  private var recent: [UInt8] = []
  private var urls = URLRun()

  private static let rawElements = ["script", "style"].map { Array($0.utf8) }
  private static let urlAttributes = [
    "href", "src", "action", "formaction", "poster", "data", "cite", "background", "manifest", "ping",
    "xlink:href",
  ].map { Array($0.utf8) }
  /// The maximum length of a name that matters.
  private static let maximumNameLength = 16

  private func isTag(_ name: String) -> Bool { tag.elementsEqual(name.utf8) }

  private static let styleReason = "the style of a page"

  /// The position of the next byte or variable.
  ///
  /// - Throws: `InvalidInput` if no variable is allowed there.
  func position() throws(InvalidInput) -> TemplatePosition {
    switch state {
    case .text, .comment: return TemplatePosition(syntax: .markup(isUnquoted: false), url: urls.part)
    case .raw:
      guard rawElement.elementsEqual("script".utf8) else { throw Self.refusal(Self.styleReason) }
      return TemplatePosition(syntax: .script, url: urls.part == .start ? nil : urls.part)
    case .value, .beforeValue:
      var isUnquoted = true
      if case .value(quote: .some) = state { isUnquoted = false }
      if attribute.elementsEqual("style".utf8) { throw Self.refusal(Self.styleReason) }
      if attribute.elementsEqual("srcdoc".utf8) { throw Self.refusal("a page in an attribute") }
      if attribute.starts(with: "on".utf8) { return TemplatePosition(syntax: .script) }
      return TemplatePosition(syntax: .markup(isUnquoted: isUnquoted), url: urls.part)
    case .open, .tagName, .tag, .attributeName: throw Self.refusal("a tag")
    case .declaration, .characters: throw Self.refusal("a declaration or a CDATA section")
    }
  }

  private static func refusal(_ context: String) -> InvalidInput {
    InvalidInput(
      "a variable cannot be in \(context)",
      remedy: "put it in a text, or between the quotes of an attribute or of a string in a script")
  }

  /// Notes a variable.
  mutating func read(_ variable: TemplateVariable) {
    if case .beforeValue = state { state = .value(quote: nil) }
    urls.read(variable)
    recent = []
  }

  mutating func read(_ byte: UInt8) {
    note(byte)
    let isSpace = " \t\n\r\u{C}".utf8.contains(byte)
    switch state {
    case .text:
      if byte == UInt8(ascii: "<") { (state, tag) = (.open, []) } else { urls.read(byte) }
    case .open: readOpen(byte)
    case .tagName:
      if byte == UInt8(ascii: ">") {
        endTag()
      } else if isSpace || byte == UInt8(ascii: "/") {
        state = .tag
      } else {
        Self.append(byte, to: &tag)
      }
    case .tag: readTag(byte, isSpace)
    case .attributeName:
      switch byte {
      case UInt8(ascii: "="): state = .beforeValue
      case UInt8(ascii: ">"): endTag()
      case _ where isSpace || byte == UInt8(ascii: "/"): state = .tag
      default: Self.append(byte, to: &attribute)
      }
      if case .beforeValue = state { startValue() }
    case .beforeValue:
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        state = .value(quote: byte)
      } else if byte == UInt8(ascii: ">") {
        endTag()
      } else if !isSpace {
        state = .value(quote: nil)
        urls.read(byte)
      }
    case .value(let quote):
      if let quote, byte == quote {
        state = .tag
      } else if quote == nil, isSpace {
        state = .tag
      } else if quote == nil, byte == UInt8(ascii: ">") {
        endTag()
      } else {
        readValue(byte)
      }
    case .declaration: readDeclaration(byte)
    case .characters: if recent.suffix(3).elementsEqual("]]>".utf8) { backToText() }
    case .comment: if recent.suffix(3).elementsEqual("-->".utf8) { backToText() } else { urls.read(byte) }
    case .raw: readRaw(byte)
    }
  }

  private mutating func note(_ byte: UInt8) {
    recent.append(byte.asciiLowercased)
    if recent.count > 2 * Self.maximumNameLength { recent.removeFirst(Self.maximumNameLength) }
  }

  private static func append(_ byte: UInt8, to name: inout [UInt8]) {
    if name.count < maximumNameLength { name.append(byte.asciiLowercased) }
  }

  private mutating func backToText() {
    state = .text
    urls.start()
  }

  private mutating func readOpen(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "?"): (state, recent) = (.declaration, [byte])
    case UInt8(ascii: "/"): (state, tag) = (.tagName, [byte])
    case _ where byte.isASCIILetter: (state, tag) = (.tagName, [byte.asciiLowercased])
    default: backToText()
    }
  }

  private mutating func readTag(_ byte: UInt8, _ isSpace: Bool) {
    if byte == UInt8(ascii: ">") { return endTag() }
    if isSpace || byte == UInt8(ascii: "/") { return }
    if byte == UInt8(ascii: "="), !attribute.isEmpty {
      state = .beforeValue
      return startValue()
    }
    (state, attribute) = (.attributeName, [byte.asciiLowercased])
  }

  private mutating func startValue() {
    if Self.urlAttributes.contains(attribute) { urls.startURL() } else { urls.start() }
  }

  private mutating func readValue(_ byte: UInt8) {
    urls.read(byte)
    // <meta http-equiv="refresh" content="0; url=…">
    if byte == UInt8(ascii: "="), isTag("meta"), recent.suffix(4).elementsEqual("url=".utf8) {
      urls.startURL()
    }
  }

  private mutating func endTag() {
    attribute = []
    backToText()
    if Self.rawElements.contains(tag) { (state, rawElement, recent) = (.raw, tag, []) }
  }

  private mutating func readDeclaration(_ byte: UInt8) {
    if recent.elementsEqual("!--".utf8) {
      // Not before the first byte of the content, so that <!--> is read as browsers do.
      (state, recent) = (.comment, Array("--".utf8))
      urls.start()
    } else if recent.elementsEqual("![cdata[".utf8) {
      (state, recent) = (.characters, [])
    } else if byte == UInt8(ascii: ">") {
      backToText()
    }
  }

  private mutating func readRaw(_ byte: UInt8) {
    let end = Array("</".utf8) + rawElement
    if byte == UInt8(ascii: ">") || " \t\n\r/".utf8.contains(byte),
      recent.dropLast().suffix(end.count).elementsEqual(end)
    {
      (tag, state) = ([], .tag)
      if byte == UInt8(ascii: ">") { endTag() }
      return
    }
    urls.read(byte)
  }
}
