package import HTTPService
package import ProbeCrypt
package import ProbeOpenSSL

/// The contents of a web configuration file.
package struct WebConfiguration: Sendable {
  /// The TLS settings; nil for plain HTTP.
  package var tls: ServerContext?
  /// The password hashes by user name; if empty, no authentication is required.
  package var users: [String: BcryptHash] = [:]
  /// Header fields of every response, as lines.
  package var fields: [String] = []
  /// The rate limit for requests, or nil.
  package var rateLimit: RateLimit?
  /// The files that it names.
  package var files: [String] = []

  /// Plain HTTP without authentication.
  package init() {}
}
