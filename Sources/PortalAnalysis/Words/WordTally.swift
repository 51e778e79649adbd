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
}
