internal import ProbeBase
internal import ProbeSystem
package import ProbeCore
package import ProbeTLS

/// The trust stores in use, each read once and again when its files change.
///
/// Parsing a system's bundle takes as long as twenty handshakes.
package final class Authorities: Sendable {
  /// The maximum number of stores from text: a program may start many servers, each with its own authority.
  static let capacity = 32

  /// The machine's own authorities, and those of files.
  private let byFile = FileCache<String?, TrustStore>()
  private let byText = Guarded<[[UInt8]: TrustStore]>([:])

  /// A cache without stores.
  package init() {}

  /// The authorities that a request trusts.
  ///
  /// - Parameters:
  ///   - options: The TLS options of the request.
  ///   - isInUse: Whether to keep using the previous ones while a changed file is unusable.
  /// - Returns: The authorities.
  /// - Throws: ``ProbeFailure`` with `local.trustStore`, `local.descriptors`, `local.memory` or `request.invalid`.
  package func store(for options: TLSRequestOptions, isInUse: Bool) throws(ProbeFailure) -> TrustStore {
    do {
      if let text = options.onlyAuthorities { return try store(only: text) }
      let additional = options.additionalAuthorities.map { [$0] } ?? []
      return try byFile.value(
        for: options.additionalAuthorities, of: TrustStore.systemBundles + additional, isInUse: isInUse
      ) { () throws(CertificateFileError) in try TrustStore.system(additional: additional) }
    } catch {
      let reason: ReasonCode =
        switch error.code {
        case .noSystemStore: .noTrustStore
        case .noDescriptors: .noDescriptors
        case .unusable: .noMemory
        default: .invalidRequest
        }
      let subject = options.onlyAuthorities == nil ? error.path : "the only authorities to trust"
      throw ProbeFailure(reason, subject.map { "\($0): \(error.reason)" } ?? error.reason)
    }
  }

  /// The number of cached stores from text.
  var textCount: Int { byText.withLock(\.count) }

  private func store(only text: [UInt8]) throws(CertificateFileError) -> TrustStore {
    try byText.withLock { stores throws(CertificateFileError) in
      if let store = stores[text] { return store }
      let store = try TrustStore(pem: text)
      if stores.count >= Self.capacity { stores.removeAll() }
      stores[text] = store
      return store
    }
  }
}

/// The client certificates in use, each read once and again when its files change.
package final class ClientIdentities: Sendable {
  private let identities = FileCache<ClientCertificate, Identity>()

  /// A cache without certificates.
  package init() {}

  /// The certificate and key in these files.
  ///
  /// - Parameters:
  ///   - certificate: The files.
  ///   - isInUse: Whether to keep using the previous ones while changed files are unusable.
  /// - Returns: The certificate with its key.
  /// - Throws: ``ProbeFailure`` with `request.invalid` or `local.descriptors`.
  package func identity(_ certificate: ClientCertificate, isInUse: Bool) throws(ProbeFailure) -> Identity {
    do {
      let files = [certificate.certificateFile] + (certificate.keyFile.map { [$0] } ?? [])
      return try identities.value(for: certificate, of: files, isInUse: isInUse) {
        () throws(CertificateFileError) in try Self.read(certificate)
      }
    } catch {
      let reason: ReasonCode = error.code == .noDescriptors ? .noDescriptors : .invalidRequest
      throw ProbeFailure(reason, "the client certificate cannot be used: \(error)")
    }
  }

  private static func read(_ certificate: ClientCertificate) throws(CertificateFileError) -> Identity {
    let (file, key) = (certificate.certificateFile, certificate.keyFile ?? certificate.certificateFile)
    guard let passphrase = certificate.passphrase else {
      return try Identity(certificateFile: file, keyFile: key)
    }
    return try passphrase.withText { text throws(CertificateFileError) in
      try Identity(certificateFile: file, keyFile: key, passphrase: text)
    }
  }
}

