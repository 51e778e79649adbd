import ProbeBase

/// A page as a man page, with the macros of man(7), which groff and mandoc support.
package struct RoffPage: CustomStringConvertible {
  /// The source, which ends with a line end.
  package private(set) var description = ""

  package init(_ page: ManualPage, of program: ToolName) {
    // The date is omitted, so that the pages are reproducible.
    description =
      ".TH \(Self.quoted(page.name.uppercased())) \(page.section) \"\" "
      + "\(Self.quoted("\(program.name) \(program.version)")) \(Self.quoted(Self.manual(page, program)))\n"
      // Left-adjusted and without hyphenation, so that options and URLs are not split.
      + ".nh\n.ad l\n"
    addTitle("NAME")
    description += "\(Self.escaped(page.name)) \\- \(Self.escaped(page.summary))\n"
    if !page.usage.isEmpty {
      addTitle("SYNOPSIS")
      description += page.usage.map { "\\fB\(Self.escaped($0))\\fR\n" }.joined(separator: ".br\n")
    }
    if !page.description.isEmpty {
      addTitle("DESCRIPTION")
      for (index, text) in page.description.enumerated() { addParagraph(text, isFirst: index == 0) }
    }
    for part in page.parts {
      addTitle(part.title.uppercased())
      for (index, block) in part.blocks.enumerated() { add(block, isFirst: index == 0) }
    }
    if !page.related.isEmpty {
      addTitle("SEE ALSO")
      let names = page.related.map { "\\fB\(Self.escaped($0.name))\\fR(\($0.section))" }
      description += names.joined(separator: ",\n") + "\n"
    }
  }

  private static func manual(_ page: ManualPage, _ program: ToolName) -> String {
    switch page.section {
    case 1: "User Commands"
    case 5: "File Formats"
    default: "\(program.name) Manual"
    }
  }

  private mutating func addTitle(_ title: String) {
    description += ".SH \(Self.quoted(title))\n"
  }

  private mutating func addParagraph(_ text: String, isFirst: Bool) {
    description += (isFirst ? "" : ".PP\n") + Self.escaped(text) + "\n"
  }

  private mutating func add(_ block: ManualPage.Block, isFirst: Bool) {
    switch block {
    case .paragraph(let text): addParagraph(text, isFirst: isFirst)
    case .table(let titles, let rows):
      for row in rows { addTerm(row[0], TextPage.line(titles, row)) }
    case .examples(let examples):
      for example in examples { addTerm(example.code, example.meaning) }
    }
  }

  private mutating func addTerm(_ term: String, _ text: String) {
    description += ".TP\n\\fB\(Self.escaped(term))\\fR\n\(Self.escaped(text))\n"
  }

  /// A text escaped so that it is printed unchanged: without macros and escape sequences, and with ASCII
  /// punctuation.
  ///
  /// An unescaped hyphen would be printed as a typographic one, which a search does not find and a shell does
  /// not accept in an option (groff_char(7)).
  package static func escaped(_ text: String) -> String {
    let result = text.replacing([
      "\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", "\n": " ",
    ])
    // A line that begins with a dot is a request.
    return result.utf8.first == UInt8(ascii: ".") ? "\\&" + result : result
  }

  private static func quoted(_ text: String) -> String {
    "\"" + escaped(text).replacing(["\"": "\\(dq"]) + "\""
  }
}
