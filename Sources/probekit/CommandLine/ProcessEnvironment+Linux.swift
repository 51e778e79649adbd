import FoundationEssentials
import Glibc

/// The variables of this process: taken from it at its start, so that no library finds those of its user.
///
/// OpenSSL, libcurl, the C library and what these are linked with read dozens of variables, which name configurations,
/// modules to load, resolvers and aliases. None of them may change what a probe finds, and a list of them would never be
/// complete. What the command itself is told by variables it finds in ``CommandContext/environment``.
enum ProcessEnvironment {
  /// What stays: the time zone, in which times are shown and nothing else is done.
  private static let kept = ["TZ", "TZDIR"]

  /// Takes all of them; before the first thread, because other threads may be reading them (environ(7)).
  ///
  /// - Returns: What they were.
  static func take() -> [String: String] {
    let variables = ProcessInfo.processInfo.environment
    clearenv()
    for name in kept {
      if let value = variables[name] { unsafe setenv(name, value, 1) }
    }
    // Without the right to change priorities, as for most users, libdispatch would write an error to the system's log for
    // each of its threads.
    unsafe setenv("LIBDISPATCH_LOG", "NO", 1)
    return variables
  }
}
