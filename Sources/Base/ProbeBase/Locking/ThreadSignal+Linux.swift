internal import Glibc

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
