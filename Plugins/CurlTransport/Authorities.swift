internal import Locking
internal import OpenSSL
internal import ProbeCore

/// The trust stores in use, each read once: parsing a system's bundle takes as long as twenty handshakes.
final class Authorities: Sendable {
  private let stores = Guarded<[String?: TrustStore]>([:])

  /// The machine's own authorities, and those of a PEM file.
  ///
  /// - Throws: ``ProbeFailure`` with `local.trustStore`, `local.descriptors`, `local.memory` or `request.invalid`.
  func store(additional file: String?) throws(ProbeFailure) -> TrustStore {
    do {
      return try stores.withLock { stores throws(TrustStoreError) in
        if let store = stores[file] { return store }
        let store = try TrustStore.system(additional: file.map { [$0] } ?? [])
        stores[file] = store
        return store
      }
    } catch {
      let reason: ReasonCode =
        switch error.code {
        case .noSystemStore: .noTrustStore
        case .noDescriptors: .noDescriptors
        case .unusable: .noMemory
        default: .invalidRequest
        }
      throw ProbeFailure(reason, error.path.map { "\($0): \(error.reason)" } ?? error.reason)
    }
  }
}
