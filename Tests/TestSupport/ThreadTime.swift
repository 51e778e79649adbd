import Glibc

/// The CPU time of this thread in seconds, which does not depend on the load of the machine.
package func threadTime() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The factor by which a cost in thread time grows when the count grows from 250 to 2000, eight times as many.
package func costGrowth(_ cost: (_ count: Int) throws -> Double) rethrows -> Double {
  // Other processes can only slow it down: the minimum counts.
  let (fewer, more) = try (0..<3).reduce((Double.infinity, Double.infinity)) { least, _ in
    try (min(least.0, cost(250)), min(least.1, cost(2000)))
  }
  return more / fewer
}
