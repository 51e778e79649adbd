/// A role that a response may have: a column of the file of weights.
enum PageRole: Int, CaseIterable, Sendable {
  /// A portal that offers a login.
  case portal
  /// A portal's page for a client that is logged in or has logged out.
  case admitted
  /// The administration of a device.
  case administration
  /// The log-in of a program.
  case program
  /// A page that refuses something.
  case block
  /// A page instead of an error about a name.
  case nameHelp
  /// A request for authentication by a proxy or a server.
  case authentication
  /// A test for browsers.
  case challenge
  /// An error page, or the default page of a server.
  case errorPage
  /// An error of a server.
  case outage
  /// Anything else.
  case other

  /// The name in the file of weights.
  var name: String { "\(self)" }

  /// The kinds of responses with this role, the first for one with no sign of another.
  var kinds: [ResponseKind] {
    switch self {
    case .portal: [.login, .terms, .voucher, .payment]
    case .admitted: [.loggedIn, .loggedOut]
    case .administration: [.deviceAdmin]
    case .program: [.programLogin]
    case .block: [.blockPage]
    case .nameHelp: [.nameErrorHelp, .parked]
    case .authentication: [.serverAuth, .proxyAuth]
    case .challenge: [.challenge]
    case .errorPage: [.errorPage, .defaultPage]
    case .outage: [.outage]
    case .other: [.unknown]
    }
  }
}
