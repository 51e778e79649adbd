import Synchronization
import TestSupport
package import Testing

/// Runs tests that compute for long, or wait for a program, on threads that no other test waits for.
///
/// The shared threads are as many as processors: two such tests at a time delay all others, and those with a
/// timeout fail. Suites and test functions with this trait share a few threads, because many would take the
/// processors from the loops; tests on the same thread wait for each other there. A time limit includes that
/// wait, unless the cases are `.serialized`.
package struct HeavyTrait: TestTrait, SuiteTrait, TestScoping {
  private static let threads = [OwnThread(), OwnThread(), OwnThread()]
  private static let next = Atomic(0)

  private let thread = Self.threads[
    Self.next.add(1, ordering: .relaxed).oldValue % Self.threads.count]

  /// Each test function of a suite has the trait, not only the suite.
  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(thread) { try await function() }
  }
}

extension Trait where Self == HeavyTrait {
  /// The test computes for long, or waits for a program: it has a thread of the few for such tests.
  package static var heavy: HeavyTrait { HeavyTrait() }
}
