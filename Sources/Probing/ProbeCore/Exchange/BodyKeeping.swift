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

/// Decides how much of a body a transport receives beyond ``ProbeRequest/maxBody``.
///
/// Validators judge a body up to that limit. A run also determines the kind of an unexpected response, and
/// the relevant part may come later, for example after inlined images. When a body exceeds the limit, a
/// transport calls ``room(after:)`` once, receives that many further bytes, and returns a body longer than
/// the limit. However the body ends then, the response is valid: it was complete when the limit was reached,
/// and the durations are those of that moment.
///
/// A transport may ignore it.
package protocol FurtherReading: AnyObject, Sendable {
  /// The maximum total size of a body, in bytes.
  var maximumBytes: Int { get }

  /// Called when an exchange begins, after these redirects of the same probe.
  func begin(after redirects: [RedirectHop])

  /// The number of further bytes to receive.
  ///
  /// - Parameter response: The response with a body of exactly the limit, marked as cut.
  /// - Returns: The number; 0 if the response is as expected, or if nothing more can be learned from it.
  func room(after response: ProbeResponse) -> Int
}

extension ProbeResponse {
  package func cut(to maxBody: Int) -> ProbeResponse {
    guard body.count > maxBody else { return self }
    var response = self
    response.body = Array(body.prefix(maxBody))
    response.bodyIsCut = true
    return response
  }
}
