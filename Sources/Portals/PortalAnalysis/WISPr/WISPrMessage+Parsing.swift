import ProbeBase
import ProbeCore

/// Finding the messages in the bytes of a response.
extension WISPrMessage {
  /// The maximum number of messages to read.
  static let maximumCount = 16
  /// The maximum length of a message in bytes.
  static let maximumLength = 64 * 1024

  /// The messages in a text, wherever they are: bare, in a comment, in CDATA, or with escaped tags.
  ///
  /// This is not an XML parser, because messages often are not valid XML. It searches for an element named
  /// `WISPAccessGatewayParam`, ignoring case, whatever surrounds it, up to its end or to the next one.
  ///
  /// - Parameter text: The bytes; text in an encoding that is no superset of ASCII has to be decoded first.
  /// - Returns: At most 16 messages, in their order.
  public static func messages(in text: Span<UInt8>) -> [WISPrMessage] {
    var messages: [WISPrMessage] = []
    var start: (content: Int, isEscaped: Bool)?
    var position = 0
    func take(upTo end: Int) {
      guard let begin = start else { return }
      start = nil
      var content: [UInt8] = []
      let limit = min(end, begin.content + maximumLength)
      content.reserveCapacity(limit - begin.content)
      for index in begin.content..<limit { content.append(text[index]) }
      messages.append(WISPrMessage(content: begin.isEscaped ? content[...].decodingEntities : content))
    }
    while messages.count < maximumCount, let name = text.nextGatewayName(from: position) {
      let mark = text.tagMark(before: name, from: position)
      position = name + gatewayName.count
      guard let mark else { continue }
      take(upTo: mark.start)
      if !mark.isEnd { start = (position, mark.isEscaped) }
    }
    if messages.count < maximumCount { take(upTo: text.count) }
    return messages
  }

  /// The name of the element in lower case.
  static let gatewayName = Array("wispaccessgatewayparam".utf8)

  /// How far the window may advance for each last byte: to the byte's last occurrence in the name before its
  /// end (Horspool's rule).
  fileprivate static let steps: [Int] = {
    var steps = Array(repeating: gatewayName.count, count: 256)
    for (index, byte) in gatewayName.dropLast().enumerated() {
      steps[Int(widening: byte)] = gatewayName.count - 1 - index
      steps[Int(widening: byte) - 0x20] = gatewayName.count - 1 - index
    }
    return steps
  }()
}

/// The characters before the name of an element.
private struct TagMark {
  var start: Int
  var isEnd: Bool
  var isEscaped: Bool
}

extension Span<UInt8> {
  /// The next occurrence of the name, ignoring case.
  fileprivate func nextGatewayName(from start: Int) -> Int? {
    let name = WISPrMessage.gatewayName
    let steps = WISPrMessage.steps
    var window = start
    while window + name.count <= count {
      var index = name.count - 1
      while index >= 0, self[window + index] | 0x20 == name[index] { index -= 1 }
      if index < 0 { return window }
      window += steps[Int(widening: self[window + name.count - 1])]
    }
    return nil
  }

  /// The start of the tag whose name starts at an index; nil if it is not a tag, as in the URL of a schema.
  ///
  /// A namespace prefix may not begin before the floor, where the previous name ended.
  fileprivate func tagMark(before name: Int, from floor: Int) -> TagMark? {
    var index = name
    if index > 0, self[index - 1] == UInt8(ascii: ":") {
      index -= 1
      // Namespace prefixes are short, and looking back must be cheap.
      let limit = Swift.max(floor, index - 32)
      while index > limit, self[index - 1].isXMLNameByte { index -= 1 }
    }
    var isEnd = false
    if index > 0, self[index - 1] == UInt8(ascii: "/") {
      isEnd = true
      index -= 1
    }
    if index > 0, self[index - 1] == UInt8(ascii: "<") {
      return TagMark(start: index - 1, isEnd: isEnd, isEscaped: false)
    }
    for escape in WISPrMessage.escapedMarks where index >= escape.count {
      let start = index - escape.count
      if escape.indices.allSatisfy({ self[start + $0] | 0x20 == escape[$0] | 0x20 }) {
        return TagMark(start: start, isEnd: isEnd, isEscaped: true)
      }
    }
    return nil
  }
}

extension WISPrMessage {
  /// The spellings of an escaped `<`.
  fileprivate static let escapedMarks = ["&lt;", "&#60;", "&#x3c;"].map { Array($0.utf8) }
}

/// Parsing the contents of a message.
extension WISPrMessage {
  /// The maximum length of a text in bytes; a longer one is left out.
  static let maximumTextLength = 8192

  /// Parses a message.
  ///
  /// - Parameter content: The bytes after the name of its element, up to its end tag.
  init(content: [UInt8]) {
    self.init()
    var rest = content[...]
    var kind: MessageType?
    while let tag = Tag.next(in: &rest) {
      if let named = Self.kinds[tag.name] {
        kind = kind ?? named
      } else if tag.name == "messagetype" {
        messageType = messageType ?? Self.number(tag.value).map(MessageType.init)
      } else if tag.name == "responsecode" {
        responseCode = responseCode ?? Self.number(tag.value).map(ResponseCode.init)
      } else if let field = Self.fields[tag.name], self[keyPath: field] == nil {
        self[keyPath: field] = Self.text(tag.value)
      }
    }
    // Some gateways omit the number; the element implies the same.
    messageType = messageType ?? kind
  }

