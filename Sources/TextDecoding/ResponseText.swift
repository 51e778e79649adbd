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
