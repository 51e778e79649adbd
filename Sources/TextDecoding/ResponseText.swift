public import ProbeCore

/// The body of a response as text, for validators and for whoever else reads pages.
///
/// The charset is decided as browsers do: a byte order mark comes first, then `charset` of the Content-Type (RFC 9110
/// §8.3), then what an HTML or XML page says in its first 1024 bytes. A charset that is not known, or that this machine
/// has no converter for, leaves the word to the next. What nothing declares stays as it is: guessing would make an
/// answer depend on the language of the one who guesses.
///
/// Text in UTF-8 or ASCII is not copied, and where it is not valid the bytes stay. Text in another charset is converted;
/// what is invalid in it becomes U+FFFD. TCP declares nothing, so its bytes are always as they came.
public struct ResponseText: Sendable {
  /// The text: UTF-8 as far as it is known; a byte order mark is not part of it.
  ///
  /// Unless the text was converted, this is a slice of the body, and its indices are places in the body.
  public let bytes: ArraySlice<UInt8>
  /// The charset that was declared and used, or nil when nothing was.
  public let charset: Charset?
  /// Whether the bytes differ from those of the body, so that a place in them is none in the body.
  public let isConverted: Bool

  /// The text of a response's body.
  public init(of response: borrowing ProbeResponse) {
    guard let head = response.head else {
      self.init(response.body[...], nil)
      return
    }
    if let (charset, length) = Self.byteOrderMark(of: response.body) {
      let rest = response.body[length...]
      self = Self(rest, in: charset) ?? Self(rest, charset)
      return
    }
    let declared = DeclaredCharset(of: head.fields)
    if let charset = declared.charset, let text = Self(response.body[...], in: charset) {
      self = text
      return
    }
    if declared.isMarkup(response.body), let charset = MarkupPrescan.charset(in: response.body[...]),
      let text = Self(response.body[...], in: charset)
    {
      self = text
      return
    }
    self.init(response.body[...], nil)
  }

  private init(_ bytes: ArraySlice<UInt8>, _ charset: Charset?, isConverted: Bool = false) {
    self.bytes = bytes
    self.charset = charset
    self.isConverted = isConverted
  }

  private init?(_ bytes: ArraySlice<UInt8>, in charset: Charset) {
    if charset.leavesUnchanged(bytes) {
      self.init(bytes, charset)
      return
    }
    guard let text = charset.decode(bytes) else { return nil }
    self.init(text, charset, isConverted: true)
  }

  /// The charset that a byte order mark says, and its length (Encoding Standard §6, "BOM sniff").
  private static func byteOrderMark(of body: [UInt8]) -> (Charset, Int)? {
    guard body.count >= 2, body[0] >= 0xEF else { return nil }
    switch (body[0], body[1]) {
    case (0xEF, 0xBB): return body.count >= 3 && body[2] == 0xBF ? (.utf8, 3) : nil
    case (0xFE, 0xFF): return (.utf16be, 2)
    case (0xFF, 0xFE): return (.utf16le, 2)
    default: return nil
    }
  }
}

extension ProbeResponse {
  /// The body as text, by the charset that the response declares.
  ///
  /// A legacy charset is converted at each call, so ask once.
  public var text: ResponseText { ResponseText(of: self) }
}

/// What the head of a response says of the charset.
private struct DeclaredCharset {
  /// The charset of the last Content-Type that names one.
  private(set) var charset: Charset?
  private var isMarkupByType: Bool?

  init(of fields: HeaderFields) {
    fields.forEachRawValue(for: "Content-Type") { value in
      let charset = ContentTypeValue.charset(in: value)
      self.charset = charset ?? self.charset
      if charset != .utf8 { isMarkupByType = ContentTypeValue.isMarkup(value) ?? isMarkupByType }
    }
  }

  /// Whether a body is to be read as a page; without a type, when it looks like one.
  func isMarkup(_ body: [UInt8]) -> Bool {
    isMarkupByType ?? (body.first { !$0.isASCIISpace } == UInt8(ascii: "<"))
  }
}
