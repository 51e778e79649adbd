internal import CProbeOpenSSL
package import ProbeCore

/// How a server speaks TLS.
package struct ServerSettings: Sendable {
  /// What a server does about clients' certificates.
  package enum ClientCertificates: Hashable, Sendable {
    /// It requests none.
    case none
    /// It requests one, and accepts any or none.
    case requested
    /// It requires one, and accepts any.
    case required
    /// It requests one, and verifies the one that it gets.
    case verifiedIfSent
    /// It requires one that an authority has signed.
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
    /// - Returns: nil if OpenSSL has none.
    package init?(registeredName: String) {
      guard !registeredName.utf8.contains(0), let name = unsafe OPENSSL_cipher_name(registeredName) else {
        return nil
      }
      let text = unsafe String(cString: name)
      // What OpenSSL returns for a name that it does not know.
      guard text != "(NONE)" else { return nil }
      rawValue = text
    }
  }

  /// A group for the exchange of keys, in OpenSSL's spelling.
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

  /// The accepted versions; with one below 1.2 it also accepts the weak ciphers of that time.
  package var versions: ClosedRange<TLSVersion> = .v1_2 ... .v1_3
  /// Whether ALPN selects `h2` in place of `http/1.1`.
  package var speaksHTTP2 = false
  /// The accepted cipher suites of TLS 1.2 and older; if empty, OpenSSL's own choice.
  package var cipherSuites: [CipherSuite] = []
  /// The accepted groups; if empty, OpenSSL's own choice.
  package var groups: [Group] = []
  /// Whether the order of the cipher suites is the server's preference, and not the client's.
  package var prefersOwnOrder = false
  /// What it does about clients' certificates.
  package var clientCertificates = ClientCertificates.none
  /// The authorities that clients' certificates are verified against; nil for none at all.
  package var clientAuthorities: TrustStore?
  /// The alternative names of which a client's certificate must have one; nil for any.
  package var clientNames: Set<String>?

  /// TLS 1.2 and 1.3, without certificates of clients.
  package init() {}
}
