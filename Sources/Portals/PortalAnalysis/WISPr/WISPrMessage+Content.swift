import ProbeCore

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
        let behind = rest[(index + 1)...]
        guard behind.starts(with: cdata) else { break }
        index = behind.endOfCDATA
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
