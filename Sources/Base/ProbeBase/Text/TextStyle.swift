/// The style of text for a person: with or without colour, in Unicode or in ASCII.
package struct TextStyle: Sendable {
  /// A kind of emphasis, as the parameter of the SGR control function (ECMA-48 §8.3.117).
  package enum Emphasis: Int, Sendable {
    case good = 32
    case bad = 31
    case warning = 33
    case faint = 2
    case strong = 1
  }

  /// Whether to use colour.
  package var usesColor: Bool
  /// Whether only ASCII is written.
  package var usesASCII: Bool

  package init(usesColor: Bool, usesASCII: Bool = false) {
    self.usesColor = usesColor
    self.usesASCII = usesASCII
  }

  package func apply(_ emphasis: Emphasis, _ text: String) -> String {
    usesColor ? "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m" : text
  }
}

/// The symbols in text for a person, or their ASCII replacements.
package struct Marks: Sendable {
  /// The mark of a result that is accepted or as expected.
  package let good: String
  /// The mark of a result that is neither.
  package let bad: String
  /// The mark of a result that needs attention.
  package let warning = "!"
  /// The mark of a skipped item.
  package let skipped = "-"
  /// The mark of omitted text.
  package let ellipsis: String
  /// The mark before a status.
  package let bullet: String
  /// A line from top to bottom.
  package let stroke: String
  /// Bars, from the lowest to the highest.
  package let bars: [Character]
  /// A bar that is missing.
  package let gap: Character

  /// The marks for a UTF-8 locale.
  package static let unicode = Marks(
    good: "✓", bad: "✗", ellipsis: "…", bullet: "●", stroke: "│", bars: Array("▁▂▃▄▅▆▇█"), gap: "·")
  /// The marks for any other locale.
  package static let ascii = Marks(
    good: "+", bad: "x", ellipsis: "...", bullet: "*", stroke: "|", bars: Array(".:-=+*#@"), gap: " ")
}

extension TextStyle {
  package var marks: Marks { usesASCII ? .ascii : .unicode }

  /// The text as displayed, safe to print on a terminal.
  ///
  /// Where only ASCII is written, other characters are replaced or escaped, as `ls -b` does, so that nothing is lost
  /// or ambiguous.
  package func shown(_ text: String) -> String {
    let text = text.escapedForDisplay
    guard usesASCII, text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "…": result += marks.ellipsis
      case "→": result += "->"
      case "×": result += "x"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default: result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return result
  }
}

extension String {
  /// The text, truncated with an ellipsis at its end or its start if it has more characters than the width.
  package func shortened(to width: Int, atStart: Bool = false, _ marks: Marks = .unicode) -> String {
    guard count > width else { return self }
    let rest = max(width - marks.ellipsis.count, 0)
    return atStart ? marks.ellipsis + suffix(rest) : prefix(rest) + marks.ellipsis
  }
}

extension Int {
  /// The number with a word in the singular or plural, such as `1 file` and `2 files`.
  package func counted(_ word: String) -> String { "\(self) \(word)\(self == 1 ? "" : "s")" }
}
