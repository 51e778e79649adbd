import TestSupport
package import Testing

/// Runs tests that compute for long, or wait for a program, on a thread that no other test waits for.
///
/// The shared threads are as many as processors: two such tests at a time delay all others, and those with a
/// timeout fail. A suite or test function with this trait has its own thread; its cases wait for each other
/// there. A time limit includes that wait, unless the cases are `.serialized`.
package struct HeavyTrait: TestTrait, SuiteTrait, TestScoping {
  private let thread = OwnThread()

  /// Each test function of a suite has the trait, not only the suite.
  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(thread) { try await function() }
  }
}

extension Trait where Self == HeavyTrait {
  /// The test computes for long, or waits for a program: it has its own thread.
  package static var heavy: HeavyTrait { HeavyTrait() }
}
