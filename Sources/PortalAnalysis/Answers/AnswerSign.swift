/// Something in an answer that tells what it is.
public struct AnswerSign: Hashable, Sendable {
  /// What the sign speaks for.
  public let kind: AnswerKind
  /// How much it counts: 1 is a hint, 4 is enough alone.
  public let weight: Int
  /// The sign in words: a clause with its verb, safe to print, such as `a form asks for a password`.
  public let words: String

  /// A sign.
  public init(_ kind: AnswerKind, _ weight: Int, _ words: String) {
    self.kind = kind
    self.weight = weight
    self.words = words
  }
}

/// What an answer is that somebody gave in place of the one that was asked.
public enum AnswerKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// A captive portal's: it leads to a page to log in, to accept terms, or to set something up.
  case login
  /// A wall's: it says that something is blocked, and there is nothing to log in to.
  case wall
  /// An error's, as servers and proxies tell it.
  case failure
  /// One that tells nothing.
  case unclear
}
