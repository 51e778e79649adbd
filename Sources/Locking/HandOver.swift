internal import Synchronization

/// What one thread wrote before it gave, another sees after it has taken.
///
/// A continuation does the same. But one that is resumed before its task has come to rest does it inside the runtime,
/// where the thread sanitizer cannot see it, and every result that comes that fast would look like a race.
package struct HandOver: ~Copyable {
  private let isGiven = Atomic(false)

  /// Nothing is handed over yet.
  package init() {}

  /// Gives what was written so far.
  package func give() {
    isGiven.store(true, ordering: .releasing)
  }

  /// Takes it.
  package func take() {
    _ = isGiven.load(ordering: .acquiring)
  }
}
