package import HTTPService
package import ProbeCrypt
package import ProbeOpenSSL

/// What a web configuration file says.
package struct WebConfiguration: Sendable {
  /// The TLS side; nil for plain HTTP.
  package var tls: ServerContext?
  /// The users by their names; if there are none, everybody is accepted.
  package var users: [String: BcryptHash] = [:]
  /// Header fields of every response, as lines.
  package var fields: [String] = []
  /// The limit on the rate of requests, or nil.
  package var rateLimit: RateLimit?
  /// The files that it names.
  package var files: [String] = []

  /// Plain HTTP for everybody.
  package init() {}
}
