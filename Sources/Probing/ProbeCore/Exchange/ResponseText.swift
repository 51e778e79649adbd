public import ProbeText

/// The body of a response as text.
///
/// The charset is determined as in browsers: by a byte order mark, then by `charset` in Content-Type (RFC
/// 9110 §8.3), then by the declaration in the first 1024 bytes of an HTML or XML page. An unknown charset, or
/// one for which this machine has no converter, is skipped. Without any declaration the bytes are used
/// unchanged: guessing would make the result depend on the language of the machine.
///
/// Text in UTF-8 or ASCII is not copied, and invalid bytes in it are kept. Text in another charset is
/// converted, and invalid bytes in it become U+FFFD. TCP has no declaration, so its bytes are always used
/// unchanged.
public struct ResponseText: Sendable {
  /// The text in UTF-8, as far as its charset is known, without a byte order mark.
  ///
  /// Unless the text was converted, this is a slice of the body, and its indices are offsets in the body.
  public let bytes: ArraySlice<UInt8>
  /// The charset that was declared and used, or nil.
  public let charset: Charset?
  /// Whether the text was converted, so that offsets in it are not offsets in the body.
  public let isConverted: Bool

  /// Decodes the body of a response.
  public init(of response: borrowing ProbeResponse) {
    let body = response.body
    switch BodyReading(of: response) {
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
  /// The body as text, in the charset that the response declares.
  ///
  /// Every access converts a legacy charset again, so keep the result.
  public var text: ResponseText { ResponseText(of: self) }

  /// Passes the body's text to a validator without retaining the body; see ``ResponseText``.
  ///
  /// - Parameter judge: Receives the text, and whether it was converted, so that its offsets are not offsets
  ///   in the body.
  /// - Returns: The validator's result.
  public func judgingText(_ judge: (_ text: Span<UInt8>, _ isConverted: Bool) -> Validation) -> Validation {
    switch BodyReading(of: self) {
    case .body(let start, _): judge(body.span.extracting(start...), false)
    case .text(let text, _): judge(text.span, true)
    }
  }
}

/// How to read the body of a response.
enum BodyReading {
  /// Unchanged, from an offset after the byte order mark.
  case body(from: Int, Charset?)
  /// Converted to this text.
  case text(ArraySlice<UInt8>, Charset)

  /// Determines the charset, and converts the body if necessary.
  init(of response: borrowing ProbeResponse) {
    var declared = DeclaredCharset()
    // Without a head nothing is declared: bytes received over TCP are used unchanged.
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

/// The charset of a byte order mark, and its length (Encoding Standard §6, "BOM sniff").
private func byteOrderMark(of body: Span<UInt8>) -> (Charset, Int)? {
  guard body.count >= 2, body[0] >= 0xEF else { return nil }
  switch (body[0], body[1]) {
  case (0xEF, 0xBB): return body.count >= 3 && body[2] == 0xBF ? (.utf8, 3) : nil
  case (0xFE, 0xFF): return (.utf16be, 2)
  case (0xFF, 0xFE): return (.utf16le, 2)
  default: return nil
  }
}

/// The charset that the head of a response declares.
private struct DeclaredCharset {
  /// The charset of the last Content-Type field that declares one.
  private(set) var charset: Charset?
  private var isMarkupByType: Bool?

  /// Reads one field.
  mutating func read(_ value: Span<UInt8>) {
    let charset = ContentTypeValue.charset(in: value)
    self.charset = charset ?? self.charset
    if charset != .utf8 { isMarkupByType = ContentTypeValue.isMarkup(value) ?? isMarkupByType }
  }

  /// Whether to scan a body for a declaration: by the media type or, without one, if it starts like markup.
  func isMarkup(_ body: [UInt8]) -> Bool {
    isMarkupByType ?? (body.first { !$0.isASCIISpace } == UInt8(ascii: "<"))
  }
}
