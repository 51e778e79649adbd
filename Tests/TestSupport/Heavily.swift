/// The one thread for all tests that compute for long.
private let heavyThread = OwnThread()

/// Runs a long computation on threads that no other test waits for.
///
/// There are as many shared threads as processors: long computations on them delay all other tests, and
/// tests with many short steps at each step. The task is the same, so that a failed expectation is
/// attributed to its test. A test with many cases should be `.serialized`, so that it does not block the
/// others.
package func heavily<Value: Sendable>(_ body: @Sendable () throws -> Value) async rethrows -> Value {
  try await withTaskExecutorPreference(heavyThread) { try await computed(body) }
}

/// A function that does not run where it was called, but where its task prefers to.
@concurrent
private func computed<Value: Sendable>(_ body: @Sendable () throws -> Value) async rethrows -> Value {
  try body()
}
