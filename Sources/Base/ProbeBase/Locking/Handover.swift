/// A value that one thread sets once, and another thread waits for.
///
/// Waiting blocks the thread: it is for values that take microseconds. Tasks wait for a ``Promise``.
package final class Handover<Value: Sendable>: Sendable {
  private let value = Guarded<Value?>(nil)
  private let signal = ThreadSignal()

  /// A handover without a value.
  package init() {}

  /// Sets the value; called once.
  package func give(_ value: Value) {
    self.value.withLock { $0 = value }
    signal.send()
  }

  /// Waits for the value; called once.
  package func take() -> Value {
    while true {
      if let value = value.withLock({ $0 }) { return value }
      signal.wait()
    }
  }
}