/// Values read from files, each cached until one of its files changes.
///
/// Each use compares the files' signatures, which takes a thousandth of the time of a handshake.
final class FileCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The maximum number of entries; a program may use any number of files.
  private static var capacity: Int { 32 }

  private struct Entry: Sendable {
    let signatures: [FileSignature?]
    let value: Value
  }

  private let entries = Guarded<[Key: Entry]>([:])

  /// The value of these files.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - files: The files that contain it.
  ///   - isInUse: Whether to keep using the previous value while the files are unusable: they may be
  ///     partially written, or only one of two may have been replaced. Otherwise the error is thrown.
  ///   - read: Reads the files.
  /// - Returns: The current or the previous value.
  /// - Throws: The error of `read`.
  func value<Failure: Error>(
    for key: Key, of files: [String], isInUse: Bool, read: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try entries.withLock { entries throws(Failure) in
      let former = entries[key]
      // Taken before reading: a change in the meantime causes another read.
      let signatures = files.map { FileSignature(of: $0) }
      if let former, former.signatures == signatures { return former.value }
      do throws(Failure) {
        let value = try read()
        if former == nil, entries.count >= Self.capacity { entries.removeAll() }
        entries[key] = Entry(signatures: signatures, value: value)
        return value
      } catch {
        guard isInUse, let former else { throw error }
        return former.value
      }
    }
  }
}

/// The TLS settings for requests: the trusted authorities and the client certificate, cached for later
/// connections.
final class ClientContexts: Sendable {
  /// The maximum number of entries; a program may use any number of files.
  private static let capacity = 32

  private struct Key: Hashable {
    let trust: ObjectIdentifier
    let identity: ObjectIdentifier?
    let protocols: [String]
    let checks: TLSChecks
  }

  private struct Kept: Sendable {
    let context: ClientContext
    // Retained, so that their identifiers remain unique.
    let trust: TrustStore
    let identity: Identity?
  }

  private let authorities = Authorities()
  private let identities = ClientIdentities()
  private let contexts = Guarded<[Key: Kept]>([:])

  /// The context for a request.
  ///
  /// - Throws: ``ProbeFailure`` with `local.trustStore`, `local.descriptors`, `local.memory` or `request.invalid`.
  func context(
    for request: ProbeRequest, applicationProtocols: [String]
  ) throws(ProbeFailure) -> ClientContext {
    let trust = try authorities.store(for: request.tls, isInUse: true)
    let identity = try request.tls.clientCertificate.map { certificate throws(ProbeFailure) in
      try identities.identity(certificate, isInUse: true)
    }
    let key = Key(
      trust: ObjectIdentifier(trust), identity: identity.map { ObjectIdentifier($0) },
      protocols: applicationProtocols, checks: request.tls.checks)
    if let kept = contexts.withLock({ $0[key] }) { return kept.context }
    do {
      let context = try ClientContext(
        trust: trust, identity: identity, applicationProtocols: applicationProtocols,
        checks: request.tls.checks)
      contexts.withLock { contexts in
        if contexts.count >= Self.capacity { contexts.removeAll() }
        contexts[key] = Kept(context: context, trust: trust, identity: identity)
      }
      return context
    } catch {
      throw ProbeFailure(.noMemory, error.message)
    }
  }

  /// Refuses unusable files.
  ///
  /// - Throws: `InvalidInput` that names the file.
  func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    try authorities.check(request.tls, identities)
  }
}

extension Authorities {
  /// Refuses unusable files with authorities or a client certificate.
  ///
  /// If a file changes later, the next exchange uses the new contents; while these are unusable, the previous
  /// ones remain in use.
  ///
  /// - Throws: `InvalidInput` that names the file.
  package func check(_ options: TLSRequestOptions, _ identities: ClientIdentities) throws(InvalidInput) {
    var setting = "ca"
    do throws(ProbeFailure) {
      if options.additionalAuthorities != nil { _ = try store(for: options, isInUse: false) }
      setting = "clientCertificate"
      if let certificate = options.clientCertificate {
        _ = try identities.identity(certificate, isInUse: false)
      }
    } catch {
      // A lack of resources is no error in the request.
      guard error.reason == .invalidRequest else { return }
      throw InvalidInput(error.detail).about(setting)
    }
  }
}
