internal import ProbeThreading

/// Runs what blocks on a thread of its own, so that other tests need not wait for it.
///
/// A failed expectation in there would belong to no test: let it return what it found.
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
