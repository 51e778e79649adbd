/// A message from an access gateway to programs that log in automatically (WISPr 1.0 appendix D, WISPr 2.0).
///
/// Gateways embed it before a login page, usually in a comment. The texts are as the gateway wrote them,
/// without surrounding white space and with entities and CDATA decoded; they are not validated.
public struct WISPrMessage: Hashable, Sendable {
  /// The type of the message; nil if there is none.
  public var messageType: MessageType?
  /// The result; nil if there is none.
  public var responseCode: ResponseCode?
  /// The URL to which name and password are sent.
  public var loginURL: String?
  /// The URL that aborts a login.
  public var abortLoginURL: String?
  /// The URL that ends the session.
  public var logoffURL: String?
  /// The URL to poll for the result of a login.
  public var loginResultsURL: String?
  /// The URL to request next, sent by a proxy.
  public var nextURL: String?
  /// The URL to open after the login.
  public var redirectionURL: String?
  /// The version of the access procedure.
  public var accessProcedure: String?
  /// The location in the operator's notation: a name, or a list such as `isocc=us,cc=1,ac=408,network=ACME`.
  public var accessLocation: String?
  /// The human-readable name of the location.
  public var locationName: String?
  /// The gateway's message to the user.
  public var replyMessage: String?

  /// An empty message.
  public init() {}
}

extension WISPrMessage {
  /// Whether the message states a login URL for a new client.
  ///
  /// A redirect does, unless it reports an error: with the codes 105 and 255 the gateway reports that a login
  /// at the URL cannot work. Replies to a login or a logoff do not count, even with a login URL, which is for
  /// retrying.
  public var isLoginRedirect: Bool {
    messageType == .redirect && (responseCode ?? .noError) == .noError && loginURL?.isEmpty == false
  }
}

extension WISPrMessage {
  /// The type of a message.
  public struct MessageType: RawRepresentable, Hashable, Sendable {
    /// The number in the message.
    public let rawValue: Int

    /// A type with a number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The first response to a new client: log in.
    public static let redirect = Self(rawValue: 100)
    /// There is a proxy in between: request the next URL.
    public static let proxy = Self(rawValue: 110)
    /// The response to a login.
    public static let authentication = Self(rawValue: 120)
    /// The response to a logoff.
    public static let logoff = Self(rawValue: 130)
    /// The response to a poll for the result of a login.
    public static let poll = Self(rawValue: 140)
    /// The response to aborting a login.
    public static let abort = Self(rawValue: 150)
  }

  /// The result of a request.
  public struct ResponseCode: RawRepresentable, Hashable, Sendable {
    /// The number in the message.
    public let rawValue: Int

    /// A code with a number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// No error.
    public static let noError = Self(rawValue: 0)
    /// The login succeeded.
    public static let loginSucceeded = Self(rawValue: 50)
    /// The login failed: the name or the password is wrong.
    public static let loginFailed = Self(rawValue: 100)
    /// The authentication server reports an error or does not respond.
    public static let serverError = Self(rawValue: 102)
    /// The gateway is not configured for authentication.
    public static let notEnabled = Self(rawValue: 105)
    /// The logoff succeeded.
    public static let logoffSucceeded = Self(rawValue: 150)
    /// The login was aborted.
    public static let loginAborted = Self(rawValue: 151)
    /// A proxy was detected: request the next URL.
    public static let proxyDetected = Self(rawValue: 200)
    /// The login is still in progress.
    public static let pending = Self(rawValue: 201)
    /// The gateway has an internal error.
    public static let gatewayError = Self(rawValue: 255)
  }
}

extension WISPrMessage.MessageType: CustomStringConvertible {
  /// A short description of the type; the number of an unknown one.
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
  /// A short description of the code; the number of an unknown one.
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
