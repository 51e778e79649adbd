internal import ProbeLocking
internal import ProbeOpenSSL
package import ProbeCore

/// How TLS is spoken for each request: whom to trust, and what to show; each kept for later connections.
final class ClientContexts: Sendable {
  /// The most that are kept; a program may name file after file.
  private static let capacity = 32

  private struct Key: Hashable {
    let trust: ObjectIdentifier
    let identity: ObjectIdentifier?
    let protocols: [String]
  }

  private struct Kept: Sendable {
    let context: ClientContext
    // They must live as long as their identifiers mean them.
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
      protocols: applicationProtocols)
    if let kept = contexts.withLock({ $0[key] }) { return kept.context }
    do {
      let context = try ClientContext(
        trust: trust, identity: identity, applicationProtocols: applicationProtocols)
      contexts.withLock { contexts in
        if contexts.count >= Self.capacity { contexts.removeAll() }
        contexts[key] = Kept(context: context, trust: trust, identity: identity)
      }
      return context
    } catch {
      throw ProbeFailure(.noMemory, error.message)
    }
  }

  /// Refuses files that cannot be used.
  ///
  /// - Throws: `InvalidInput` naming the file.
  func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    try authorities.check(request.tls, identities)
  }
}

extension Authorities {
  /// Refuses a file of authorities or of a client certificate that cannot be used.
  ///
  /// A file that changes later counts as it is then, from the next exchange on; while it cannot be used, as it was.
  ///
  /// - Throws: `InvalidInput` naming the file.
  package func check(_ options: TLSRequestOptions, _ identities: ClientIdentities) throws(InvalidInput) {
    do throws(ProbeFailure) {
      if options.additionalAuthorities != nil { _ = try store(for: options, isInUse: false) }
      if let certificate = options.clientCertificate {
        _ = try identities.identity(certificate, isInUse: false)
      }
    } catch {
      // What the machine lacks is no mistake of the request's.
      guard error.reason == .invalidRequest else { return }
      throw InvalidInput(error.detail)
    }
  }
}
