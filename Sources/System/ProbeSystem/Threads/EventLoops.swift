internal import CProbeSystem

/// Loops for all processors available to the process, among which operations are distributed.
///
/// An unused loop costs nothing, because its thread starts on demand. A few operations share one loop.
package final class EventLoops: Sendable {
  /// The number of concurrent operations up to which no further loop is used.
  ///
  /// One or two TLS handshakes keep a processor busy, but for a handful of probes another thread costs more
  /// than it gains.
  private static let usualLoad = 8

  /// The loops, in the order in which they are used.
  package let all: [EventLoop]
  private let first: EventLoop

  /// Loops whose threads start on demand.
  ///
  /// - Parameter count: The number of loops, at least one; the default is the number of processors.
  package init(count: Int? = nil) {
    let count = count ?? Int(clamping: probe_usable_processors())
    first = EventLoop(named: "probekit-loop")
    all = [first] + (1..<max(1, count)).map { _ in EventLoop(named: "probekit-loop") }
  }

  /// The loop for an operation of the current task: the one on which the task prefers to run, or else a less
  /// busy one.
  package func forThisTask() -> EventLoop {
    let loop = preferred ?? leastBusy
    // If no thread is available for another loop, there is at least the first.
    return loop.start() ? loop : first
  }

  private var preferred: EventLoop? {
    guard all.count > 1 else { return first }
    let executor = unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor }
    guard let executor = unsafe executor else { return nil }
    return all.first { unsafe $0.asUnownedTaskExecutor() == executor }
  }

  private var leastBusy: EventLoop {
    var chosen = first
    var least = Int.max
    for loop in all {
      let load = loop.load
      if load < Self.usualLoad { return loop }
      if load < least { (chosen, least) = (loop, load) }
    }
    return chosen
  }
}
