@testable import PortalAnalysis

extension WordTally {
  /// What a text as a whole seems to be, by its words alone.
  enum Leaning: Sendable {
    /// A page on the way into a network: it wants a login, a consent or settings.
    case portal
    /// A page that refuses something for good.
    case wall
    /// A page that says that something does not work.
    case failure
  }

  /// How much speaks for a portal.
  var portalWeight: Int { 2 * capped(.login) + 2 * capped(.network) + capped(.terms) }

  /// How much speaks for a wall.
  ///
  /// Causes weigh little on their own, because terms of use list them too, and double next to a refusal.
  var wallWeight: Int {
    let refusals = capped(.blocked)
    return 4 * refusals + (refusals > 0 ? 2 : 1) * capped(.content)
  }

  /// How much speaks for something broken.
  var failureWeight: Int { 3 * capped(.failure) }

  /// The heaviest of the three; nil when nothing was found or no one outweighs the others.
  var leaning: Leaning? {
    let weights: [(Leaning, Int)] = [
      (.portal, portalWeight), (.wall, wallWeight), (.failure, failureWeight),
    ]
    let heaviest = weights.map(\.1).max() ?? 0
    let leaders = weights.filter { $0.1 == heaviest }
    return heaviest > 0 && leaders.count == 1 ? leaders[0].0 : nil
  }

  /// Different words of a topic, as far as more of them say more: a long text has some of everything.
  private func capped(_ topic: WordTopic) -> Int { min(self[topic].distinct, 6) }
}
