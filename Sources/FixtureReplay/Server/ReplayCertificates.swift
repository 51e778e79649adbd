internal import ProbeLocking
package import ProbeOpenSSL
internal import ProbeCore

/// The certificates a replay server shows: one for each host it is asked for, as good or bad as a ``TLSMode`` says.
///
/// They are made when they are first asked for, and nothing is ever written to a file.
package final class ReplayCertificates: Sendable {
  /// The authority that signs what a client is to trust.
  package let authority: CertificateAuthority
  /// The most certificates that are kept; a client may ask for any number of names.
  private let capacity: Int
  private let state = Guarded(State())

  private struct State: Sendable {
    var contexts: [Key: ServerContext] = [:]
    /// An authority whose certificate nobody is ever given.
    var untrustedAuthority: CertificateAuthority?
    /// What the certificates of clients are verified against.
    var clientAuthorities: TrustStore?
  }

  /// What one context is for.
  private struct Key: Hashable {
    var mode: TLSMode
    var hosts: [String]
  }

  /// Certificates signed by an authority, which many servers may share.
  package convenience init(authority: CertificateAuthority) {
    self.init(authority: authority, capacity: 1024)
  }

  /// Certificates signed by an authority, or by one of their own.
  ///
  /// - Throws: ``ReplayError`` when none can be made.
  convenience init(signedBy authority: CertificateAuthority?) throws(ReplayError) {
    do throws(TLSError) {
      if let authority {
        self.init(authority: authority)
      } else {
        self.init(authority: try CertificateAuthority(name: "ProbeKit Replay Authority"))
      }
    } catch {
      throw ReplayError(.noCertificates, "cannot make certificates: \(error.message)")
    }
  }

  init(authority: CertificateAuthority, capacity: Int) {
    self.authority = authority
    self.capacity = capacity
  }

  /// How the server shows itself to a client that asks for a host.
  ///
  /// - Parameters:
  ///   - mode: How the server speaks TLS.
  ///   - host: The name the client asked for or, without one, the name or address it is known to want. What cannot
  ///     stand in a certificate is as good as none: the certificate is then for this machine.
  /// - Returns: nil for a mode without a handshake.
  /// - Throws: `TLSError` when OpenSSL cannot make a certificate.
  package func context(for mode: TLSMode, host: String?) throws(TLSError) -> ServerContext? {
    guard let settings = CertificateSettings(mode) else { return nil }
    let key = Key(mode: settings.mode, hosts: settings.hosts(for: host))
    return try state.withLock { state throws(TLSError) in
      if let context = state.contexts[key] { return context }
      let context = try make(settings, hosts: key.hosts, &state)
      if state.contexts.count >= capacity { state.contexts.removeAll() }
      state.contexts[key] = context
      return context
    }
  }

  /// A certificate with its key that the mode ``TLSMode/clientCertificate`` lets in.
  ///
  /// - Throws: `TLSError` when OpenSSL cannot make it.
  package func clientIdentity() throws(TLSError) -> Identity {
    var leaf = LeafOptions(hosts: [])
    leaf.purposes = .client
    return try authority.issue(leaf)
  }

  /// How many certificates are kept.
  var count: Int { state.withLock { $0.contexts.count } }
}

extension ReplayCertificates {
  private func make(
    _ settings: CertificateSettings, hosts: [String], _ state: inout State
  ) throws(TLSError) -> ServerContext {
    var leaf = LeafOptions(hosts: hosts)
    leaf.validity = settings.validity
    leaf.signer = settings.signer
    // Else a client could not tell it from an incomplete chain: what it lacks is the issuer in both.
    leaf.sendsAuthority = settings.mode == .untrusted
    let issuer = settings.mode == .untrusted ? try untrustedAuthority(&state) : authority
    let clients = settings.mode == .clientCertificate ? try clientAuthorities(&state) : nil
    return try ServerContext(issuer.issue(leaf), versions: settings.versions, clientAuthorities: clients)
  }

  private func untrustedAuthority(_ state: inout State) throws(TLSError) -> CertificateAuthority {
    if let untrustedAuthority = state.untrustedAuthority { return untrustedAuthority }
    let untrustedAuthority = try CertificateAuthority(name: "ProbeKit Replay, an Authority Nobody Trusts")
    state.untrustedAuthority = untrustedAuthority
    return untrustedAuthority
  }

  private func clientAuthorities(_ state: inout State) throws(TLSError) -> TrustStore {
    if let store = state.clientAuthorities { return store }
    do throws(CertificateFileError) {
      let store = try TrustStore(authorities: [authority])
      state.clientAuthorities = store
      return store
    } catch {
      throw TLSError(.cannotConfigure, error.description)
    }
  }
}

/// What a mode asks of certificate and handshake.
private struct CertificateSettings {
  /// The mode, one in place of all that look the same in the handshake.
  var mode: TLSMode
  var validity = CertificateValidity.current
  var signer = LeafOptions.Signer.authority
  var versions = TLSVersion.v1_2 ... .v1_3

  /// The settings of a mode, or nil when it does no handshake.
  init?(_ mode: TLSMode) {
    self.mode = mode
    switch mode {
    case .valid, .untrusted, .wrongHost, .clientCertificate: break
    case .noCloseNotify: self.mode = .valid
    case .expired: validity = .expired
    case .notYetValid: validity = .notYetValid
    case .selfSigned: signer = .itself
    case .incompleteChain: signer = .missingIntermediate
    case .tls1_0: versions = .v1_0 ... .v1_0
    case .plainHTTP, .fin, .rst, .stall, .alertHandshakeFailure, .alertProtocolVersion, .alertInternalError,
      .alertUnrecognizedName:
      return nil
    }
  }

  /// The hosts a certificate is for when a client asks for this one.
  func hosts(for host: String?) -> [String] {
    let local = ["localhost", "127.0.0.1", "::1"]
    let name = host.flatMap { HostName($0.utf8)?.text }
    guard mode != .wrongHost else {
      // Never a real name (RFC 2606 §2), nor the one that is asked for.
      return [name == "wrong-host.invalid" ? "other-host.invalid" : "wrong-host.invalid"]
    }
    if let name { return [name] }
    guard let address = host.flatMap({ IPAddress($0)?.description }), !local.contains(address) else {
      return local
    }
    return [address] + local
  }
}
