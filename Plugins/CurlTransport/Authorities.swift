internal import Locking
internal import OpenSSL
internal import ProbeCore

/// The trust stores in use, each read once: parsing a system's bundle takes as long as twenty handshakes.
final class Authorities: Sendable {
  /// The most stores that come from text: a program may start server after server, each with an authority of its own.
  static let capacity = 32

  private struct Stores: Sendable {
    /// The machine's own authorities, and those of a file.
    var byFile: [String?: TrustStore] = [:]
    var byText: [[UInt8]: TrustStore] = [:]
  }

  private let stores = Guarded(Stores())

  /// The authorities that a request trusts.
  ///
  /// - Throws: ``ProbeFailure`` with `local.trustStore`, `local.descriptors`, `local.memory` or `request.invalid`.
  func store(for options: TLSRequestOptions) throws(ProbeFailure) -> TrustStore {
    do {
      if let text = options.onlyAuthorities { return try store(only: text) }
      return try store(additional: options.additionalAuthorities)
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
  var textCount: Int { stores.withLock(\.byText.count) }

  private func store(additional file: String?) throws(TrustStoreError) -> TrustStore {
    try stores.withLock { stores throws(TrustStoreError) in
      if let store = stores.byFile[file] { return store }
      let store = try TrustStore.system(additional: file.map { [$0] } ?? [])
      stores.byFile[file] = store
      return store
    }
  }

  private func store(only text: [UInt8]) throws(TrustStoreError) -> TrustStore {
    try stores.withLock { stores throws(TrustStoreError) in
      if let store = stores.byText[text] { return store }
      let store = try TrustStore(pem: text)
      if stores.byText.count >= Self.capacity { stores.byText.removeAll() }
      stores.byText[text] = store
      return store
    }
  }
}
