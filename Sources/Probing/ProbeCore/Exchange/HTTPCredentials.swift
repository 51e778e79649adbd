internal import FoundationEssentials

/// Credentials for an HTTP request (RFC 9110 §11.6.2), sent without waiting for a challenge.
///
/// They are sent only to the origin they are for, not to other origins that redirects point to.
public struct HTTPCredentials: Hashable, Sendable {
  private enum Scheme: Hashable {
    case basic(user: String, password: Secret)
    case bearer(token: Secret)
    case other(value: Secret)
  }

  private let scheme: Scheme

  private init(_ scheme: Scheme) {
    self.scheme = scheme
  }

  /// A user name and a password (RFC 7617).
  public static func basic(user: String, password: Secret) -> HTTPCredentials {
    HTTPCredentials(.basic(user: user, password: password))
  }

  /// A bearer token (RFC 6750).
  public static func bearer(_ token: Secret) -> HTTPCredentials {
    HTTPCredentials(.bearer(token: token))
  }

  /// Credentials of any other scheme, as the whole value of the Authorization field.
  ///
  /// An example is `ApiKey 0123` (RFC 9110 §11.6.2).
  public static func authorization(_ value: Secret) -> HTTPCredentials {
    HTTPCredentials(.other(value: value))
  }

  /// The value of the Authorization field.
  public var fieldValue: Secret {
    switch scheme {
    case .basic(let user, let password):
      password.withText { Secret("Basic " + Data("\(user):\($0)".utf8).base64EncodedString()) }
    case .bearer(let token): token.withText { Secret("Bearer " + $0) }
    case .other(let value): value
    }
  }

  /// Whether a secret contains a reference to a value that is not known yet, such as `${steps.login.token}`.
  var areIncomplete: Bool { secrets.contains { $0.withText(ReferenceSyntax.mayReferToStep) } }

  /// The credentials with other texts of their secrets.
  package func changingSecrets<Failure: Error>(
    _ change: (String) throws(Failure) -> String
  ) throws(Failure) -> HTTPCredentials {
    func changed(_ secret: Secret) throws(Failure) -> Secret {
      Secret(try secret.withText { text throws(Failure) in try change(text) })
    }
    switch scheme {
    case .basic(let user, let password):
      return .basic(user: try change(user), password: try changed(password))
    case .bearer(let token): return .bearer(try changed(token))
    case .other(let value): return .authorization(try changed(value))
    }
  }

  /// All secret parts of the credentials, including the forms in which they are sent.
  package var secrets: [Secret] {
    switch scheme {
    case .basic(let user, let password):
      [
        password,
        password.withText { Secret(Data("\(user):\($0)".utf8).base64EncodedString()) },
      ]
    case .bearer(let token): [token]
    case .other(let value):
      // The text after the scheme is the secret, and a server may echo it without the scheme.
      [value] + value.withText { $0.split(separator: " ").dropFirst().map { Secret(String($0)) } }
    }
  }

  /// Checks whether the credentials can be sent.
  ///
  /// - Throws: ``InvalidInput`` naming the part that is not valid, never a secret.
  package func check() throws(InvalidInput) {
    switch scheme {
    case .basic(let user, let password):
      try Self.check(user: user, password: password, of: "the basic credentials")
    case .bearer(let token):
      // RFC 6750 §2.1, b64token.
      let isToken = token.withText { text in
        !text.isEmpty
          && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._~+/=".utf8.contains($0) }
      }
      guard isToken else {
        throw InvalidInput(
          "the bearer token is empty or contains an invalid character",
          remedy: "use letters, digits and - . _ ~ + / =, and nothing around them")
      }
    case .other(let value):
      // RFC 9110 §5.5: visible characters and spaces, without leading or trailing spaces.
      let isValue = value.withText { text in
        !text.isEmpty && text.first != " " && text.last != " "
          && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
      }
      guard isValue else {
        throw InvalidInput(
          "the value of the Authorization field is empty or has a character that cannot be sent",
          remedy: "write a scheme, a space and the credentials, in ASCII, without surrounding space")
      }
    }
  }

  /// Checks a user name and a password (RFC 7617 §2).
  static func check(user: String, password: Secret?, of owner: String) throws(InvalidInput) {
    let controls = { (text: String) in
      text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    guard !user.utf8.contains(UInt8(ascii: ":")) else {
      throw InvalidInput("the user name of \(owner) has a colon, which ends a user name")
    }
    guard !controls(user) else {
      throw InvalidInput("the user name of \(owner) contains a control character")
    }
    guard password?.withText(controls) != true else {
      throw InvalidInput("the password of \(owner) contains a control character")
    }
  }
}
