import Glibc
import Testing

/// A command that is run to completion, with files for its input and output.
///
/// Foundation's `Process` leaks a few bytes per run, and the leak detection of the address sanitizer must
/// stay on.
struct Command {
  let status: Int32

  /// Runs a command; `nil` if this machine does not have it.
  init?(_ paths: [String], _ arguments: [String], input: String, output: String) throws {
    guard let path = paths.first(where: { unsafe access($0, X_OK) == 0 }) else { return nil }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)

    var strings = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe strings.forEach { unsafe free($0) } }
    var process = pid_t()
    try #require(unsafe posix_spawn(&process, path, &actions, nil, &strings, environ) == 0)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
    // The second byte is the exit code; after a signal, the first one is not zero.
    self.status = status & 0x7F == 0 ? status >> 8 : -1
  }
}
