internal import CProbeShims

/// Loops for all processors the process may use: operations are spread over them when there are many.
///
/// A loop that is not needed costs nothing, because its thread starts when it is first used. Few operations share one.
package final class EventLoops: Sendable {
  /// So many operations at a time before another loop is begun; a handshake or two of TLS fill a processor, but a thread
  /// more for a handful of probes is worth less than it takes.
  private static let usualLoad = 8

  /// The loops, in the order in which they are begun.
  package let all: [EventLoop]
  private let first: EventLoop

  /// Loops whose threads start when they are first used.
  ///
  /// - Parameter count: How many; as many as processors unless told otherwise, and at least one.
  package init(count: Int? = nil) {
    let count = count ?? Int(probe_usable_processors())
    first = EventLoop(named: "probekit-loop")
    all = [first] + (1..<max(1, count)).map { _ in EventLoop(named: "probekit-loop") }
  }

  /// The loop for an operation of the running task: the one on whose thread the task prefers to run, or else one that has
  /// little to do.
  package func forThisTask() -> EventLoop {
    let loop = preferred ?? leastBusy
    // A machine that has no thread left for one more loop has at least the first.
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
