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
    let body = response.body
    switch Reading(of: response) {
    case .body(let start, let charset):
      self.init(bytes: body[start...], charset: charset, isConverted: false)
    case .text(let text, let charset):
      self.init(bytes: text, charset: charset, isConverted: true)
    }
  }

  private init(bytes: ArraySlice<UInt8>, charset: Charset?, isConverted: Bool) {
    self.bytes = bytes
    self.charset = charset
    self.isConverted = isConverted
  }
}

extension ProbeResponse {
  /// The body as text, by the charset that the response declares.
  ///
  /// A legacy charset is converted at each call, so ask once.
  public var text: ResponseText { ResponseText(of: self) }

  /// Lends the body's text to a validator, without taking a share in the body; see ``ResponseText``.
  ///
  /// - Parameter judge: Is given the text, and whether its places are none in the body because it was converted.
  /// - Returns: What the validator says.
  public func judgingText(_ judge: (_ text: Span<UInt8>, _ isConverted: Bool) -> Validation) -> Validation {
    switch Reading(of: self) {
    case .body(let start, _): judge(body.span.extracting(start...), false)
    case .text(let text, _): judge(text.span, true)
    }
  }
}

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
