/// Which words of a ``Vocabulary`` a text has.
struct WordTally: Hashable, Sendable {
  /// What was found of one topic.
  struct Finding: Hashable, Sendable {
    /// How many different words.
    var distinct = 0
    /// How many words, each as often as it stands there.
    var total = 0
    /// The word that comes first in the text, as the vocabulary writes it; for a stem that is the stem.
    var first: String?
  }

  private var findings = [Finding](repeating: Finding(), count: WordTopic.allCases.count)

  /// What was found of a topic.
  subscript(topic: WordTopic) -> Finding { findings[topic.rawValue] }

  /// How many words of any topic were found, each as often as it stands there.
  var total: Int { findings.reduce(0) { $0 + $1.total } }

  /// Takes one more word into account.
  ///
  /// - Parameters:
  ///   - topic: What it is about.
  ///   - isNew: Whether it is the first time that the text has this word.
  ///   - spelling: The word, asked for only where it is the first of its topic.
  mutating func add(_ topic: WordTopic, isNew: Bool, spelling: @autoclosure () -> String) {
    let place = topic.rawValue
    findings[place].total += 1
    if isNew { findings[place].distinct += 1 }
    if findings[place].first == nil { findings[place].first = spelling() }
  }

  /// Takes the words of another text into account; a word that both have counts as two different ones.
  mutating func add(_ other: WordTally) {
    for place in findings.indices {
      findings[place].distinct += other.findings[place].distinct
      findings[place].total += other.findings[place].total
      findings[place].first = findings[place].first ?? other.findings[place].first
    }
  }
}

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
