internal import ProbeCore

/// How the body of a response is read.
enum Reading {
  /// As it is, from a place behind the byte order mark on.
  case body(from: Int, Charset?)
  /// As the text that it was converted to.
  case text(ArraySlice<UInt8>, Charset)

  /// Decides on a charset, and converts where that is not UTF-8.
  init(of response: borrowing ProbeResponse) {
    var declared = DeclaredCharset()
    // Without a head nothing is declared: the bytes of TCP are what they are.
    guard response.forEachRawFieldValue(of: "Content-Type", { declared.read($0) }) else {
      self = .body(from: 0, nil)
      return
    }
    let body = response.body
    if let (charset, length) = byteOrderMark(of: body.span) {
      self = Self(body, from: length, in: charset) ?? .body(from: length, charset)
    } else if declared.charset == .utf8 {
      self = .body(from: 0, .utf8)
    } else {
      self = Self(body, declared) ?? .body(from: 0, nil)
    }
  }

  private init?(_ body: [UInt8], _ declared: DeclaredCharset) {
    if let charset = declared.charset, let reading = Self(body, from: 0, in: charset) {
      self = reading
    } else if declared.isMarkup(body), let charset = MarkupPrescan.charset(in: body[...]) {
      self.init(body, from: 0, in: charset)
    } else {
      return nil
    }
  }

  private init?(_ body: [UInt8], from start: Int, in charset: Charset) {
    if charset.leavesUnchanged(body[start...]) {
      self = .body(from: start, charset)
    } else if let text = charset.decode(body[start...]) {
      self = .text(text, charset)
    } else {
      return nil
    }
  }
}

/// The charset that a byte order mark says, and its length (Encoding Standard §6, "BOM sniff").
private func byteOrderMark(of body: Span<UInt8>) -> (Charset, Int)? {
  guard body.count >= 2, body[0] >= 0xEF else { return nil }
  switch (body[0], body[1]) {
  case (0xEF, 0xBB): return body.count >= 3 && body[2] == 0xBF ? (.utf8, 3) : nil
  case (0xFE, 0xFF): return (.utf16be, 2)
  case (0xFF, 0xFE): return (.utf16le, 2)
  default: return nil
  }
}

/// What the head of a response says of the charset.
private struct DeclaredCharset {
  /// The charset of the last Content-Type that names one.
  private(set) var charset: Charset?
  private var isMarkupByType: Bool?

  /// Reads one field.
  mutating func read(_ value: Span<UInt8>) {
    let charset = ContentTypeValue.charset(in: value)
    self.charset = charset ?? self.charset
    if charset != .utf8 { isMarkupByType = ContentTypeValue.isMarkup(value) ?? isMarkupByType }
  }

  /// Whether a body is to be read as a page; without a type, when it looks like one.
  func isMarkup(_ body: [UInt8]) -> Bool {
    isMarkupByType ?? (body.first { !$0.isASCIISpace } == UInt8(ascii: "<"))
  }
}
