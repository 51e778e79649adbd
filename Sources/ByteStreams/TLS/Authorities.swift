internal import Locking
package import OpenSSL
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
      ) { () throws(TrustStoreError) in try TrustStore.system(additional: additional) }
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

  private func store(only text: [UInt8]) throws(TrustStoreError) -> TrustStore {
    try byText.withLock { stores throws(TrustStoreError) in
      if let store = stores[text] { return store }
      let store = try TrustStore(pem: text)
      if stores.count >= Self.capacity { stores.removeAll() }
      stores[text] = store
      return store
    }
  }
}
