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
