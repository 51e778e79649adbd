/// A page of the manual, the source of every format: the help, plain text, a man page and Markdown.
struct ManualPage: Sendable {
  /// The topic for `probekit manual`, such as `check`.
  var topic: String
  /// Its name as a man page, such as `probekit-check`.
  var name: String
  /// The section of the manual that it belongs to: 1 for commands, 5 for files, 7 for conventions (man-pages(7)).
  var section: Int
  /// The title, such as `probekit check`.
  var title: String
  /// The summary in one line, without a final full stop.
  var summary: String
  /// The synopsis.
  var usage: [String] = []
  /// The introduction.
  var description: [String] = []
  /// The parts in order.
  var parts: [Part] = []
  /// Pages on related topics.
  var related: [Reference] = []
  /// The path of its file in Markdown.
  var markdownPath: String

  /// A titled part of a page.
  struct Part: Sendable {
    /// Its title, such as `Options`.
    var title: String
    /// The contents.
    var blocks: [Block]
    /// Whether the help of a command includes it.
    var isInHelp = false
  }

  /// A block of a part.
  enum Block: Sendable {
    /// A paragraph.
    case paragraph(String)
    /// Rows with a cell for each title: a term, its explanation, and further cells, which may be empty.
    case table(titles: [String], rows: [[String]])
    /// Command lines or lines of a file, each with its explanation.
    case examples([(code: String, meaning: String)])
  }

  /// Another page.
  struct Reference: Hashable, Sendable {
    var topic: String
    var name: String
    var section: Int
    var markdownPath: String
  }

  /// The reference to the page in other pages.
  var reference: Reference {
    Reference(topic: topic, name: name, section: section, markdownPath: markdownPath)
  }
}

extension ManualPage.Block {
  /// Terms with their explanations.
  static func list(
    _ terms: String, _ rows: [(term: String, text: String)]
  ) -> Self {
    .table(titles: [terms, "meaning"], rows: rows.map { [$0.term, $0.text] })
  }
}
