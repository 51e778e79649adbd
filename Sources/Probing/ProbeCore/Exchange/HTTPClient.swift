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
    self = try Self(rawValue: text).known(among: Self.all, as: "an HTTP client")
  }
}

extension HTTPClient: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}

/// The version of HTTP to use; the set may grow.
public struct HTTPVersion: RawRepresentable, Hashable, Sendable {
  /// The version as in a status line, such as `1.1`, or `automatic`.
  public let rawValue: String

  /// Creates a version from its written form.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The version that the client prefers: HTTP/1.1 for ProbeKit's own client; for libcurl, HTTP/2 if the
  /// server offers it.
  public static let automatic = HTTPVersion(rawValue: "automatic")
  /// HTTP/1.0 (RFC 1945).
  public static let v1_0 = HTTPVersion(rawValue: "1.0")
  /// HTTP/1.1 (RFC 9112).
  public static let v1_1 = HTTPVersion(rawValue: "1.1")
  /// HTTP/2 (RFC 9113) over TLS; a response in another version fails the probe.
  public static let v2 = HTTPVersion(rawValue: "2")

  /// Every version that ProbeKit knows.
  public static let all: [HTTPVersion] = [.automatic, .v1_0, .v1_1, .v2]
}

extension HTTPVersion {
  /// Parses a version that a person wrote.
  ///
  /// - Throws: ``InvalidInput`` if the version is not in ``all``.
  public init(_ text: String) throws(InvalidInput) {
    self = try Self(rawValue: text).known(among: Self.all, as: "an HTTP version")
  }
}

extension RawRepresentable<String> where Self: Equatable {
  /// The name, if it is one of these.
  ///
  /// - Throws: ``InvalidInput`` with the names if it is not.
  fileprivate func known(among all: [Self], as noun: String) throws(InvalidInput) -> Self {
    if all.contains(self) { return self }
    let names = all.map(\.rawValue).joined(separator: ", ")
    throw InvalidInput("\(Excerpt(rawValue)) is not \(noun)", remedy: "use one of \(names)")
  }
}

extension HTTPVersion: CustomStringConvertible {
  /// The version as written.
  public var description: String { rawValue }
}
