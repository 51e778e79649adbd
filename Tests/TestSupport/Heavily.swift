/// The one thread for all tests that compute for long.
private let heavyThread = OwnThread()

/// Runs what computes for long where no other test has to wait for it.
///
/// The threads that all tests share are as many as processors: what keeps them busy for seconds stops everything else,
/// and tests of many short steps wait at each of them. It is the same task there, so that a failed expectation belongs
/// to its test. Many cases of one test should be `.serialized`, or they take up the places of tests that could run.
package func heavily<Value: Sendable>(_ body: @Sendable () throws -> Value) async rethrows -> Value {
  try await withTaskExecutorPreference(heavyThread) { try await computed(body) }
}

/// A function that does not run where it was called, but where its task prefers to.
@concurrent
private func computed<Value: Sendable>(_ body: @Sendable () throws -> Value) async rethrows -> Value {
  try body()
}
