internal import Glibc

/// A value that one thread sets once, and another thread waits for.
///
/// Waiting blocks the thread: it is for answers that take microseconds. Tasks wait for a ``Promise``.
@safe package final class Handover<Value: Sendable>: Sendable {
  private let value = Guarded<Value?>(nil)
  private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// A handover without a value.
  package init() {
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Sets the value; called once.
  package func give(_ value: Value) {
    self.value.withLock { $0 = value }
    unsafe sem_post(semaphore)
  }

  /// Waits for the value; called once.
  package func take() -> Value {
    while true {
      if let value = value.withLock({ $0 }) { return value }
      unsafe sem_wait(semaphore)
    }
  }
}
