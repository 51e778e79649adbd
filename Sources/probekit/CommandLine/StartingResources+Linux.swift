import CProbeShims
import Glibc

/// What a program cannot start its work without.
///
/// Where the runtime cannot have a descriptor for its timers it ends the program with a crash that says nothing of
/// descriptors; where it cannot have the stack of a thread it waits for one without end.
enum StartingResources {
  /// How many descriptors the runtime opens for its timers and its waiting, and the watch for signals for itself.
  private static let descriptors = 6

  /// How many threads there are beside two for each processor, the runtime's and the one of connections: those of the
  /// runtime's timers, of the signals, and of lookups.
  private static let furtherThreads = 4

  /// What is missing, in words, or nil when nothing is.
  static var shortage: String? {
    if !hasDescriptors { return "no file descriptor is left to start with: allow this process more of them" }
    return hasRoomForThreads
      ? nil : "no memory is left to start with: allow this process more address space (ulimit -v)"
  }

  private static var hasDescriptors: Bool {
    var taken: [Int32] = []
    defer { for descriptor in taken { close(descriptor) } }
    while taken.count < descriptors {
      let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      // A machine without that file is no machine without descriptors.
      guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE }
      taken.append(descriptor)
    }
    return true
  }

  /// Whether the address space has room for the stacks of all threads at once, and as much again for what they work
  /// with; only a limit says that it has not.
  ///
  /// Under a limit the threads share what there is: what one of them has set apart for itself the next one's stack lacks.
  private static var hasRoomForThreads: Bool {
    var (space, stack) = (rlimit(), rlimit())
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space)
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &stack)
    guard space.rlim_cur < rlim_t(1) << 40 else { return true }
    probe_share_one_heap()
    // The C library's own choice where there is no limit.
    let size = stack.rlim_cur < rlim_t(1) << 32 ? Int(stack.rlim_cur) : 2 << 20
    let count = 2 * Int(probe_usable_processors()) + furtherThreads
    let length = 2 * count * size
    let room = unsafe mmap(nil, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard unsafe room != MAP_FAILED else { return false }
    unsafe munmap(room, length)
    return true
  }
}
