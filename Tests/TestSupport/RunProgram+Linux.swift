import Glibc

/// Runs a program found in PATH and waits for it.
///
/// - Returns: Its exit code, or nil when there is no such program.
package func runProgram(_ name: String, _ arguments: [String]) throws -> Int32? {
  var process: pid_t = 0
  var pointers = unsafe ([name] + arguments).map { unsafe strdup($0) } + [nil]
  defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
  guard unsafe posix_spawnp(&process, name, nil, nil, &pointers, environ) == 0 else { return nil }
  var status: Int32 = 0
  guard unsafe waitpid(process, &status, 0) == process else { return nil }
  return status >> 8 & 0xFF
}

/// The text of a file, or none when it cannot be read.
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
