internal import ProbeCore

/// What a URL says of itself: whether its host, its path and the names of its query's fields are those of a portal or
/// of a wall.
///
/// The values of the query are not read: the URL that was asked for stands in most of them.
struct URLWords: Hashable, Sendable {
  /// The words of the host and of the path.
  let place: WordTally
  /// The words of the names of the query's fields.
  let fields: WordTally

  /// Reads a URL.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - hasHost: Whether its host says something: that of the URL that was asked for does not.
  ///   - hasPath: Whether its path does, likewise.
  init(_ url: ProbeURL, hasHost: Bool = true, hasPath: Bool = true) {
    let host = hasHost ? Array(url.host.utf8) + [UInt8(ascii: " ")] : []
    let path = hasPath ? Self.withoutEscapes(url.path.utf8) : []
    place = Self.places.tally(IdentifierWords.split((host + path).span).span)
    fields = Self.fieldNames.tally(Self.names(of: url.query ?? "").span)
  }
}

extension URLWords {
  /// How much its words are those of a portal: a word of the host or of the path counts as two names of fields.
  var portal: Int { Self.portalTopics.reduce(0) { $0 + 2 * place[$1].distinct + fields[$1].distinct } }

  /// How much its words are those of a wall, likewise.
  var wall: Int { Self.wallTopics.reduce(0) { $0 + 2 * place[$1].distinct + fields[$1].distinct } }

  /// The first words of a portal, at most one for each topic and part of the URL.
  var portalWords: [String] { words(Self.portalTopics) }

  /// The first words of a wall, likewise.
  var wallWords: [String] { words(Self.wallTopics) }

  private static let portalTopics: [WordTopic] = [.login, .network, .terms]
  private static let wallTopics: [WordTopic] = [.blocked, .content, .failure]

  private func words(_ topics: [WordTopic]) -> [String] {
    [place, fields].flatMap { tally in topics.compactMap { tally[$0].first } }
  }
}

extension URLWords {
  /// The names of a query's fields, each cut where its words meet, without the values.
  private static func names(of query: String) -> [UInt8] {
    var names: [UInt8] = []
    for field in query.utf8.split(whereSeparator: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") }) {
      names += withoutEscapes(field.prefix { $0 != UInt8(ascii: "=") })
      // A name never runs into the next one: no list has this sign.
      names += "\u{FFFD} ".utf8
    }
    return IdentifierWords.split(names.span)
  }

  /// The bytes with a space for each percent-encoded one: what is encoded are separators in nearly all cases.
  private static func withoutEscapes(_ text: some Sequence<UInt8>) -> [UInt8] {
    var rest = 0
    return text.map { byte in
      if byte == UInt8(ascii: "%") { rest = 3 }
      rest -= 1
      return rest >= 0 ? UInt8(ascii: " ") : byte
    }
  }

  private static let places = Vocabulary([PackageResources.url_places_txt])
  private static let fieldNames = Vocabulary([PackageResources.url_fields_txt])
}
