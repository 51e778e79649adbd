internal import Glibc

/// A value protected by a lock.
///
/// This is not `Synchronization.Mutex`, which on Linux passes between threads inside the kernel under
/// contention, invisible to the thread sanitizer. The sanitizer would then report everything passed under the
/// lock as a race, and suppressions would have to name whole modules. It supports this lock.
@safe package final class Guarded<Value: Sendable> {
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  /// A guarded value.
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
