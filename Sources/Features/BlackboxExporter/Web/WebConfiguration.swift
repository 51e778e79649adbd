internal import ProbeServer
package import ProbeTLS

/// The contents of a web configuration file.
package struct WebConfiguration: Sendable {
  /// The TLS settings; nil for plain HTTP.
  package var tls: ServerContext?
  /// The password hashes by user name; if empty, no authentication is required.
  package var users: [String: BcryptHash] = [:]
  /// Header fields of every response, as lines.
  package var fields: [String] = []
  /// The rate limit for requests, or nil.
  var rateLimit: RateLimit?
  /// The files that it names.
  package var files: [String] = []

  /// What the file sets, none of which a reload removes: the keys that have a value, such as `rate_limit` and
  /// `rate_limit.burst`, and what client certificates must be.
  var settings: [String: Setting] = [:]
  /// The contents of the file.
  var text: [UInt8] = []

  /// A key that has a value.
  struct Setting: Sendable {
    /// The key as in the file, with those that it is in.
    let key: String
    /// The number of line ends in the value, of which a reload has as many: fewer may be its beginning.
    var lineEnds = 0
  }

  /// Plain HTTP without authentication.
  package init() {}

  /// Whether it has no effect, as that of an empty file.
  package var isEmpty: Bool { tls == nil && users.isEmpty && fields.isEmpty && rateLimit == nil }

  /// Whether the file ends as a complete one does: with a line end, or with the end of a mapping in braces.
  ///
  /// Without that, its last value may be the beginning of a longer one.
  var isEnded: Bool {
    text.last.map { $0 == 0x0A || $0 == 0x0D } ?? false || text.first { $0 > 0x20 } == UInt8(ascii: "{")
  }
}
