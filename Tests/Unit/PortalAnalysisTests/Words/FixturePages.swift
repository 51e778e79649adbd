import Foundation
import ProbeCore

@testable import PortalAnalysis
import TestSupport

/// The pages of the fixtures, with the words found in them.
enum FixturePages {
  /// A page of a fixture.
  struct Item {
    let path: String
    let page: Page
    let languages: PageLanguages
  }

  /// All pages of the fixtures that are files.
  static let all: [Item] = read()

  private static func read() -> [Item] {
    let folder = projectFile("fixtures").path
    let paths = (FileManager.default.subpaths(atPath: folder + "/.") ?? []).filter { $0.hasSuffix(".html") }
      .sorted()
    return paths.compactMap { path in
      guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(path)"),
        let url = try? ProbeURL("http://probe.example/")
      else { return nil }
      let head = HTTPResponseHead(status: 200, fields: ["Content-Type": "text/html"])
      let text = UndeclaredText.text(of: ProbeResponse(url: url, head: head, body: Array(bytes))).bytes
      guard let page = Page(text.span) else { return nil }
      return Item(path: path, page: page, languages: page.languages(in: [:]))
    }
  }
}

/// The letters of a text, folded, with room after them; folded once for all the languages that are looked for in it.
struct FoldedLetters {
  fileprivate let units: [UInt16]
  /// The number of letters, without the room after them.
  fileprivate let count: Int

  init(_ text: [UInt8]) {
    var units: [UInt16] = [LetterFolding.space]
    var reader = UnitReader()
    reader.read(text.span, into: &units, upTo: Int.max)
    count = units.count
    for _ in 0..<Vocabulary.keyLength { units.append(LetterFolding.space) }
    self.units = units
  }
}

/// A word of a vocabulary in a text.
struct FoundWord {
  let word: Vocabulary.Word
  /// Its spelling in the list.
  let entry: String
  /// What it matches in the text, folded.
  let text: String
  /// Whether the match begins where a word of the text may begin, and ends where one may end.
  let isWhole: Bool

  /// All words of a vocabulary in a text, in the order of the text.
  static func all(
    of vocabulary: Vocabulary, in text: [UInt8], _ languages: PageLanguages
  ) -> [FoundWord] {
    all(of: vocabulary, in: FoldedLetters(text), languages)
  }

  /// All words of a vocabulary in a text, in the order of the text.
  static func all(
    of vocabulary: Vocabulary, in text: FoldedLetters, _ languages: PageLanguages
  ) -> [FoundWord] {
    let (units, count) = (text.units, text.count)
    var found: [FoundWord] = []
    var index = 1
    var steps = 0
    while index < count {
      let mayStart =
        units[index - 1] == LetterFolding.space || UInt16.isBoundary(units[index - 1], units[index])
      guard mayStart, units[index] != LetterFolding.space,
        let match = vocabulary.word(in: units.span, at: index, of: languages, steps: &steps)
      else {
        index += 1
        continue
      }
      let end = min(match.end, count)
      found.append(
        FoundWord(
          word: vocabulary.words[match.word], entry: vocabulary.spelling(of: match.word),
          text: String(decoding: units[index..<end], as: UTF16.self),
          isWhole: units[end] == LetterFolding.space || UInt16.isBoundary(units[end - 1], units[end])))
      index = end
    }
    return found
  }
}
