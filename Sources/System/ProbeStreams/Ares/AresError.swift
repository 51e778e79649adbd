/// The reason why a lookup resulted in no address.
package struct AresError: Error, Hashable, Sendable {
  /// The kind of error.
  package struct Code: Hashable, Sendable {
    private let name: String

    private init(_ name: String) {
      self.name = name
    }

    /// The name does not exist (NXDOMAIN), or is not in the hosts file.
    package static let noSuchName = Code("noSuchName")
    /// The name exists, but has no address of the family.
    static let noData = Code("noData")
    /// A server failed (SERVFAIL, or an unexpected code).
    package static let serverFailure = Code("serverFailure")
    /// A server refused the query (REFUSED).
    package static let refused = Code("refused")
    /// A server does not support the query (NOTIMP).
    static let notImplemented = Code("notImplemented")
    /// A server could not parse the query (FORMERR).
    package static let formatError = Code("formatError")
    /// No server responded in time.
    package static let timeout = Code("timeout")
    /// No server could be queried: none is configured, there is no route to it, or it refused the connection.
    static let noServers = Code("noServers")
    /// A response was invalid.
    static let badResponse = Code("badResponse")
    /// The name is invalid in DNS.
    static let badName = Code("badName")
    /// No memory is available.
    package static let noMemory = Code("noMemory")
    /// No descriptor is available.
    package static let noDescriptors = Code("noDescriptors")
    /// It was cancelled, or its channel was released.
    package static let cancelled = Code("cancelled")
    /// Any other error; see the description.
    package static let other = Code("other")
  }

  /// The kind of error.
  package var code: Code
  /// The description by c-ares, which starts with a capital letter and has no period.
  package var words: String

  /// An error.
  package init(_ code: Code, _ words: String) {
    self.code = code
    self.words = words
  }
}
