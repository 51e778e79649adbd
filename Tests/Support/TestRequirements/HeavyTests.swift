import ProbeBase
import TestSupport
package import Testing

/// Runs tests that compute for long, or wait for a program, on threads that no other test waits for.
///
/// There are as many shared threads as processors: two such tests at once delay all others, and those with a
/// timeout fail. Suites and test functions with this trait share a few threads, because many would take the
/// processors from the loops; tests on the same thread wait for each other there, and a time limit includes that
/// wait. Each test, or case, starts on the thread that has the fewest of them.
package struct HeavyTrait: TestTrait, SuiteTrait, TestScoping {
  private static let threads = [OwnThread(), OwnThread(), OwnThread()]
  /// The number of tests on each thread.
  private static let loads = Guarded([0, 0, 0])

  /// Each test function of a suite has the trait, not only the suite.
  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let index = Self.loads.withLock { loads in
      let index = loads.indices.min { loads[$0] < loads[$1] } ?? 0
      loads[index] += 1
      return index
    }
    defer { Self.loads.withLock { $0[index] -= 1 } }
    try await withTaskExecutorPreference(Self.threads[index]) { try await function() }
  }
}

extension Trait where Self == HeavyTrait {
  /// A test that computes for long or waits for a program, and runs on one of the threads for such tests.
  package static var heavy: HeavyTrait { HeavyTrait() }
}
