/// A parameter of a URL's query: a name and its value, as plain text.
package struct QueryParameter: Hashable, Sendable {
  /// The name.
  package var name: String
  /// The value.
  package var value: String

  /// Creates a parameter.
  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

extension ProbeURL {
  /// The URL with parameters added to its query, percent-encoded (RFC 3986 §2.1).
  ///
  /// - Throws: ``InvalidInput`` if the URL is then too long.
  package func adding(_ parameters: [QueryParameter]) throws(InvalidInput) -> ProbeURL {
    guard !parameters.isEmpty else { return self }
    let pairs = parameters.map {
      "\($0.name.utf8.percentEncodedComponent())=\($0.value.utf8.percentEncodedComponent())"
    }
    let known = query.map { $0.isEmpty ? [] : [$0] } ?? []
    let url = ProbeURL(
      scheme: scheme, host: host, explicitPort: explicitPort, path: path,
      query: (known + pairs).joined(separator: "&"), fragment: fragment)
    guard url.string.utf8.count <= ProbeURL.maximumLength else {
      throw InvalidInput(
        "the URL with its query is \(url.string.utf8.count) bytes long, more than \(ProbeURL.maximumLength)")
    }
    return url
  }
}
