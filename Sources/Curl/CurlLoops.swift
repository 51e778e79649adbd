internal import CProbeShims

/// Loops for all processors the process may use: transfers are spread over them when there are many.
///
/// A loop that is not needed costs nothing, because its thread starts with its first transfer. Few transfers share one.
public final class CurlLoops: Sendable {
  /// So many transfers at a time before another loop is begun; a handshake or two of TLS fill a processor, but a thread
  /// more for a handful of probes is worth less than it takes.
  private static let usualLoad = 8

  /// The loops, in the order in which they are begun.
  public let all: [CurlLoop]
  private let first: CurlLoop

  /// Loops whose threads start when they are first used.
  ///
  /// - Parameter count: How many; as many as processors unless told otherwise, and at least one.
  public init(count: Int? = nil) {
    let count = count ?? Int(probe_usable_processors())
    first = CurlLoop()
    all = [first] + (1..<max(1, count)).map { _ in CurlLoop() }
  }

  /// The loop for a transfer of the running task: the one on whose thread the task prefers to run, or else one that has
  /// little to do.
  public func forThisTask() -> CurlLoop {
    let loop = preferred ?? leastBusy
    // A machine that has no thread left for one more loop has at least the first.
    return loop.start() ? loop : first
  }

  private var preferred: CurlLoop? {
    guard all.count > 1 else { return first }
    let executor = unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor }
    guard let executor = unsafe executor else { return nil }
    return all.first { unsafe $0.asUnownedTaskExecutor() == executor }
  }

  private var leastBusy: CurlLoop {
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
