internal import Glibc
internal import Synchronization

/// A value protected by a lock.
///
/// This is not `Synchronization.Mutex`, which on Linux passes between threads inside the kernel under
/// contention, invisible to the thread sanitizer. The sanitizer would then report everything passed under the
/// lock as a race, and suppressions would have to name whole modules. It supports this lock.
@safe package final class Guarded<Value: Sendable> {
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  package init(_ value: Value) {
    self.value = value
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Calls a closure with the value while holding the lock.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

// The value is accessed only while the mutex is held.
extension Guarded: @unchecked Sendable {}

/// Wakes a thread that waits; signals sent before it waits are counted.
@safe package final class ThreadSignal: Sendable {
  private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// A signal that has not been sent.
  package init() {
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Ends one wait.
  package func send() {
    unsafe sem_post(semaphore)
  }

  /// Blocks the thread until a signal is sent; it may also return without one.
  package func wait() {
    unsafe sem_wait(semaphore)
  }
}

/// A value that one thread sets once, and another thread waits for.
///
/// Waiting blocks the thread: it is for values that take microseconds. Tasks wait for a ``Promise``.
package final class BlockingPromise<Value: Sendable>: Sendable {
  private let value = Guarded<Value?>(nil)
  private let signal = ThreadSignal()

  /// A promise without a value.
  package init() {}

  /// Sets the value; called once.
  package func fulfill(_ value: Value) {
    self.value.withLock { $0 = value }
    signal.send()
  }

  /// Waits for the value; called once.
  package func wait() -> Value {
    while true {
      if let value = value.withLock({ $0 }) { return value }
      signal.wait()
    }
  }
}

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
