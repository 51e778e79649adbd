/// What a word of a page, of an identifier or of a URL is about.
///
/// The first three are what portals talk about, the next two what walls talk about: block pages, filters, payment
/// walls of an operator. No topic decides alone: ``AnswerReading`` weighs them against each other.
enum WordTopic: Int, CaseIterable, Sendable {
  /// Saying who one is: log in, password, voucher, register.
  case login
  /// The network between the user and the Internet: Wi-Fi, hotspot, guest network, being online.
  case network
  /// Agreeing to something: terms of use, I accept.
  case terms
  /// A refusal: access denied, site blocked, forbidden.
  case blocked
  /// What refusals give as their cause: law, court, gambling, malware, a category, a policy.
  case content
  /// Something is broken: not found, bad gateway, try again later.
  case failure
  /// The client has access, or has logged out: you are connected, login successful, access granted.
  case admitted
  /// What belongs to a session: log out, remaining time.
  case session
  /// The administration of a device: router configuration, admin login.
  case device
}

extension WordTopic {
  /// The name that vocabularies use.
  var name: String {
    switch self {
    case .login: "login"
    case .network: "network"
    case .terms: "terms"
    case .blocked: "blocked"
    case .content: "content"
    case .failure: "failure"
    case .admitted: "admitted"
    case .session: "session"
    case .device: "device"
    }
  }

  /// The topic of a name.
  init?(name: some StringProtocol) {
    guard let topic = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = topic
  }
}

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

/// Counting the words of a text.
extension Vocabulary {
  /// The words that a text has.
  ///
  /// Work is linear in the bytes; memory does not depend on them.
  ///
  /// - Parameter text: Text in UTF-8; bytes that are not valid are part of no word.
  /// - Returns: What was found, by topic.
  func tally(_ text: Span<UInt8>) -> WordTally {
    var scan = WordScan(self)
    scan.read(text)
    return scan.tally
  }
}

/// One passage over a text.
struct WordScan {
  /// What was found so far.
  private(set) var tally = WordTally()
  /// How many places and words were looked at, the measure of the work.
  private(set) var steps = 0

  /// How many units the words that were found have together.
  private(set) var knownUnits = 0

  private let vocabulary: Vocabulary
  private var seen: [UInt64]

  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    seen = [UInt64](repeating: 0, count: vocabulary.words.count / 64 + 1)
  }

  /// Reads a text from start to end.
  mutating func read(_ text: Span<UInt8>) {
    let limit = 4096
    // A word at the window's end is looked at with what follows it; spaces stand in for what follows the text.
    let reserve = vocabulary.longest + Vocabulary.keyLength
    var reader = UnitReader()
    var window: [UInt16] = []
    window.reserveCapacity(min(limit, text.count + 1) + Vocabulary.keyLength)
    // The first unit is what was before the window, for it says whether a word starts there.
    window.append(LetterFolding.space)
    var place = 1
    while true {
      reader.read(text, into: &window, upTo: limit)
      let isLast = reader.isAtEnd(of: text)
      let end = isLast ? window.count : window.count - reserve
      if isLast { for _ in 0..<Vocabulary.keyLength { window.append(LetterFolding.space) } }
      scan(window.span, from: &place, to: end)
      if isLast { return }
      window.removeFirst(place - 1)
      place = 1
    }
  }

  private mutating func scan(_ window: Span<UInt16>, from place: inout Int, to end: Int) {
    var next = place
    var steps = 0
    var before = window[next - 1]
    while next < end {
      steps += 1
      let unit = window[next]
      let mayStart =
        before == LetterFolding.space
        || (unit | before >= UInt16.firstUnspaced && (unit.isOfUnspacedScript || before.isOfUnspacedScript))
      if mayStart, unit != LetterFolding.space,
        let word = vocabulary.word(in: window, at: next, steps: &steps)
      {
        note(word)
        next += Int(vocabulary.words[word].count)
        before = window[next - 1]
      } else {
        next += 1
        before = unit
      }
    }
    place = next
    self.steps += steps
  }

  private mutating func note(_ word: Int) {
    knownUnits += Int(vocabulary.words[word].count)
    guard let topic = vocabulary.words[word].topic else { return }
    let bit = UInt64(1) << UInt64(word % 64)
    let isNew = seen[word / 64] & bit == 0
    seen[word / 64] |= bit
    tally.add(topic, isNew: isNew, spelling: vocabulary.spelling(of: word))
  }
}
