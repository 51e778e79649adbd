/// What a capture tells of who was there, and what stands in its place: every private value has one stand-in of the same
/// length, the same everywhere.
public struct CaptureRedaction: Sendable {
  /// A redaction that changes nothing.
  public static let none = CaptureRedaction()

  /// What was replaced, in the order in which it was first met.
  public private(set) var replacements: [Replacement] = []

  /// What could not be replaced, a sentence each.
  public private(set) var remarks: [String] = []

  private init() {}

  /// A redaction of what is private in these exchanges.
  public init(learningFrom exchanges: [RecordedExchange]) {
    self.init()
  }

  /// A text, such as a URL, with every private value replaced.
  public func redacted(_ text: String) -> String { text }

  /// An exchange with every private value replaced, in the URL, in what was sent and in what was received.
  public func redacted(_ exchange: RecordedExchange) -> RecordedExchange { exchange }
}

extension CaptureRedaction {
  /// A kind of private value that was replaced; never the value itself.
  public struct Replacement: Hashable, Sendable {
    /// What a value is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// A hardware address.
      case mac
      /// An address of the client.
      case clientAddress = "client-address"
      /// A token, a session id, or another word that lets somebody in or tells somebody apart.
      case token
      /// An e-mail address.
      case email = "e-mail"
    }

    /// What it is.
    public var kind: Kind
    /// What stands in its place.
    public var standIn: String
    /// Where it was recognised, such as `the query field client_mac`.
    public var place: String
  }
}
