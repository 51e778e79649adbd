import Foundation

/// A value that one task at a time may use.
///
/// Not `Synchronization.Mutex`: on Linux that one passes from thread to thread inside the kernel when it is contended,
/// which the thread sanitizer does not see and takes for a race. It knows this one.
final class Guarded<Value> {
  private var value: Value
  private let lock = NSLock()

  init(_ value: Value) {
    self.value = value
  }

  /// Uses the value; other tasks wait meanwhile.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

// The value is only touched while the lock is held.
extension Guarded: @unchecked Sendable where Value: Sendable {}
