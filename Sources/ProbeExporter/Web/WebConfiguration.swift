package import HTTPService
package import ProbeCrypt
package import ProbeOpenSSL

/// The contents of a web configuration file.
package struct WebConfiguration: Sendable {
  /// What a server requires of its clients, which a reload never turns off.
  enum Protection: String, Hashable, CaseIterable {
    case tls = "TLS"
    case passwords = "authentication by password"
    case clientCertificates = "the requirement of a client certificate"
    case verification = "the verification of client certificates"
    case authority = "the authority of client certificates"
    case names = "the names of client certificates"
  }

  /// The TLS settings; nil for plain HTTP.
  package var tls: ServerContext?
  /// The protections by client certificates.
  var clientProtections: Set<Protection> = []
  /// The password hashes by user name; if empty, no authentication is required.
  package var users: [String: BcryptHash] = [:]
  /// Header fields of every response, as lines.
  package var fields: [String] = []
  /// The rate limit for requests, or nil.
  package var rateLimit: RateLimit?
  /// The files that it names.
  package var files: [String] = []

  /// Whether the file has nothing but white space and comments.
  var isBlank = false

  /// Plain HTTP without authentication.
  package init() {}

  /// Whether it has no setting, as that of an empty file.
  package var isEmpty: Bool { protections.isEmpty && fields.isEmpty && rateLimit == nil }

  /// All protections.
  var protections: Set<Protection> {
    var protections = clientProtections
    if tls != nil { protections.insert(.tls) }
    if !users.isEmpty { protections.insert(.passwords) }
    return protections
  }
}
