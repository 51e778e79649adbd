/// A page as wrapped plain text: the help of a command, and the output of `probekit manual`.
package struct TextPage: CustomStringConvertible {
  /// The default width, that of a standard terminal.
  package static let usualWidth = 80

  /// The text, which ends with a line end.
  package private(set) var description = ""
  private let width: Int

  /// A page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - width: The maximum width of a line; longer words are not broken.
  ///   - isHelp: Whether to include only the parts for the help.
  package init(_ page: ManualPage, width: Int = TextPage.usualWidth, isHelp: Bool) {
    self.width = width
    description =
      page.usage.isEmpty
      ? "\(page.title)\n"
      : page.usage.enumerated().map { ($0.offset == 0 ? "Usage: " : "       ") + $0.element + "\n" }.joined()
    add(page.summary + ".")
    for paragraph in page.description { add(paragraph) }
    for part in page.parts where part.isInHelp || !isHelp {
      description += "\n\(part.title):\n"
      for (index, block) in part.blocks.enumerated() {
        if index > 0 { description += "\n" }
        add(block)
      }
    }
    if !isHelp, !page.related.isEmpty {
      description += "\nSee also:\n"
      let names = page.related.map { "\($0.name)(\($0.section))" }
      description += Self.wrapped(names.joined(separator: ", "), indent: 2, width: width)
    }
  }

  private mutating func add(_ paragraph: String) {
    description += "\n" + Self.wrapped(paragraph, indent: 0, width: width)
  }

  private mutating func add(_ block: ManualPage.Block) {
    switch block {
    case .paragraph(let text): description += Self.wrapped(text, indent: 2, width: width)
    case .table(let titles, let rows): addList(rows.map { (term: $0[0], text: Self.line(titles, $0)) })
    case .examples(let examples):
      for example in examples {
        description += "  \(example.code)\n" + Self.wrapped(example.meaning, indent: 6, width: width)
      }
    }
  }

  /// The explanation of a row, with its further cells in parentheses.
  package static func line(_ titles: [String], _ row: [String]) -> String {
    let rest = zip(titles, row).dropFirst(2).filter { !$0.1.isEmpty }
    guard !rest.isEmpty else { return row[1] }
    return row[1] + " ("
      + rest.map { $0.1 == ManualPage.required ? $0.1 : "\($0.0): \($0.1)" }.joined(separator: "; ") + ")"
  }

  /// Adds names with their explanations in a second column.
  private mutating func addList(_ rows: [(term: String, text: String)]) {
    let widest = rows.map(\.term.count).max() ?? 0
    let column = min(widest, 26, max(8, width / 3)) + 4
    for row in rows {
      let start = "  " + row.term
      let text = Self.wrapped(row.text, indent: column, width: width)
      if start.count + 2 <= column {
        description += start + text.dropFirst(start.count)
      } else {
        description += start + "\n" + text
      }
    }
  }

  /// A text wrapped to a width, each line with a margin and a line end.
  package static func wrapped(_ text: String, indent: Int, width: Int = TextPage.usualWidth) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    return lines.map { margin + $0 + "\n" }.joined()
  }
}
