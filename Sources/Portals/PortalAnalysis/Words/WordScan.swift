import ProbeBase

/// Counting the words of a text.
extension Vocabulary {
  /// Counts the words in a text.
  ///
  /// The work is linear in the bytes; memory use is constant.
  ///
  /// - Parameters:
  ///   - text: Text in UTF-8; invalid bytes are part of no word.
  ///   - languages: The languages that count.
  /// - Returns: The words found, by topic.
  func tally(_ text: Span<UInt8>, in languages: PageLanguages) -> WordTally {
    // No entry is shorter than two letters.
    guard text.count > 1 else { return WordTally() }
    var scan = WordScan(in: languages)
    scan.read(text, with: self)
    return scan.tally
  }

  /// Counts the words in a text and those at its beginning, in one pass.
  ///
  /// - Parameters:
  ///   - text: Text in UTF-8.
  ///   - languages: The languages that count.
  ///   - beginning: The length of the beginning, in bytes; a word that it does not contain as a whole is not
  ///     counted.
  /// - Returns: The words of the whole text, and of its beginning.
  func tally(
    _ text: Span<UInt8>, in languages: PageLanguages, beginning: Int
  ) -> (all: WordTally, beginning: WordTally) {
    var scan = WordScan(in: languages)
    scan.read(text, with: self, beginning: beginning)
    return (scan.tally, scan.beginning)
  }

  /// Counts the words in a text that has been folded.
  func tally(_ text: FoldedText, in languages: PageLanguages) -> WordTally {
    var scan = WordScan(in: languages)
    scan.read(text, with: self)
    return scan.tally
  }
}

/// A text as units, to be read with several vocabularies.
///
/// The memory grows with the text: a long one that is read once is better read in windows.
struct FoldedText {
  /// The units: a space, the text, and as many spaces as the hash of a word needs.
  fileprivate let window: [UInt16]

  /// Reads a text in UTF-8.
  init(_ text: Span<UInt8>) {
    var window: [UInt16] = []
    window.reserveCapacity(text.count + 2 + Vocabulary.keyLength)
    window.append(LetterFolding.space)
    var reader = UnitReader()
    reader.read(text, into: &window, upTo: Int.max)
    for _ in 0..<Vocabulary.keyLength { window.append(LetterFolding.space) }
    self.window = window
  }
}

/// One pass over one text, with one vocabulary.
///
/// The languages are known before the pass: the longest match at a position depends on them, so that words found
/// in all languages could not be filtered afterwards without keeping every shorter match.
struct WordScan {
  /// The words found so far.
  private(set) var tally = WordTally()
  /// The words found at the beginning of the text.
  var beginning: WordTally { atBeginning ?? tally }
  /// The number of positions, words and units examined, as a measure of the work.
  private(set) var steps = 0
  /// The total number of units of the words found.
  private(set) var knownUnits = 0

  private let languages: PageLanguages
  /// A bit for each word of the vocabulary, set once it was found; empty until the first one.
  private var seen: [UInt64] = []
  /// The words found when the beginning ended; nil until then.
  private var atBeginning: WordTally?

  init(in languages: PageLanguages) { self.languages = languages }

  /// Reads a whole text.
  ///
  /// - Parameters:
  ///   - text: Text in UTF-8.
  ///   - vocabulary: The words to find.
  ///   - beginning: The length in bytes of what is counted as its beginning.
  mutating func read(_ text: Span<UInt8>, with vocabulary: Vocabulary, beginning: Int = Int.max) {
    let limit = 4096
    // A word at the window's end is matched with what follows it; spaces represent the end of the text.
    let reserve = vocabulary.maximumLength + Languages.maximumEnding + Vocabulary.keyLength
    var reader = UnitReader()
    var window: [UInt16] = []
    window.reserveCapacity(min(limit, text.count + 1) + Vocabulary.keyLength)
    // The first unit precedes the window and decides whether a word starts there.
    window.append(LetterFolding.space)
    var position = 1
    // The position in the window where the beginning of the text ends, once it has been read.
    var mark = Int.max
    while true {
      if mark == Int.max, beginning < text.count {
        reader.read(text, into: &window, upTo: limit, before: beginning)
        if reader.position >= beginning { mark = window.count }
      }
      reader.read(text, into: &window, upTo: limit)
      let isLast = reader.isAtEnd(of: text)
      let end = isLast ? window.count : window.count - reserve
      if isLast { for _ in 0..<Vocabulary.keyLength { window.append(LetterFolding.space) } }
      scan(window.span, with: vocabulary, from: &position, to: end, mark)
      if isLast { return }
      if mark != Int.max { mark -= position - 1 }
      window.removeFirst(position - 1)
      position = 1
    }
  }

  mutating func read(_ text: FoldedText, with vocabulary: Vocabulary) {
    var position = 1
    let end = text.window.count - Vocabulary.keyLength
    scan(text.window.span, with: vocabulary, from: &position, to: end, Int.max)
  }

  private mutating func scan(
    _ window: Span<UInt16>, with vocabulary: Vocabulary, from position: inout Int, to end: Int, _ mark: Int
  ) {
    var next = position
    var steps = 0
    var before = window[next - 1]
    while next < end {
      steps += 1
      let unit = window[next]
      let mayStart = before == LetterFolding.space || UInt16.isBoundary(before, unit)
      if mayStart, unit != LetterFolding.space,
        let match = vocabulary.word(in: window, at: next, of: languages, steps: &steps)
      {
        if match.end > mark, atBeginning == nil { atBeginning = tally }
        note(match.word, match.end - next, in: vocabulary)
        next = match.end
        before = window[next - 1]
      } else {
        next += 1
        before = unit
      }
    }
    position = next
    self.steps += steps
  }

  private mutating func note(_ word: Int, _ length: Int, in vocabulary: Vocabulary) {
    knownUnits += length
    guard let topic = vocabulary.words[word].topic else { return }
    if seen.isEmpty { seen = [UInt64](repeating: 0, count: vocabulary.words.count / 64 + 1) }
    let bit = UInt64(1) << (word % 64)
    let isNew = seen[word / 64] & bit == 0
    seen[word / 64] |= bit
    tally.add(topic, isNew: isNew, spelling: vocabulary.spelling(of: word))
  }
}
