import CommandKit

extension OutputFormat {
  /// An HTML page.
  static let html = OutputFormat("html")
  /// A page in Markdown.
  static let markdown = OutputFormat("markdown")
  /// The formats that only a matrix has.
  static let ofMatrices = [html, markdown]
}
