internal import CProbeOpenSSL
package import ProbeBase

/// The TLS settings of a server.
package struct ServerSettings: Sendable {
  /// The treatment of client certificates.
  package enum ClientCertificates: Hashable, Sendable {
    /// None is requested.
    case none
    /// One is requested; any or none is accepted.
    case requested
    /// One is required; any is accepted.
    case required
    /// One is requested, and verified if the client sends it.
    case verifiedIfSent
    /// One is required, and must be signed by an authority.
    case requiredAndVerified
  }

  /// A cipher suite of TLS 1.2 and older, in OpenSSL's spelling.
  package struct CipherSuite: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The suite with a name of the IANA registry, such as `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`.
    ///
    /// - Returns: nil if OpenSSL does not support it.
    package init?(registeredName: String) {
      guard !registeredName.utf8.contains(0), let name = unsafe OPENSSL_cipher_name(registeredName) else {
        return nil
      }
      let text = unsafe String(cString: name)
      // OpenSSL's result for an unknown name.
      guard text != "(NONE)" else { return nil }
      rawValue = text
    }
  }

  /// A key exchange group, in OpenSSL's spelling.
  package struct Group: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    package static let p256 = Group(rawValue: "P-256")
    package static let p384 = Group(rawValue: "P-384")
    package static let p521 = Group(rawValue: "P-521")
    package static let x25519 = Group(rawValue: "X25519")
  }

  /// The accepted versions; with one below 1.2, the weak ciphers of that time are also accepted.
  package var versions: ClosedRange<TLSVersion> = .v1_2 ... .v1_3
  /// Whether ALPN selects `h2` instead of `http/1.1`.
  package var supportsHTTP2 = false
  /// The accepted cipher suites of TLS 1.2 and older; if empty, OpenSSL's default.
  package var cipherSuites: [CipherSuite] = []
  /// The accepted groups; if empty, OpenSSL's default.
  package var groups: [Group] = []
  /// Whether cipher suites are selected by the server's order of preference rather than the client's.
  package var prefersOwnOrder = false
  package var clientCertificates = ClientCertificates.none
  /// The authorities against which client certificates are verified; nil for none.
  package var clientAuthorities: TrustStore?
  /// The alternative names, one of which a client certificate must have; nil for any.
  package var clientNames: Set<String>?

  /// TLS 1.2 and 1.3, without client certificates.
  package init() {}
}
