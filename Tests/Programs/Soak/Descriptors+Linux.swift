private import Glibc

/// The descriptors that rounds need: two for each connection, of which both ends are in this process.
enum Descriptors {
  /// The number that the largest rounds may need at once.
  static let needed = 8192

  /// Raises the limit of this process as far as it is permitted to.
  ///
  /// - Returns: Whether the limit is high enough.
  static func raised() -> Bool {
    var limits = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    limits.rlim_cur = max(limits.rlim_cur, min(limits.rlim_max, rlim_t(needed)))
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    return limits.rlim_cur >= rlim_t(needed)
  }
}
