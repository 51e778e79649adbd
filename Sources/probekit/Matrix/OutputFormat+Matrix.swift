extension OutputFormat {
  /// A page for a browser.
  static let html = OutputFormat("html")
  /// A page of documentation.
  static let markdown = OutputFormat("markdown")
  /// The forms that only a matrix has.
  static let ofMatrices = [html, markdown]
}
