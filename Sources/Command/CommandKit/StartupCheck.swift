import CProbeSystem
import FoundationEssentials
import Glibc
import ProbeBase

/// The system resources that a program needs to start.
///
/// If the runtime cannot open a descriptor for its timers, it crashes without mentioning descriptors; if it cannot
/// allocate the stack of a thread, it waits forever.
package enum StartupCheck {
  /// The number of descriptors that the runtime opens for timers and events, and that the signal handling opens.
  private static let descriptors = 6

  /// The number of threads besides the two for each processor (the runtime's and the event loop's): those for
  /// the runtime's timers, for signals, and for lookups.
  private static let furtherThreads = 4

  /// A description of the missing resource, or nil if there is none.
  package static var shortage: String? {
    if !hasDescriptors { return "too few file descriptors to start: raise the limit (ulimit -n)" }
    return hasRoomForThreads
      ? nil : "too little memory to start: raise the limit of the address space (ulimit -v)"
  }

  private static var hasDescriptors: Bool {
    var taken: [Int32] = []
    defer { for descriptor in taken { close(descriptor) } }
    while taken.count < descriptors {
      let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      // If /dev/null is missing, descriptors may still be available.
      guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE }
      taken.append(descriptor)
    }
    return true
  }

  /// Whether the address space has room for the stacks of all threads, and as much again for their data;
  /// false only under a limit.
  ///
  /// Under a limit, memory that one thread reserves is not available for the next thread's stack.
  private static var hasRoomForThreads: Bool {
    var (space, stack) = (rlimit(), rlimit())
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space)
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &stack)
    guard space.rlim_cur < rlim_t(1) << 40 else { return true }
    probe_share_one_heap()
    // Without a limit, the default size of the C library.
    let size = stack.rlim_cur < rlim_t(1) << 32 ? Int(clamping: stack.rlim_cur) : 2 << 20
    let count = 2 * Int(widening: probe_usable_processors()) + furtherThreads
    let length = 2 * count * size
    let room = unsafe mmap(nil, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard unsafe room != MAP_FAILED else { return false }
    unsafe munmap(room, length)
    return true
  }
}

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
