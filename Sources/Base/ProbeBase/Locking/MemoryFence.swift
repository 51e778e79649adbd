internal import Synchronization

/// Makes the writes of one thread before a release visible to another thread after its acquire.
///
/// A continuation does the same. But if it is resumed before its task is suspended, this happens inside the
/// runtime, where the thread sanitizer cannot see it, and every such fast result would look like a race.
package struct MemoryFence: ~Copyable {
  private let isReleased = Atomic(false)

  /// A fence that has not been released.
  package init() {}

  /// Releases everything written so far.
  package func release() {
    isReleased.store(true, ordering: .releasing)
  }

  /// Acquires the released writes.
  package func acquire() {
    _ = isReleased.load(ordering: .acquiring)
  }
}
