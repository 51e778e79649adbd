import ProbeCore

/// Characters that show something at a glance in a text for a person, or ASCII in place of them.
package struct Marks: Sendable {
  /// What was accepted or is as it should be.
  package let good: String
  /// What was not.
  package let bad: String
  /// What needs a look.
  package let warning = "!"
  /// What was not tried.
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

  /// For a locale of UTF-8.
  package static let unicode = Marks(
    good: "✓", bad: "✗", ellipsis: "…", bullet: "●", stroke: "│", bars: Array("▁▂▃▄▅▆▇█"), gap: "·")
  /// For any other.
  package static let ascii = Marks(
    good: "+", bad: "x", ellipsis: "...", bullet: "*", stroke: "|", bars: Array(".:-=+*#@"), gap: " ")
}

extension TextStyle {
  /// The marks of the style.
  package var marks: Marks { usesASCII ? .ascii : .unicode }

  /// Text as it is shown: what could act on a terminal is escaped and, where only ASCII is written, everything else as
  /// well, as `ls -b` does: nothing is lost, and nothing looks like what it is not.
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
