/// A message that an access gateway has for programs that log in by themselves (WISPr 1.0 appendix D, WISPr 2.0).
///
/// Gateways put it in front of a login page, mostly in a comment. The texts are as the gateway wrote them, without the
/// white space around them and with entities and CDATA decoded; they are not checked in any way.
public struct WISPrMessage: Hashable, Sendable {
  /// What the message is about; nil when it does not say.
  public var messageType: MessageType?
  /// How it went; nil when it does not say.
  public var responseCode: ResponseCode?
  /// Where to send name and password.
  public var loginURL: String?
  /// Where to give up logging in.
  public var abortLoginURL: String?
  /// Where to end the session.
  public var logoffURL: String?
  /// Where to ask how logging in went.
  public var loginResultsURL: String?
  /// Where to ask again, said by a proxy.
  public var nextURL: String?
  /// Where to lead the user once logged in.
  public var redirectionURL: String?
  /// The version of the procedure.
  public var accessProcedure: String?
  /// The place, in the words of the operator: a name, or a list such as `isocc=us,cc=1,ac=408,network=ACME`.
  public var accessLocation: String?
  /// The name of the place, for people.
  public var locationName: String?
  /// What the gateway has to say to the user.
  public var replyMessage: String?

  /// A message that says nothing yet.
  public init() {}
}

extension WISPrMessage {
  /// Whether the message tells an unknown client where to log in.
  ///
  /// A redirect does, as long as it reports no error: with the codes 105 and 255 the gateway says that logging in at
  /// the URL cannot work. Replies to a login or to a logoff are none, even where they carry a login URL: that one is
  /// for trying again.
  public var isLoginRedirect: Bool {
    messageType == .redirect && (responseCode ?? .noError) == .noError && loginURL?.isEmpty == false
  }
}

extension WISPrMessage {
  /// What a message is about.
  public struct MessageType: RawRepresentable, Hashable, Sendable {
    /// The number in the message.
    public let rawValue: Int

    /// A type by its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The first answer to an unknown client: log in.
    public static let redirect = Self(rawValue: 100)
    /// A proxy stands in between: ask again elsewhere.
    public static let proxy = Self(rawValue: 110)
    /// The answer to a login.
    public static let authentication = Self(rawValue: 120)
    /// The answer to a logoff.
    public static let logoff = Self(rawValue: 130)
    /// The answer to the question how a login went.
    public static let poll = Self(rawValue: 140)
    /// The answer to giving up a login.
    public static let abort = Self(rawValue: 150)
  }

  /// How it went.
  public struct ResponseCode: RawRepresentable, Hashable, Sendable {
    /// The number in the message.
    public let rawValue: Int

    /// A code by its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Nothing went wrong.
    public static let noError = Self(rawValue: 0)
    /// Logged in.
    public static let loginSucceeded = Self(rawValue: 50)
    /// Not logged in: the name or the password is wrong.
    public static let loginFailed = Self(rawValue: 100)
    /// The server that checks logins has an error, or does not answer.
    public static let serverError = Self(rawValue: 102)
    /// The gateway is not set up to check logins.
    public static let notEnabled = Self(rawValue: 105)
    /// Logged off.
    public static let logoffSucceeded = Self(rawValue: 150)
    /// The login was given up.
    public static let loginAborted = Self(rawValue: 151)
    /// A proxy was found: ask again.
    public static let proxyDetected = Self(rawValue: 200)
    /// The login is still being checked.
    public static let pending = Self(rawValue: 201)
    /// The gateway itself has an error.
    public static let gatewayError = Self(rawValue: 255)
  }
}

extension WISPrMessage.MessageType: CustomStringConvertible {
  /// The type in a few words; the number of one that is not known.
  public var description: String {
    switch self {
    case .redirect: "redirect to a login"
    case .proxy: "notice of a proxy"
    case .authentication: "reply to a login"
    case .logoff: "reply to a logoff"
    case .poll: "reply to a login that was pending"
    case .abort: "reply to a login that was given up"
    default: "message type \(rawValue)"
    }
  }
}

extension WISPrMessage.ResponseCode: CustomStringConvertible {
  /// The code in a few words; the number of one that is not known.
  public var description: String {
    switch self {
    case .noError: "no error"
    case .loginSucceeded: "logged in"
    case .loginFailed: "login refused"
    case .serverError: "error of the login server"
    case .notEnabled: "logins are not set up"
    case .logoffSucceeded: "logged off"
    case .loginAborted: "login given up"
    case .proxyDetected: "proxy found"
    case .pending: "login pending"
    case .gatewayError: "error of the gateway"
    default: "response code \(rawValue)"
    }
  }
}