  /// The elements of each message type.
  private static let kinds: [String: MessageType] = [
    "redirect": .redirect, "proxy": .proxy, "authenticationreply": .authentication,
    "logoffreply": .logoff, "authenticationpollreply": .poll, "abortloginreply": .abort,
  ]

  private static let fields: [String: any WritableKeyPath<WISPrMessage, String?> & Sendable] = [
    "loginurl": \.loginURL, "abortloginurl": \.abortLoginURL, "logoffurl": \.logoffURL,
    "loginresultsurl": \.loginResultsURL, "nexturl": \.nextURL, "redirectionurl": \.redirectionURL,
    "accessprocedure": \.accessProcedure, "accesslocation": \.accessLocation,
    "locationname": \.locationName, "replymessage": \.replyMessage,
  ]

  private static func text(_ value: ArraySlice<UInt8>) -> String? {
    let text = value.plainText
    return text.isEmpty || text.count > maximumTextLength ? nil : String(wireBytes: text)
  }

  private static func number(_ value: ArraySlice<UInt8>) -> Int? {
    let text = value.prefix(maximumTextLength).plainText
    // Signs and inner spaces are not part of a valid number.
    guard text.count <= 9, text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int(text: String(decoding: text, as: UTF8.self))
  }
}

/// A start tag and the raw text after it.
private struct Tag {
  let name: String
  let value: ArraySlice<UInt8>

  /// Reads the next start tag; nil if there is none.
  static func next(in rest: inout ArraySlice<UInt8>) -> Tag? {
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(open + 1)...]
      guard !rest.starts(with: cdata) else {
        // Text outside the relevant elements; what looks like a tag in it may be one, because the whole
        // message can be in CDATA.
        rest = rest.dropFirst(cdata.count)
        continue
      }
      var name = rest.prefix(while: \.isXMLNameByte)
      rest = rest[name.endIndex...]
      if rest.first == UInt8(ascii: ":") {
        name = rest.dropFirst().prefix(while: \.isXMLNameByte)
        rest = rest[name.endIndex...]
      }
      // End tags, comments and the like have no name here.
      guard !name.isEmpty, name.count <= 32 else { continue }
      guard let close = rest.firstIndex(where: { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }) else {
        return nil
      }
      let isEmpty = close > rest.startIndex && rest[close - 1] == UInt8(ascii: "/")
      // An unclosed tag ends where the next one starts.
      rest = rest[close...]
      if rest.first == UInt8(ascii: ">") { rest.removeFirst() }
      let value = isEmpty ? rest.prefix(0) : text(at: rest)
      rest = rest[value.endIndex...]
      return Tag(name: String(decoding: name, as: UTF8.self).lowercased(), value: value)
    }
    return nil
  }

  /// The raw text up to the next tag, including CDATA sections.
  private static func text(at rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var index = rest.startIndex
    while index < rest.endIndex {
      if rest[index] == UInt8(ascii: "<") {
        let remainder = rest[(index + 1)...]
        guard remainder.starts(with: cdata) else { break }
        index = remainder.endOfCDATA
      } else {
        index += 1
      }
    }
    return rest[..<index]
  }

  static let cdata = Array("![CDATA[".utf8)
}

extension ArraySlice<UInt8> {
  /// The index after the `]]>` that ends a CDATA section, or the end.
  fileprivate var endOfCDATA: Int {
    var index = startIndex
    while index + 2 < endIndex {
      if self[index] == UInt8(ascii: "]"), self[index + 1] == UInt8(ascii: "]"),
        self[index + 2] == UInt8(ascii: ">")
      {
        return index + 3
      }
      index += 1
    }
    return endIndex
  }
}

/// Decoding raw bytes of XML, as leniently as gateway messages require.
extension ArraySlice<UInt8> {
  /// The text: CDATA sections unchanged, entities decoded elsewhere, surrounding white space removed.
  ///
  /// CDATA is often written incorrectly: with an extra bracket, or without its `<!`.
  var plainText: [UInt8] {
    let trimmed = trimming { $0 <= 0x20 }
    var text: [UInt8] = []
    var rest = trimmed
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      text += rest[..<open].decodingEntities
      let section = rest[open...].dropFirst(cdataStart.count)
      var end = section.startIndex
      while end < section.endIndex, !section[end...].starts(with: cdataEnd) { end += 1 }
      text += section[..<end].withoutBrackets
      rest = section[end...].dropFirst(cdataEnd.count)
    }
    if text.isEmpty, rest.starts(with: misspelt) {
      text = rest.dropFirst(misspelt.count).withoutClosing.decodingEntities
    } else {
      text += rest.decodingEntities
    }
    return [UInt8](text.trimming { $0 <= 0x20 })
  }

  /// The bytes without the extra brackets in `<![CDATA[[text]]]>`.
  private var withoutBrackets: ArraySlice<UInt8> {
    guard first == UInt8(ascii: "[") else { return self }
    return last == UInt8(ascii: "]") ? dropFirst().dropLast() : dropFirst()
  }

  private var withoutClosing: ArraySlice<UInt8> {
    var rest = self
    if rest.last == UInt8(ascii: ">") { rest.removeLast() }
    for _ in 0..<2 where rest.last == UInt8(ascii: "]") { rest.removeLast() }
    return rest
  }
}

private let cdataStart = Array("<![CDATA[".utf8)
private let cdataEnd = Array("]]>".utf8)
private let misspelt = Array("CDATA[[".utf8)
