import Glibc

/// The CPU time of this thread in seconds, which does not depend on the load of the machine.
package func threadTime() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The factor by which a cost in thread time grows when the count grows from 250 to 2000, eight times as many.
package func costGrowth(_ cost: (_ count: Int) throws -> Double) rethrows -> Double {
  // Other processes can only slow it down: the minimum counts. The first of the short runs also pays for what is made
  // once, and a long run is repeated unless it is clearly one of linear cost: that can only lower the factor.
  let fewer = try (0..<3).reduce(Double.infinity) { least, _ in try min(least, cost(250)) }
  var more = try cost(2000)
  for _ in 0..<2 where more >= 12 * fewer { more = try min(more, cost(2000)) }
  return more / fewer
}
