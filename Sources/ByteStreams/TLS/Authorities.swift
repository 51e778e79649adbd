internal import ProbeFiles
internal import ProbeLocking
package import ProbeOpenSSL
package import ProbeCore

/// The trust stores in use, each read once and again when its files change: parsing a system's bundle takes as long as
/// twenty handshakes.
package final class Authorities: Sendable {
  /// The most stores that come from text: a program may start server after server, each with an authority of its own.
  static let capacity = 32

  /// The machine's own authorities, and those of a file.
  private let byFile = FileCache<String?, TrustStore>()
  private let byText = Guarded<[[UInt8]: TrustStore]>([:])

  /// No store yet.
  package init() {}

  /// The authorities that a request trusts.
  ///
  /// - Parameters:
  ///   - options: What the request says of them.
  ///   - isInUse: Whether those read before serve on while a file that has changed cannot be used.
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

  /// How many stores are kept that come from text.
  package var textCount: Int { byText.withLock(\.count) }

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

  /// No certificate yet.
  package init() {}

  /// The certificate and key of these files.
  ///
  /// - Parameters:
  ///   - certificate: The files.
  ///   - isInUse: Whether those read before serve on while files that have changed cannot be used.
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

/// Values read from files, each kept until one of its files changes.
///
/// Each use compares the files' signatures, which takes a thousandth of the time of a handshake.
final class FileCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The most that is kept; a program may name file after file.
  private static var capacity: Int { 32 }

  private struct Entry: Sendable {
    let signatures: [FileSignature?]
    let value: Value
  }

  private let entries = Guarded<[Key: Entry]>([:])

  /// What these files hold.
  ///
  /// - Parameters:
  ///   - key: What it is known by.
  ///   - files: The files that it is read from.
  ///   - isInUse: Whether what was read before serves on while the files cannot be used: they may be half written, or
  ///     one of two may have been replaced. Otherwise the error is thrown.
  ///   - read: Reads the files.
  /// - Returns: What was read, now or before.
  /// - Throws: What `read` throws.
  func value<Failure: Error>(
    for key: Key, of files: [String], isInUse: Bool, read: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try entries.withLock { entries throws(Failure) in
      let former = entries[key]
      // From before they are read: what changes meanwhile is read once more.
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
