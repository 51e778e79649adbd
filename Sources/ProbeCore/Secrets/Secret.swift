/// A password, a token or a passphrase: its text is had only by asking for it in so many words.
///
/// It prints as `<redacted>` wherever it is printed, dumped or put into a text, and it cannot be encoded. What an
/// answer says of it is taken out of reports by ``Redactor``.
public struct Secret: Hashable, Sendable {
  /// What stands in place of a secret.
  public static let placeholder = "<redacted>"

  private let text: String

  /// A secret with this text.
  public init(_ text: String) {
    self.text = text
  }

  /// Lends the text, for sending it to whom it is for.
  public func withText<Result, Failure: Error>(
    _ body: (String) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(text)
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `<redacted>`.
  public var description: String { Self.placeholder }
  /// `<redacted>`.
  public var debugDescription: String { Self.placeholder }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
