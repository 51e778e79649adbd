import ProbeBase

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
