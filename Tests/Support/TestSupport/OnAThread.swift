internal import ProbeSystem

/// Runs blocking code on a separate thread, so that other tests are not delayed.
///
/// A failed expectation on that thread is attributed to no test: return the findings instead.
package func onAThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    do {
      try WorkerThread(named: "test") { continuation.resume(with: Result { try body() }) }.detach()
    } catch {
      continuation.resume(throwing: error)
    }
  }
}
