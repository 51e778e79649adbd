import FoundationEssentials
import Glibc

/// The variables of this process, removed from it at its start, so that no library reads them.
///
/// OpenSSL, libcurl, the C library and their dependencies read dozens of variables, for configurations,
/// modules to load, resolvers and aliases. None of them may change the result of a probe, and a list of them
/// would never be complete. The variables of the command itself are in ``CommandContext/environment``.
package enum ProcessEnvironment {
  /// The variable that is kept: the time zone, which affects only the display of times.
  private static let kept = ["TZ", "TZDIR"]

  /// Removes all of them; it must run before the first thread is started, because threads may read them (environ(7)).
  ///
  /// - Returns: The removed variables.
  package static func take() -> [String: String] {
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
