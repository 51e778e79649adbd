/// Finds words that only a machine has made among the parts of the paths of URLs.
enum URLPaths {
  private static let path = SearchPattern(
    "(?:[a-z][a-z0-9+.-]{1,15}:(?:\\\\?/){2}|%3a%2f%2f|[\"'(=>\\s]\\.{0,2}\\\\?/|^/)(?<p>[^\\s\"'<>()?\\#&;,]{16,}+)"
  )
  private static let part = SearchPattern(
    "(?<=/|%2f|^)(?<v>[a-z0-9_~.-]{16,512}?)(?=/|\\\\|%2f|%253|%3f|%23|%26|\\.(?:html?|php|aspx?|jsp|cgi|do)|$)"
  )
  /// Names of files that a page is made of are no secret, whatever they are.
  private static let assets = [
    ".js", ".mjs", ".css", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".ico", ".webp", ".avif", ".woff",
    ".woff2", ".ttf",
    ".map", ".mp4", ".json",
  ]

  static var patterns: [SearchPattern] { [path, part] }

  /// The parts of paths in a text that tell somebody apart.
  static func found(in text: [UInt8]) -> [NamedField] {
    path.matches(in: text).flatMap { match -> [NamedField] in
      guard let range = match.groups["p"] else { return [] }
      let end = text[range].suffix(6).text.lowercased()
      if assets.contains(where: end.hasSuffix) { return [] }
      return part.matches(in: Array(text[range])).map { part in
        NamedField(
          name: [],
          value: (part.range.lowerBound + range.lowerBound)..<(part.range.upperBound + range.lowerBound),
          context: .path)
      }
    }
  }
}
