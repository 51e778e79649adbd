import Glibc

/// Runs a program found in PATH and waits for it.
///
/// - Returns: The exit code, or nil if there is no such program.
package func runProgram(_ name: String, _ arguments: [String]) throws -> Int32? {
  // The threads of tests block all signals; a program that does so too could not even be ended by timeout(1).
  var none = sigset_t()
  unsafe sigemptyset(&none)
  var attributes = posix_spawnattr_t()
  unsafe posix_spawnattr_init(&attributes)
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  unsafe posix_spawnattr_setsigmask(&attributes, &none)
  // A runner of tests may ignore it.
  var defaults = none
  unsafe sigaddset(&defaults, SIGPIPE)
  unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
  unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  var process: pid_t = 0
  var pointers = unsafe ([name] + arguments).map { unsafe strdup($0) } + [nil]
  defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
  guard unsafe posix_spawnp(&process, name, nil, &attributes, &pointers, environ) == 0 else { return nil }
  var status: Int32 = 0
  guard unsafe waitpid(process, &status, 0) == process else { return nil }
  return status >> 8 & 0xFF
}

/// The text of a file; empty if it cannot be read.
///
/// Reading an empty file makes Foundation leak its buffer, which the leak detection would report.
package func readText(_ path: String) -> String {
  let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return "" }
  defer { close(file) }
  var text: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = unsafe read(file, &piece, piece.count)
    guard count > 0 else { return String(decoding: text, as: UTF8.self) }
    text += piece.prefix(count)
  }
}
