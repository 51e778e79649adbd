/// How much each sign counts for each role.
///
/// The file `sign-weights.tsv` has a line for each sign: its name, and a number for each ``PageRole`` in the order of
/// the first line; an empty field is 0. The line `bias` counts for every response. A number is a log-odds: 0.7 doubles
/// the odds of the role. `Tests/Programs/PageSigns/learn` learns them from labelled responses.
struct SignWeights: Sendable {
  /// The weights of each sign of ``Sign/all``, by role.
  private let rows: [[Double]]
  private let bias: [Double]

  /// The weights of the file.
  static let standard = SignWeights(String(decoding: PackageResources.sign_weights_tsv, as: UTF8.self))

  /// Reads a file of weights; what it lacks counts 0.
  init(_ text: String) {
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    let roles = (lines.first ?? []).dropFirst().map { name in
      PageRole.allCases.first { $0.name == name }
    }
    var named: [Substring: [Double]] = [:]
    for line in lines.dropFirst() {
      var row = [Double](repeating: 0, count: PageRole.allCases.count)
      for (role, field) in zip(roles, line.dropFirst()) {
        if let role, let weight = Double(field) { row[role.rawValue] = weight }
      }
      named[line[0]] = row
    }
    let none = [Double](repeating: 0, count: PageRole.allCases.count)
    rows = Sign.all.map { named[$0.name[...]] ?? none }
    bias = named["bias"] ?? none
  }

  /// The names of the signs that a file has a line for, in its order.
  static func names(in text: String) -> [String] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.dropFirst()
      .map { String($0.prefix { $0 != "\t" }) }
  }

  /// The weight of a sign for a role.
  ///
  /// - Parameters:
  ///   - sign: Its index in ``Sign/all``.
  ///   - role: The role.
  /// - Returns: The log-odds.
  func weight(of sign: Int, for role: PageRole) -> Double { rows[sign][role.rawValue] }

  /// The sum for each role.
  ///
  /// - Parameter seen: The signs of a response.
  /// - Returns: The log-odds, in the order of ``PageRole/allCases``.
  func scores(_ seen: [SeenSign]) -> [Double] {
    var scores = bias
    for each in seen {
      let row = rows[each.sign]
      for role in row.indices { scores[role] += Double(each.occurrence.count) * row[role] }
    }
    return scores
  }
}

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
