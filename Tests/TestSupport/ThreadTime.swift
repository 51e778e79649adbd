import Glibc

/// The seconds that this thread has worked: what costs grow by, whatever else the machine does.
package func threadTime() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
