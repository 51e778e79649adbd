internal import ProbeBase
internal import ProbeTLS
package import ProbeCore

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
    do throws(ProbeFailure) {
      if options.additionalAuthorities != nil { _ = try store(for: options, isInUse: false) }
      if let certificate = options.clientCertificate {
        _ = try identities.identity(certificate, isInUse: false)
      }
    } catch {
      // A lack of resources is no error in the request.
      guard error.reason == .invalidRequest else { return }
      throw InvalidInput(error.detail)
    }
  }
}
