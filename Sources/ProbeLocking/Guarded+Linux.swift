internal import Glibc

/// A value that one thread at a time may use.
///
/// Not `Synchronization.Mutex`: on Linux that one passes from thread to thread inside the kernel when it is contended,
/// which the thread sanitizer does not see. It would then take everything that is handed over under the lock for a
/// race, and a list of races to overlook would have to name whole modules. It knows this lock.
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

  /// Uses the value; other threads wait meanwhile.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

// The value is only touched while the mutex is held.
extension Guarded: @unchecked Sendable {}
