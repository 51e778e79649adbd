internal import ProbeBase
package import ProbeTLS
internal import ProbeCore

/// The certificates of a replay server: one for each requested host, valid or flawed according to a
/// ``TLSMode``.
///
/// Each is created when it is first requested, and none is written to a file.
package final class ReplayCertificates: Sendable {
  /// The authority that signs the valid certificates; clients must trust it.
  package let authority: CertificateAuthority
  /// The maximum number of cached certificates; a client may request any number of names.
  private let capacity: Int
  private let state = Guarded(State())

  private struct State: Sendable {
    var contexts: [Key: ServerContext] = [:]
    /// An authority that no client trusts.
    var untrustedAuthority: CertificateAuthority?
    /// The authorities that client certificates are verified against.
    var clientAuthorities: TrustStore?
  }

  /// The key of a cached context.
  private struct Key: Hashable {
    var mode: TLSMode
    var hosts: [String]
  }

  /// Creates certificates signed by an authority, which servers can share.
  package convenience init(authority: CertificateAuthority) {
    self.init(authority: authority, capacity: 1024)
  }

  /// Creates certificates signed by an authority, or by a new one if nil.
  ///
  /// - Throws: ``ReplayError`` if the certificates cannot be created.
  convenience init(signedBy authority: CertificateAuthority?) throws(ReplayError) {
    do throws(TLSError) {
      if let authority {
        self.init(authority: authority)
      } else {
        self.init(authority: try CertificateAuthority(name: "ProbeKit Replay Authority"))
      }
    } catch {
      throw ReplayError(.noCertificates, "cannot create certificates: \(error.message)")
    }
  }

  init(authority: CertificateAuthority, capacity: Int) {
    self.authority = authority
    self.capacity = capacity
  }

  /// The TLS context for a host.
  ///
  /// - Parameters:
  ///   - mode: The TLS mode of the server.
  ///   - host: The server name that the client sent or, without one, its known destination. For a name that
  ///     is not valid in a certificate, the certificate is for this machine.
  /// - Returns: The context, or nil for a mode without a handshake.
  /// - Throws: `TLSError` if OpenSSL cannot create a certificate.
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

  /// A certificate and its key that the mode ``TLSMode/clientCertificate`` accepts.
  ///
  /// - Throws: `TLSError` if OpenSSL cannot create it.
  package func clientIdentity() throws(TLSError) -> Identity {
    var leaf = LeafOptions(hosts: [])
    leaf.purposes = .client
    return try authority.issue(leaf)
  }

  /// The number of cached certificates.
  var count: Int { state.withLock { $0.contexts.count } }
}

extension ReplayCertificates {
  private func make(
    _ settings: CertificateSettings, hosts: [String], _ state: inout State
  ) throws(TLSError) -> ServerContext {
    var leaf = LeafOptions(hosts: hosts)
    leaf.validity = settings.validity
    leaf.signer = settings.signer
    // Otherwise it would look like an incomplete chain: in both cases, the client lacks the issuer.
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

/// The properties of certificate and handshake that a mode requires.
private struct CertificateSettings {
  /// The mode, or the one that represents all modes with the same handshake.
  var mode: TLSMode
  var validity = CertificateValidity.current
  var signer = LeafOptions.Signer.authority
  var versions = TLSVersion.v1_2 ... .v1_3

  /// The settings of a mode, or nil if it does no handshake.
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

  /// The hosts in the certificate for a requested host.
  func hosts(for host: String?) -> [String] {
    let local = ["localhost", "127.0.0.1", "::1"]
    let name = host.flatMap { HostName($0.utf8)?.text }
    guard mode != .wrongHost else {
      // Neither a real name (RFC 2606 §2) nor the requested one.
      return [name == "wrong-host.invalid" ? "other-host.invalid" : "wrong-host.invalid"]
    }
    if let name { return [name] }
    guard let address = host.flatMap({ IPAddress($0)?.description }), !local.contains(address) else {
      return local
    }
    return [address] + local
  }
}
