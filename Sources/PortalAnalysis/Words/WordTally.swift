import ProbeASCII

/// The topic of a word in a page, an identifier or a URL.
///
/// The first three topics indicate portals, the next two block pages: filters and an operator's payment
/// pages. No topic decides alone: ``AnswerReading`` weighs them against each other.
enum WordTopic: Int, CaseIterable, Sendable {
  /// Identification: log in, password, voucher, register.
  case login
  /// The network between the user and the Internet: Wi-Fi, hotspot, guest network, being online.
  case network
  /// Acceptance: terms of use, I accept.
  case terms
  /// A refusal: access denied, site blocked, forbidden.
  case blocked
  /// The reason for a refusal: law, court, gambling, malware, a category, a policy.
  case content
  /// An error: not found, bad gateway, try again later.
  case failure
  /// The client has access, or has logged out: you are connected, login successful, access granted.
  case admitted
  /// What belongs to a session: log out, remaining time.
  case session
  /// The administration of a device: router configuration, admin login.
  case device
  /// A voucher, or a code that grants access.
  case voucher
  /// Internet access for sale.
  case payment
  /// The client has logged out.
  case loggedOut
  /// A search in place of an error about a name.
  case nameErrorHelp
  /// A domain for sale.
  case parked
  /// A test for browsers.
  case challenge
  /// A web server without a site.
  case defaultPage
  /// The purpose of a link that is no login: terms, help, registration.
  case aside
  /// A field for a user name.
  case user
  /// A field for an e-mail address.
  case email
  /// A field for a telephone number.
  case phone
  /// A field for a room, a ticket or a name.
  case person
  /// A box to stay logged in, which accounts have.
  case remember
  /// A field against forged requests, which programs have.
  case token
  /// A field for the page of the program to return to.
  case returnTo
  /// A forgotten password.
  case forgotten
  /// An address of this client in a URL.
  case client
  /// Portal software.
  case portalSoftware
  /// A program with a log-in of its own.
  case program
  /// Filter software.
  case filter
}

extension WordTopic {
  /// The name in the vocabularies.
  var name: String { "\(self)" }

  /// The topic with a name.
  init?(name: some StringProtocol) {
    guard let topic = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = topic
  }
}

/// The words of a ``Vocabulary`` that a text contains.
struct WordTally: Hashable, Sendable {
  /// The matches of one topic.
  struct Finding: Hashable, Sendable {
    /// The number of distinct words.
    var distinct = 0
    /// The number of words, counting each occurrence.
    var total = 0
    /// The first word in the text, as spelled in the vocabulary; a stem is not completed.
    var first: String?
  }

  private var findings = [Finding](repeating: Finding(), count: WordTopic.allCases.count)

  /// The matches of a topic.
  subscript(topic: WordTopic) -> Finding { findings[topic.rawValue] }

  /// The number of words of any topic, counting each occurrence.
  var total: Int { findings.reduce(0) { $0 + $1.total } }

  /// Adds a word.
  ///
  /// - Parameters:
  ///   - topic: Its topic.
  ///   - isNew: Whether it is the first occurrence in the text.
  ///   - spelling: The word, evaluated only if it is the first of its topic.
  mutating func add(_ topic: WordTopic, isNew: Bool, spelling: @autoclosure () -> String) {
    let place = topic.rawValue
    findings[place].total += 1
    if isNew { findings[place].distinct += 1 }
    if findings[place].first == nil { findings[place].first = spelling() }
  }
}

/// Counting the words of a text.
extension Vocabulary {
  /// Counts the words in a text.
  ///
  /// The work is linear in the bytes; memory use is constant.
  ///
  /// - Parameter text: Text in UTF-8; invalid bytes are part of no word.
  /// - Returns: The words found, by topic.
  func tally(_ text: Span<UInt8>) -> WordTally {
    var scan = WordScan(self)
    scan.read(text)
    return scan.tally
  }
}

/// One pass over a text.
struct WordScan {
  /// The words found so far.
  private(set) var tally = WordTally()
  /// The number of positions and words examined, as a measure of the work.
  private(set) var steps = 0

  /// The total number of units of the words found.
  private(set) var knownUnits = 0

  private let vocabulary: Vocabulary
  private var seen: [UInt64]

  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    seen = [UInt64](repeating: 0, count: vocabulary.words.count / 64 + 1)
  }

  /// Reads a whole text.
  mutating func read(_ text: Span<UInt8>) {
    let limit = 4096
    // A word at the window's end is matched with what follows it; spaces represent the end of the text.
    let reserve = vocabulary.longest + Vocabulary.keyLength
    var reader = UnitReader()
    var window: [UInt16] = []
    window.reserveCapacity(min(limit, text.count + 1) + Vocabulary.keyLength)
    // The first unit precedes the window and decides whether a word starts there.
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
        next += Int(widening: vocabulary.words[word].count)
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
    knownUnits += Int(widening: vocabulary.words[word].count)
    guard let topic = vocabulary.words[word].topic else { return }
    let bit = UInt64(1) << (word % 64)
    let isNew = seen[word / 64] & bit == 0
    seen[word / 64] |= bit
    tally.add(topic, isNew: isNew, spelling: vocabulary.spelling(of: word))
  }
}
