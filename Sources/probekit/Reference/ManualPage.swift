/// A page of the manual, of which each form is made: the help, plain text, a man page and Markdown.
struct ManualPage: Sendable {
  /// What the page is called by `probekit manual`, such as `check`.
  var topic: String
  /// Its name as a man page, such as `probekit-check`.
  var name: String
  /// The section of the manual that it belongs to: 1 for commands, 5 for files, 7 for conventions (man-pages(7)).
  var section: Int
  /// What it is about as a title, such as `probekit check`.
  var title: String
  /// What it is about, in one line, without a final stop.
  var summary: String
  /// The command lines that there are.
  var usage: [String] = []
  /// What there is to say first.
  var description: [String] = []
  /// The parts, in their order.
  var parts: [Part] = []
  /// Pages on related topics.
  var related: [Reference] = []
  /// The path of its file in Markdown.
  var markdownPath: String

  /// A titled part of a page.
  struct Part: Sendable {
    /// Its title, such as `Options`.
    var title: String
    /// What it says.
    var blocks: [Block]
    /// Whether the help of a command has it, too.
    var isInHelp = false
  }

  /// A piece of a part.
  enum Block: Sendable {
    /// Sentences.
    case paragraph(String)
    /// Rows with a cell for each title: a term, its explanation, and what there is besides, each of which may be empty.
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

  /// The page as others refer to it.
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
