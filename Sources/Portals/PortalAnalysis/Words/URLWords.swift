internal import ProbeCore

/// The words in a URL: whether its host, path and query field names are those of a portal or of a block page.
///
/// The values of the query are ignored: most of them contain the requested URL.
struct URLWords: Hashable, Sendable {
  let hostAndPath: WordTally
  /// The words of the query field names.
  let fields: WordTally
  /// Whether the query has a field for an address of the client.
  let hasClientField: Bool

  /// Reads a URL.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - hasHost: Whether to include its host; that of the requested URL is excluded.
  ///   - hasPath: Whether to include its path; that of the requested URL is excluded.
  init(_ url: ProbeURL, hasHost: Bool = true, hasPath: Bool = true) {
    let host = hasHost ? Array(url.host.utf8) + [UInt8(ascii: " ")] : []
    let path = hasPath ? Self.withoutEscapes(url.path.utf8.prefix(Self.maximumPath)) : []
    hostAndPath = Self.hostAndPathVocabulary.tally(IdentifierWords.split((host + path).span).span, in: .all)
    guard let query = url.query else {
      (fields, hasClientField) = (WordTally(), false)
      return
    }
    let names = FoldedText(Self.names(of: query).span)
    fields = Self.fieldNames.tally(names, in: .all)
    hasClientField = Self.clientFields.tally(names, in: .all).total > 0
  }
}

extension URLWords {
  /// The weight of the words of a portal: a word of the host or of the path counts as two field names.
  var portal: Int { Self.portalTopics.reduce(0) { $0 + 2 * hostAndPath[$1].distinct + fields[$1].distinct } }

  /// The weight of the words of a block page or of an error, counted likewise.
  var blockPage: Int {
    Self.blockPageTopics.reduce(0) { $0 + 2 * hostAndPath[$1].distinct + fields[$1].distinct }
  }

  /// The first word of a portal.
  var portalWord: String? { word(Self.portalTopics) }

  /// The first word of a block page or of an error.
  var blockPageWord: String? { word(Self.blockPageTopics) }

  private static let portalTopics: [WordTopic] = [.login, .network, .terms]
  private static let blockPageTopics: [WordTopic] = [.blocked, .content, .failure]

  private func word(_ topics: [WordTopic]) -> String? {
    topics.lazy.compactMap { hostAndPath[$0].first }.first
      ?? topics.lazy.compactMap { fields[$0].first }.first
  }
}

extension URLWords {
  /// How much of a path and of a query is read, in bytes: a page may have hundreds of long URLs.
  private static let maximumPath = 1024
  private static let maximumQuery = 4096

  /// The query field names without the values, each split into words.
  private static func names(of query: String) -> [UInt8] {
    var names: [UInt8] = []
    let fields = query.utf8.prefix(maximumQuery)
      .split(whereSeparator: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") })
    for field in fields {
      names += withoutEscapes(field.prefix { $0 != UInt8(ascii: "=") })
      // Keeps a name from being joined to the next one: no list contains this character.
      names += " \u{FFFD} ".utf8
    }
    return IdentifierWords.split(names.span)
  }

  /// The bytes with a space for each percent-encoded one: these are nearly always separators.
  private static func withoutEscapes(_ text: some Sequence<UInt8>) -> [UInt8] {
    var rest = 0
    return text.map { byte in
      if byte == UInt8(ascii: "%") { rest = 3 }
      rest -= 1
      return rest >= 0 ? UInt8(ascii: " ") : byte
    }
  }

  private static let hostAndPathVocabulary = Vocabulary([PackageResources.url_places_txt], matching: .stems)
  private static let fieldNames = Vocabulary([PackageResources.url_fields_txt], matching: .stems)
  private static let clientFields = Vocabulary([PackageResources.client_fields_txt], matching: .stems)
}
