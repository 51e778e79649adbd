/// An HTTP client of ProbeKit; the set may grow.
public struct HTTPClient: RawRepresentable, Hashable, Sendable {
  /// The name, such as `own`.
  public let rawValue: String

  /// Creates a client from its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// ProbeKit's own client if it supports everything that the request needs, otherwise libcurl.
  public static let automatic = HTTPClient(rawValue: "automatic")
  /// ProbeKit's own client: HTTP/1.0 and HTTP/1.1, as lenient as browsers.
  public static let own = HTTPClient(rawValue: "own")
  /// libcurl, which also supports HTTP/2 and HTTPS proxies.
  public static let curl = HTTPClient(rawValue: "curl")

  /// Every client.
  public static let all: [HTTPClient] = [.automatic, .own, .curl]
}

extension HTTPClient {
  /// Parses a client name that a person wrote.
  ///
  /// - Throws: ``InvalidInput`` if the name is not in ``all``.
  public init(_ text: String) throws(InvalidInput) {
    self.init(rawValue: text)
    guard Self.all.contains(self) else {
      let known = Self.all.map(\.rawValue).joined(separator: ", ")
      throw InvalidInput("\(Excerpt(text)) is not an HTTP client", remedy: "use one of \(known)")
    }
  }
}

extension HTTPClient: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}
