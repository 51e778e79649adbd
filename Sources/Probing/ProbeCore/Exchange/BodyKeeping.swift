/// Decides whether the bytes of a body are kept, and provides their memory.
///
/// Many probes at a time can share a limited memory: a transport asks for memory before it receives more of a
/// body, and receives nothing until it has it. Bytes that nobody reads are only counted.
///
/// A transport may ignore it.
package protocol BodyKeeping: AnyObject, Sendable {
  /// Whether the bytes are kept. Otherwise a transport counts and drops them, and the body of its response is
  /// empty; content codings are then not undone.
  var keepsBytes: Bool { get }

  /// Called when an exchange begins: the bytes of an earlier one no longer count.
  func begin()

  /// Counts bytes of the body that were received, up to the limit of the request.
  func received(_ count: Int)

  /// Provides the memory for a number of further bytes.
  ///
  /// - Parameters:
  ///   - count: The number of bytes beyond those received so far.
  ///   - resume: Called once when the memory is available, unless it is now.
  /// - Returns: Whether it is available now, later or never.
  func provide(_ count: Int, orCall resume: @escaping @Sendable () -> Void) -> BodyMemory
}

/// When memory for a body is available.
package enum BodyMemory: Hashable, Sendable {
  case now
  case later
  /// The body is larger than any may be; a transport ends the exchange.
  case never
}

extension BodyKeeping {
  /// Waits until the memory for a number of further bytes is available.
  ///
  /// - Returns: Whether it is: false if it never will be, at the deadline, and if the task is cancelled.
  package func provide(_ count: Int, by deadline: ContinuousClock.Instant) async -> Bool {
    let (results, result) = AsyncStream.makeStream(of: Bool.self)
    switch provide(count, orCall: { result.yield(true) }) {
    case .now: return true
    case .never: return false
    case .later: break
    }
    let timer = Task {
      try? await Task.sleep(until: deadline, clock: .continuous)
      result.yield(false)
    }
    defer { timer.cancel() }
    for await isAvailable in results { return isAvailable }
    return false
  }
}
