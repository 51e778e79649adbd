import Glibc

/// Runs a program found in PATH and waits for it.
///
/// - Returns: Its exit code, or nil when there is no such program.
func runProgram(_ name: String, _ arguments: [String]) throws -> Int32? {
  var process: pid_t = 0
  var pointers = unsafe ([name] + arguments).map { unsafe strdup($0) } + [nil]
  defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
  guard unsafe posix_spawnp(&process, name, nil, nil, &pointers, environ) == 0 else { return nil }
  var status: Int32 = 0
  guard unsafe waitpid(process, &status, 0) == process else { return nil }
  return status >> 8 & 0xFF
}
