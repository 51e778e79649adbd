internal import Glibc
internal import ProbeBase
package import ProbeCore

/// What the facts of a response show: first what is decisive, then the signs by their weights.
struct ResponseDecision {
  let kind: ResponseKind
  /// Whether the response itself states by protocol that a login is required.
  let isStated: Bool
  /// How probable a portal is by the weights.
  let portalProbability: Double
  /// The signs for and against, the strongest first.
  let signs: [ResponseSign]
  /// Whether nothing but a redirect shows what the response is.
  let isBasedOnRedirect: Bool

  init(_ facts: ResponseFacts, weights: SignWeights = .standard) {
    let seen = SeenSign.all(in: facts)
    let scores = weights.scores(seen)
    let stated = Self.statements(facts)
    isStated = !stated.isEmpty
    let odds = scores.map { exp($0 - (scores.max() ?? 0)) }
    let sum = odds.reduce(0, +)
    let shares = odds.map { $0 / sum }
    let role = isStated ? .portal : Self.role(shares, facts)
    let rival = PageRole.allCases.filter { $0 != role }.max { scores[$0.rawValue] < scores[$1.rawValue] }
    portalProbability = shares[PageRole.portal.rawValue]
    kind = Self.kind(of: role, seen)
    isBasedOnRedirect =
      !isStated && Self.isOpen(role) && !facts.links.automatic.contains(where: \.hasPortalURL)
      && seen.allSatisfy { Sign.all[$0.sign].isAboutLinks }
    let clauses = Self.clauses(facts)
    signs =
      (stated + clauses
      + Self.signs(seen, for: role, against: rival ?? .other, weights))
      .enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }.map(\.element)
  }
}

extension ResponseDecision {
  /// Whether a page that a response leads to may change its role; where a URL names a refusal, it is one.
  private static func isOpen(_ role: PageRole) -> Bool {
    [.portal, .other, .program, .administration].contains(role)
  }

  /// What states a login by a standard.
  private static func statements(_ facts: ResponseFacts) -> [ResponseSign] {
    var signs: [ResponseSign] = []
    if facts.status == 511 {
      signs.append(ResponseSign(.portal, 8, "status 511 means that the network requires a login"))
    }
    if facts.capport?.captive == true {
      signs.append(
        ResponseSign(.portal, 8, "it is the response of a captive-portal API: a login is required"))
    }
    if facts.namesWISPrLogin { signs.append(ResponseSign(.portal, 8, "a WISPr message names the login URL")) }
    return signs
  }

  /// What is no portal's, whatever else it has.
  private static func clauses(_ facts: ResponseFacts) -> [ResponseSign] {
    var signs: [ResponseSign] = []
    if let dead = facts.deadRedirect { signs.append(ResponseSign(.unclear, 1, dead)) }
    if facts.capport?.captive == false {
      signs.append(
        ResponseSign(.unclear, 1, "it is the response of a captive-portal API: this client has access"))
    }
    if facts.exceedsLimits {
      signs.append(ResponseSign(.unclear, 1, "the page exceeds the limits of the HTML parser"))
    }
    return signs
  }

  /// The most probable role; a portal also has to be at least ``minimumPortal`` probable.
  private static func role(_ shares: [Double], _ facts: ResponseFacts) -> PageRole {
    if facts.capport != nil { return .other }
    return PageRole.allCases.filter { $0 != .portal || shares[$0.rawValue] >= minimumPortal }
      .max { shares[$0.rawValue] < shares[$1.rawValue] } ?? .other
  }

  /// How probable a portal has to be at least.
  private static let minimumPortal = 0.35

  /// Whether a portal is far more probable than anything else.
  var isCertain: Bool { kind.role == .portal && portalProbability >= Self.certain }

  /// How probable a portal has to be where other operators respond as expected.
  private static let certain = 0.8

  /// The kind of a role with the most signs.
  private static func kind(of role: PageRole, _ seen: [SeenSign]) -> ResponseKind {
    let kinds = role.kinds
    var best = (kind: kinds[0], count: 0)
    for kind in kinds where kinds.count > 1 {
      let count = seen.reduce(0) { count, each in
        let sign = Sign.all[each.sign]
        return sign.kind == kind ? count + sign.kindVotes * each.occurrence.count : count
      }
      if count > best.count { best = (kind, count) }
    }
    return best.kind
  }

  /// The signs that count for a role or against it.
  private static func signs(
    _ seen: [SeenSign], for role: PageRole, against rival: PageRole, _ weights: SignWeights
  ) -> [ResponseSign] {
    seen.compactMap { each in
      let effect =
        Double(each.occurrence.count)
        * (weights.weight(of: each.sign, for: role) - weights.weight(of: each.sign, for: rival))
      let weight = Int(bounding: (effect.magnitude * ResponseSign.unitsPerLogOdds).rounded())
      guard weight > 0 else { return nil }
      let meaning = effect > 0 ? role : rival
      return ResponseSign(
        meaning.kinds[0].role, weight, Sign.all[each.sign].clause(for: each.occurrence), isFor: effect > 0)
    }
  }
}

extension ResponseLink {
  /// Whether its URL alone indicates a portal: a network's word, or an address of this client.
  fileprivate var hasPortalURL: Bool {
    facts.blockPage == nil && (facts.hasNetworkWord || facts.hasClient) && !facts.hasSessionPath
  }
}

/// The signs of a response, for learning their weights.
package struct SignsSeen: Sendable {
  package let kind: ResponseKind
  /// Whether a standard states that a login is required.
  package let isStated: Bool
  /// How probable a portal is.
  package let portal: Double
  /// The names of the signs that are there, in the order of the table, and how often each counts.
  package let signs: [(name: String, count: Int)]
}

extension ResponseAnalysis {
  /// The signs of a response.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - url: The URL of the first request, before any redirect.
  ///   - encryption: Whether a scheme is encrypted; nil for an unknown scheme.
  /// - Returns: The signs, and what is decided by them.
  package static func signsSeen(
    in response: ProbeResponse, requested url: ProbeURL, encryption: (URLScheme) -> Encryption?
  ) -> SignsSeen {
    let facts = ResponseFacts(response, requestedURL: url, encryption: encryption)
    let decision = ResponseDecision(facts)
    return SignsSeen(
      kind: decision.kind, isStated: decision.isStated, portal: decision.portalProbability,
      signs: SeenSign.all(in: facts).map { (Sign.all[$0.sign].name, $0.occurrence.count) })
  }
}
