private import Glibc

/// A value that one thread at a time may use.
///
/// Not `Synchronization.Mutex`: on Linux that one passes from thread to thread inside the kernel when it is contended,
/// which the thread sanitizer does not see and takes for a race. It knows this one.
@safe final class Guarded<Value: Sendable> {
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init(_ value: Value) {
    self.value = value
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Uses the value; other threads wait meanwhile.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

// The value is only touched while the mutex is held.
extension Guarded: @unchecked Sendable {}
