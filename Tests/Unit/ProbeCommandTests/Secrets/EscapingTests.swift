import Foundation
import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import ProbeCommand
@testable import ReplayNetwork

/// Text from outside in Markdown, HTML and commands of a shell.
@Suite struct EscapingTests {
  /// Texts of special characters, each followed by what may make one `Character` with it.
  private static func texts(seed: UInt64, count: Int) -> [String] {
    var random = SeededNumbers(seed: seed)
    let special = Array("\\`*_{}[]<>#|!&~$:@'\"\n\r\t -.^".unicodeScalars)
    let others: [Unicode.Scalar] = [
      "\u{301}", "\u{20E3}", "\u{FE0F}", "\u{200D}", "\u{903}", "é", "n", "0", "\u{1F1E9}",
    ]
    return (0..<count).map { _ in
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        text.append(special.randomElement(using: &random) ?? "|")
        if Bool.random(using: &random) { text.append(others.randomElement(using: &random) ?? "n") }
      }
      return String(text)
    }
  }

  /// In Markdown, a backslash makes text of each ASCII punctuation character (CommonMark §2.4).
  @Test(arguments: [1, 2, 3] as [UInt64])
  func markdownHasABackslashBeforeEachSpecialCharacter(_ seed: UInt64) {
    for text in Self.texts(seed: seed, count: 500) + ["n|\u{301}"] {
      var read: [UInt8] = []
      var bytes = Array(text.escapedForMarkdown.utf8)[...]
      while let byte = bytes.popFirst() {
        guard byte != UInt8(ascii: "\\") else {
          read.append(bytes.popFirst() ?? 0)
          continue
        }
        #expect(!"`*_{}[]<>#|!&~$:@".utf8.contains(byte), "seed \(seed): \(text.escapedForDisplay)")
        read.append(byte)
      }
      #expect(read == Array(text.escapedForDisplay.utf8), "seed \(seed): \(text.escapedForDisplay)")
    }
  }

  /// Python reads the same text, in content and in an attribute.
  @Test func htmlIsReadByAnotherParser() throws {
    let texts = Self.texts(seed: 4, count: 300)
    let page = texts.map { "<p title=\"\($0.escapedForHTML)\">\($0.escapedForHTML)</p>" }.joined()
    let files = try TemporaryFolder([
      "page": page,
      "texts": String(decoding: try JSONEncoder().encode(texts.map(\.escapedForDisplay)), as: UTF8.self),
    ])
    let script = """
      import json, sys
      from html.parser import HTMLParser
      class Parser(HTMLParser):
          read, titles = [], []
          def handle_starttag(self, tag, attributes):
              self.titles.append(dict(attributes)["title"])
              self.read.append("")
          def handle_data(self, data): self.read[-1] += data
      parser = Parser()
      parser.feed(open(sys.argv[1] + "/page", encoding="utf-8", newline="").read())
      parser.close()
      texts = json.load(open(sys.argv[1] + "/texts", encoding="utf-8"))
      if parser.read != texts or parser.titles != texts: sys.exit("another text")
      """
    guard let code = try runProgram("python3", ["-c", script, files.path]) else {
      try skipTest("there is no python3")
    }
    #expect(code == 0)
  }

  /// A shell reads the same words from the quotes of completions.
  @Test func quotedWordsAreReadByAShell() throws {
    let words = Self.texts(seed: 5, count: 200)
    let files = try TemporaryFolder([
      "words": words.map { $0 + "\0" }.joined(),
      "script": "printf '%s\\0' " + words.map(SystemChange.quoted).joined(separator: " ") + "\n",
    ])
    let code = try runProgram(
      "sh", ["-c", "LC_ALL=C sh \"$0/script\" >\"$0/read\" && cmp -s \"$0/read\" \"$0/words\"", files.path])
    #expect(code == 0)
  }
}
