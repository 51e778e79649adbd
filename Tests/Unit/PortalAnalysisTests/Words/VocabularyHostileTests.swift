import TestSupport
import TestRequirements
import Testing

@testable import PortalAnalysis

@Suite(.heavy) struct VocabularyHostileTests {
  private func steps(_ bytes: [UInt8]) -> Int {
    var scan = WordScan(in: .all)
    scan.read(bytes.span, with: .standard)
    return scan.steps
  }

  @Test(arguments: [
    "a", " ", "access ", "access denied", "con", "pro ", "доступ к ", "拒", "차단", "https://", "://", "\u{0}",
    "é",
    "e\u{301}", "\u{202E}", "👋🏽",
  ])
  func workIsLinear(_ piece: String) {
    let unit = Array(piece.utf8)
    let small = steps(Array(repeatElement(unit, count: 5_000 / unit.count).joined()))
    let large = steps(Array(repeatElement(unit, count: 20_000 / unit.count).joined()))
    #expect(large <= 4 * small + 2000)
    #expect(large <= 20_000 * 40)
  }

  @Test(
    arguments: [
      [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x92], [0xC0, 0xAF], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80],
      [0x80, 0x80], [0xFE, 0xFF, 0x00],
    ] as [[UInt8]])
  func invalidBytesAreNeverPartOfAWord(_ bytes: [UInt8]) {
    let word = Array("access denied".utf8)
    let vocabulary = Vocabulary.standard
    #expect(vocabulary.tally(bytes.span, in: .all).total == 0)
    #expect(vocabulary.tally((word + [0x20] + bytes + [0x20] + word).span, in: .all)[.blocked].total == 2)
    #expect(vocabulary.tally((bytes + [0x20] + word + [0x20] + bytes).span, in: .all)[.blocked].total == 1)
    #expect(vocabulary.tally((bytes + bytes + word).span, in: .all)[.blocked].total <= 1)
  }

  @Test func wordsAreFoundAcrossWindowBoundaries() {
    // Windows end every 4096 units; a word across the border is found once.
    for shift in 4050..<4110 {
      let text = Array(repeatElement(UInt8(ascii: "x"), count: shift)) + Array(" access denied x".utf8)
      #expect(Vocabulary.standard.tally(text.span, in: .all)[.blocked].total == 1, "\(shift)")
    }
    // The longest forms, with an ending of their language.
    for shift in 4000..<4110 {
      let text = Array(repeatElement(UInt8(ascii: "x"), count: shift)) + Array(" şifrelerinizdeki x".utf8)
      let found = Vocabulary.standard.tally(text.span, in: PageLanguages(LanguageSet(["tr"])))
      #expect(found[.login].total == 1, "\(shift)")
    }
  }

  /// Words, parts of words and endings in any order, with and without spaces.
  @Test func workIsLinearForGeneratedText() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var numbers = SeededNumbers(seed: seed)
    let vocabulary = Vocabulary.standard
    let entries = (0..<200).map { _ in
      vocabulary.spelling(of: Int.random(in: 0..<vocabulary.words.count, using: &numbers))
    }
    for spaces in [0, 1, 5] {
      let pieces = (0..<3000).map { _ -> String in
        let entry = entries.randomElement(using: &numbers) ?? ""
        let piece =
          Bool.random(using: &numbers) ? entry : String(entry.prefix(Int.random(in: 1...6, using: &numbers)))
        return piece + (Int.random(in: 0..<5, using: &numbers) < spaces ? " " : "")
      }
      let text = Array(pieces.joined().utf8)
      for languages in [PageLanguages.all, PageLanguages(of: text.span)] {
        var scan = WordScan(in: languages)
        scan.read(text.span, with: vocabulary)
        #expect(scan.steps <= text.count * 40, "seed \(seed): \(scan.steps) steps for \(text.count) bytes")
      }
    }
  }

  @Test(arguments: ["login", "şifre", "заблокирован", "kirjautuminen", "தடுக்கப்பட்ட", "登录", "دخول"])
  func aPageOfOneWordIsRead(_ word: String) {
    for (separator, size) in [("", 1 << 20), (" ", 1 << 17)] {
      let text = Array(String(repeating: word + separator, count: size / word.utf8.count).utf8)
      let small = steps(Array(text.prefix(10_000)))
      #expect(steps(text) <= (text.count / 10_000 + 1) * (small + 2000), "\(separator.count)")
    }
  }

  @Test func randomBytesAreRead() {
    var numbers = SeededNumbers(seed: 6)
    for _ in 0..<10 {
      let bytes = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      #expect(steps(bytes) <= 2000 * 40)
      #expect(UndeclaredText.charset(of: bytes[...]) != nil)
    }
  }
}
