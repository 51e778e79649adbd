import ProbeBase

/// A password, a token or a passphrase, whose text is available only through ``withText(_:)``.
///
/// It prints as `<redacted>` in every description and dump, and it cannot be encoded. ``Redactor`` removes
/// its text from responses before they are reported.
public struct Secret: Hashable, Sendable {
  /// The replacement text for a secret.
  public static let placeholder = "<redacted>"

  private let text: String

  /// Creates a secret with this text.
  public init(_ text: String) {
    self.text = text
  }

  /// Calls a closure with the text, for example to send it to the server it is for.
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
