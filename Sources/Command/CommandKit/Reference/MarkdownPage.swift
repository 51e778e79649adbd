import ProbeBase

/// A page in Markdown, for a project's documentation.
package struct MarkdownPage: CustomStringConvertible {
  /// The page, which ends with a line end.
  package private(set) var description = ""
  private let path: String

  package init(_ page: ManualPage, of program: ToolName) {
    path = page.markdownPath
    description =
      "<!-- Written by \(program.name) manual. Do not edit. -->\n\n# \(Self.escaped(page.title))\n"
    add(page.summary + ".")
    if !page.usage.isEmpty {
      description += "\n```text\n" + page.usage.joined(separator: "\n") + "\n```\n"
    }
    for paragraph in page.description { add(paragraph) }
    for part in page.parts {
      description += "\n## \(Self.escaped(part.title))\n"
      for block in part.blocks { add(block) }
    }
    if !page.related.isEmpty {
      description += "\n## See also\n\n"
      let links = page.related.map { "[\(Self.escaped($0.topic))](\(link(to: $0.markdownPath)))" }
      description += links.joined(separator: " · ") + "\n"
    }
  }

  private mutating func add(_ paragraph: String) {
    description += "\n" + Self.escaped(paragraph) + "\n"
  }

  private mutating func add(_ block: ManualPage.Block) {
    switch block {
    case .paragraph(let text): add(text)
    case .table(let titles, let rows):
      description += "\n| \(titles.joined(separator: " | ")) |\n"
      description += "|" + String(repeating: " --- |", count: titles.count) + "\n"
      for row in rows {
        let cells = [Self.code(row[0]).inCell] + row.dropFirst().map { Self.escaped($0).inCell }
        description += "| \(cells.joined(separator: " | ")) |\n"
      }
    case .examples(let examples):
      description += "\n"
      for example in examples {
        description += "- \(Self.code(example.code)): \(Self.escaped(example.meaning))\n"
      }
    }
  }

  private func link(to other: String) -> String {
    let depth = path.split(separator: "/").count - 1
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    if !folder.isEmpty, other.hasPrefix(folder + "/") { return String(other.dropFirst(folder.count + 1)) }
    return String(repeating: "../", count: depth) + other
  }

  /// A text as code, which may contain backticks (CommonMark §6.1).
  private static func code(_ text: String) -> String {
    text.contains("`") ? "`` \(text) ``" : "`\(text)`"
  }

  package static func escaped(_ text: String) -> String {
    text.withBackslashes(before: "\\`*<$")
  }
}

extension String {
  /// The text escaped for a table cell, including code.
  fileprivate var inCell: String { withBackslashes(before: "|") }
}
