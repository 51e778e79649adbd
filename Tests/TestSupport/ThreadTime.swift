import Glibc

/// The seconds that this thread has worked: what costs grow by, whatever else the machine does.
package func threadTime() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The factor by which a cost in thread time grows when the count grows from 250 to 2000, eight times as many.
package func costGrowth(_ cost: (_ count: Int) throws -> Double) rethrows -> Double {
  // Others slow it down, and nothing makes it faster: the least counts.
  let (fewer, more) = try (0..<3).reduce((Double.infinity, Double.infinity)) { least, _ in
    try (min(least.0, cost(250)), min(least.1, cost(2000)))
  }
  return more / fewer
}
