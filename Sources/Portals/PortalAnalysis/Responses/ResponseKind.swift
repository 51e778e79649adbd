/// The kind of a response that a third party sent instead of the expected one, such as a login page or a
/// block page.
public struct ResponseKind: Hashable, Sendable {
  /// The meaning of a kind for the verdict.
  public enum Role: Hashable, Sendable {
    /// A login is available: the verdict is `captivePortal`.
    case portal
    /// A portal considers this client logged in, or has logged it out: there is no login.
    case admitted
    /// The login is for the owner of a device or the users of a program.
    case administration
    /// A notice without a login, such as a block page.
    case notice
    /// A server or a proxy cannot respond.
    case failure
    /// No indication.
    case unclear
  }

  /// The name, as in reports.
  public let name: String
  /// The meaning for the verdict.
  public let role: Role
  /// A description with its article, such as `a block page`.
  public let words: String

  private init(_ name: String, _ role: Role, _ words: String) {
    self.name = name
    self.role = role
    self.words = words
  }
}

/// The kinds. For each role, the first is that of a response with no sign of another one.
extension ResponseKind {
  /// A login page, or a portal of which nothing more is known, such as a redirect alone.
  public static let login = Self("login", .portal, "a portal's login page")
  /// Terms to accept, without anything to fill in.
  public static let terms = Self("terms", .portal, "a portal's page with terms to accept")
  /// A field for a voucher or an access code.
  public static let voucher = Self("voucher", .portal, "a portal's page for a voucher or an access code")
  /// Internet access for sale.
  public static let payment = Self("payment", .portal, "a portal's page that sells Internet access")
  /// A portal's page for a client that is logged in.
  public static let loggedIn = Self("loggedIn", .admitted, "a portal's page for a client that is logged in")
  /// A portal's page for a client that has logged out.
  public static let loggedOut = Self(
    "loggedOut", .admitted, "a portal's page for a client that has logged out")
  /// The administration of a router, a camera or another device.
  public static let deviceAdmin = Self(
    "deviceAdmin", .administration, "the administration page of a device, whose login is for its owner")
  /// The log-in page of a program, such as a mail or a wiki server.
  public static let programLogin = Self(
    "programLogin", .administration, "the log-in page of a program, for its users")
  /// A page that states that something is blocked.
  public static let blockPage = Self("blockPage", .notice, "a block page")
  /// A proxy that requires authentication (status 407).
  public static let proxyAuth = Self("proxyAuth", .notice, "a proxy's request for authentication")
  /// A server that requires authentication (status 401).
  public static let serverAuth = Self("serverAuth", .notice, "a server's request for authentication")
  /// Search results or advertisements instead of an error about a name.
  public static let nameErrorHelp = Self(
    "nameErrorHelp", .notice, "a provider's search page for names that do not exist")
  /// A domain for sale.
  public static let parked = Self("parked", .notice, "the page of a parked domain")
  /// A test for browsers, such as a CAPTCHA.
  public static let challenge = Self(
    "challenge", .notice, "a page that tests whether its client is a browser")
  /// The page of a web server without a site.
  public static let defaultPage = Self("defaultPage", .notice, "the default page of a web server")
  /// An error in the request (status 4xx).
  public static let errorPage = Self("errorPage", .notice, "an error page")
  /// An error of a server or a proxy (status 5xx).
  public static let outage = Self("outage", .failure, "an error of a server or a proxy")
  /// No indication.
  public static let unknown = Self("unknown", .unclear, "a response of an unknown kind")

  /// All kinds, by role.
  public static let all: [Self] = [
    login, terms, voucher, payment, loggedIn, loggedOut, deviceAdmin, programLogin, blockPage, proxyAuth,
    serverAuth,
    nameErrorHelp, parked, challenge, defaultPage, errorPage, outage, unknown,
  ]
}
