import CProbeShims
import Glibc

/// A program to start as a child process (posix_spawn(3)).
///
/// It starts as from a shell: no signal is blocked or ignored.
struct SpawnedProgram {
  /// The system's message about a process that could not be started.
  struct NotStarted: Error, CustomStringConvertible {
    let description: String

    init(_ number: Int32) {
      description = unsafe String(cString: strerror(number))
    }
  }

  /// The path of the program and its arguments.
  var arguments: [String]
  /// All of its environment, as `NAME=value`.
  var environment: [String]
  /// The descriptor for its standard input if there is an ``output``, or nil for an empty one.
  var input: Int32?
  /// The descriptor for its standard output and standard error, or nil.
  ///
  /// No other descriptor is open then, and the process has a group of its own. If nil, it has the descriptors of this
  /// process and its group.
  var output: Int32?

  /// Starts it.
  ///
  /// - Returns: The process ID.
  func start() throws(NotStarted) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let output {
      if let input {
        unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
      } else {
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      }
      unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
      unsafe posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
      // Descriptors that this process inherited without close-on-exec are not for the command.
      unsafe probe_spawn_close_from(&actions, STDERR_FILENO + 1)
    }

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if output != nil { flags |= Int32(POSIX_SPAWN_SETPGROUP) }
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    var process: pid_t = 0
    var argumentList = unsafe arguments.map { unsafe strdup($0) } + [nil]
    var environmentList = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer {
      for index in unsafe argumentList.indices { unsafe free(argumentList[index]) }
      for index in unsafe environmentList.indices { unsafe free(environmentList[index]) }
    }
    let failure = unsafe posix_spawn(
      &process, arguments[0], &actions, &attributes, &argumentList, &environmentList)
    guard failure == 0 else { throw NotStarted(failure) }
    return process
  }
}

/// How a process ended.
enum ProcessEnd: Hashable, Sendable {
  /// It exited with this code.
  case code(Int32)
  /// It was terminated by this signal.
  case signal(Int32)

  /// From the status of waitpid(2).
  init(status: Int32) {
    self = status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }

  /// The exit code of a command that passes on how the process ended, as a shell does.
  var exitCode: ExitCode {
    switch self {
    case .code(let code): ExitCode(rawValue: code)
    case .signal(let number): ExitCode(rawValue: 128 + number)
    }
  }
}
